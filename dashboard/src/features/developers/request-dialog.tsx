import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { secondText } from '../../ui/dates.ts'
import { Facts } from '../../ui/facts.tsx'
import { Badge, Dialog, Notice, Table } from '../../ui/index.ts'
import { CurlCommand } from './curl-command.tsx'
import { callerText, toneOf } from './request-texts.ts'
import './developers.css'

export function RequestDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const request = useQuery({ queryKey: ['request-log', 'one', id], queryFn: () => risiti.requestLog.get(id) })
  const { data } = request
  return (
    <Dialog
      title={data ? `${data.method} ${data.route ?? data.path.split('?')[0]}` : 'Request'}
      open
      onClose={onClose}
      wide
    >
      {request.isError && <Notice tone="bad">{wordsOf(request.error)}</Notice>}
      {data && (
        <>
          {data.refusal && (
            <Notice tone={toneOf(data.status) === 'bad' ? 'bad' : 'warn'} title={data.refusal.message}>
              {data.code && (
                <p>
                  Code <code>{data.code}</code>, reason <code>{data.reason}</code>.
                </p>
              )}
            </Notice>
          )}
          {data.refusal && data.refusal.faults.length > 0 && (
            <Table label="Errors">
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Error</th>
                </tr>
              </thead>
              <tbody>
                {data.refusal.faults.map(({ path, rule, message }) => (
                  <tr key={`${path} ${rule} ${message}`}>
                    <th scope="row">
                      <code>{path || '(the body)'}</code>
                    </th>
                    <td>{message}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          )}
          <Facts
            facts={[
              [
                'Response',
                <Badge key="status" tone={toneOf(data.status)}>
                  {data.status}
                </Badge>,
              ],
              ['Duration', `${data.durationMs} ms`],
              ['When', secondText(data.answeredAt)],
              ['Path', <code key="path">{data.path}</code>],
              [data.actor.type === 'user' ? 'Person' : 'API key', callerText(data)],
              ['IP address', data.address],
              ['User agent', data.userAgent],
              ['Request id', <code key="id">{data.requestId}</code>],
            ]}
          />
          <CurlCommand request={data} />
        </>
      )}
    </Dialog>
  )
}
