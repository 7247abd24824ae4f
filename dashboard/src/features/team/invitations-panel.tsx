import type { Invitation } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { Button, ListTable, momentText, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'

export function InvitationsPanel() {
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: async () => await risiti.invitations.list({ status: 'pending', limit: 100 }),
  })
  return (
    <Panel title="Invitations" about="Sent and not accepted yet. Each invitation is valid for seven days.">
      <LoadState query={invitations} />
      {invitations.data?.data.length === 0 && <p>No open invitations.</p>}
      {invitations.data && invitations.data.data.length > 0 && (
        <ListTable label="Invitations" heads={['Name', 'Email', 'Role', 'Valid until', 'actions']}>
          {invitations.data.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ListTable>
      )}
    </Panel>
  )
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const client = useQueryClient()
  const mayResend = useMay('invitation.create')
  const mayWithdraw = useMay('invitation.withdraw')
  const changed = () => client.invalidateQueries({ queryKey: ['invitations'] })
  const { once, renew } = useOneKey()
  const resending = useMutation({
    mutationFn: () => risiti.invitations.resend(invitation.id, once()),
    onSuccess: async () => {
      renew()
      await changed()
    },
  })
  const withdrawing = useMutation({ mutationFn: () => risiti.invitations.withdraw(invitation.id), onSuccess: changed })
  const failure = resending.error ?? withdrawing.error
  return (
    <tr>
      <th scope="row">{invitation.fullName}</th>
      <td className="table-long">{invitation.email}</td>
      <td>{invitation.role.label}</td>
      <td>{momentText(invitation.expiresAt)}</td>
      <td>
        <div className="table-actions">
          <span role="status">{resending.isSuccess && 'Sent.'}</span>
          {failure && <span role="alert">{wordsOf(failure)}</span>}
          {mayResend && (
            <Button
              aria-label={`Send again to ${invitation.fullName}`}
              busy={resending.isPending}
              onClick={() => resending.mutate()}
            >
              Send again
            </Button>
          )}
          {mayWithdraw && (
            <Button
              aria-label={`Withdraw the invitation of ${invitation.fullName}`}
              busy={withdrawing.isPending}
              onClick={() => withdrawing.mutate()}
            >
              Withdraw
            </Button>
          )}
        </div>
      </td>
    </tr>
  )
}
