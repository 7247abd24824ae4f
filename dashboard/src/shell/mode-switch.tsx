import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../api/client.ts'
import { wordsOf } from '../api/queries.ts'
import { useForgetEverything, useMay, useSession } from '../session/session.tsx'
import { Button } from '../ui/index.ts'

export function ModeSwitch() {
  const { mode } = useSession()
  const mayUseLive = useMay('live_mode.use')
  const forgetEverything = useForgetEverything()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const other = mode === 'live' ? 'sandbox' : 'live'
  async function change() {
    setBusy(true)
    setFault(undefined)
    try {
      await risiti.identity.switchMode({ mode: other })
      await forgetEverything()
      await navigate({ to: '/overview' })
    } catch (error) {
      setFault(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mode-switch">
      <strong>{mode === 'live' ? 'Live' : 'Sandbox'}</strong>
      <span>{mode === 'live' ? 'Everything here is real.' : 'Nothing here is real.'}</span>
      {(mode === 'live' || mayUseLive) && (
        <Button kind="quiet" busy={isBusy} onClick={change}>
          Switch to {other}
        </Button>
      )}
      {fault && <span role="alert">{fault}</span>}
    </div>
  )
}
