import type { Session } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { Badge, Button, ListTable, momentText, Panel } from '../../../ui/index.ts'
import { LoadState } from '../../../ui/load-state.tsx'
import { programName } from './program-name.ts'

export function SessionsPanel() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => risiti.identity.listSessions() })
  return (
    <Panel
      title="Where you are signed in"
      about="If you do not recognise a session, end the session and change your password."
    >
      <LoadState query={sessions} />
      {sessions.data && (
        <ListTable label="Sessions" heads={['Browser', 'Address', 'Mode', 'Last used', 'actions']}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ListTable>
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
          <Badge tone="good">This session</Badge>
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
