import type { Session } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { Badge, Button, momentText, Notice, Panel, Table } from '../../../ui/index.ts'
import { programName } from './program-name.ts'

/** Where the account is signed in; what one does not know, one ends. */
export function SessionsPanel() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => risiti.identity.listSessions() })
  return (
    <Panel title="Where you are signed in" about="End what you do not know, and change your password then.">
      {sessions.isError && <Notice tone="bad">{wordsOf(sessions.error)}</Notice>}
      {sessions.data && (
        <Table label="Sessions">
          <thead>
            <tr>
              <th scope="col">Program</th>
              <th scope="col">Address</th>
              <th scope="col">Mode</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span className="visually-hidden">What you can do</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const ending = useMutation({
    mutationFn: () => risiti.identity.endSession(session.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <tr>
      <th scope="row">{programName(session.userAgent)}</th>
      <td>{session.address}</td>
      <td>{session.mode === 'live' ? 'Live' : 'Sandbox'}</td>
      <td>{momentText(session.lastUsedAt)}</td>
      <td className="table-amount">
        {session.current ? (
          <Badge tone="good">This one</Badge>
        ) : (
          <Button busy={ending.isPending} onClick={() => ending.mutate()}>
            End
          </Button>
        )}
        {ending.isError && <span role="alert">{wordsOf(ending.error)}</span>}
      </td>
    </tr>
  )
}
