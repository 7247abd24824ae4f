import type { LoggedRequest } from '@risiti/sdk'
import { useState } from 'react'
import { Button } from '../../ui/index.ts'
import { JsonBody } from '../../ui/json-body.tsx'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const hasBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'

/** The log keeps neither keys nor bodies, so the command names a variable and a file. */
export const curlOf = ({ method, path }: Pick<LoggedRequest, 'method' | 'path'>, origin: string): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    '-H "Authorization: Bearer $RISITI_KEY"',
    ...(hasBody(method) ? ["-H 'Content-Type: application/json'", '-d @body.json'] : []),
  ].join(' \\\n  ')

export function CurlCommand({ request }: { readonly request: Pick<LoggedRequest, 'method' | 'path'> }) {
  const [outcome, setOutcome] = useState<string>()
  const command = curlOf(request, window.location.origin)
  async function copy() {
    try {
      await navigator.clipboard.writeText(command)
      setOutcome('Copied.')
    } catch {
      setOutcome('Your browser does not allow copying. Select the text and copy it yourself.')
    }
  }
  return (
    <section className="developers-curl" aria-label="As a command">
      <JsonBody label="curl command" value={command} />
      <p>
        Set <code>RISITI_KEY</code> to one of your API keys.
        {hasBody(request.method) && ' The log keeps no bodies: write the body into body.json.'}
      </p>
      <div className="table-actions">
        <Button onClick={copy}>Copy as curl</Button>
        <span role="status">{outcome}</span>
      </div>
    </section>
  )
}
