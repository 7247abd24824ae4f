import { useState } from 'react'
import { Button } from './button.tsx'
import './show-once.css'

/** The secret disappears when the person leaves the page. */
export function ShowOnce({ label, secret }: { readonly label: string; readonly secret: string }) {
  const [outcome, setOutcome] = useState<string>()
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setOutcome('Copied.')
    } catch {
      setOutcome('Your browser does not allow copying. Select the text and copy it yourself.')
    }
  }
  return (
    <div className="show-once">
      <textarea aria-label={label} readOnly rows={secret.split('\n').length} value={secret} />
      <Button onClick={copy}>Copy</Button>
      <span role="status">{outcome}</span>
    </div>
  )
}
