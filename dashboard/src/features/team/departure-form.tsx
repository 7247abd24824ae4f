import type { Member } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Button, DialogActions, fieldsOf, Notice, TextField } from '../../ui/index.ts'

export type Departure = 'suspend' | 'remove' | 'leave'

const textsOfDepartures: Readonly<Record<Departure, readonly [words: string, action: string]>> = {
  suspend: [
    'This member loses access to the organisation until somebody restores the member. Invitations from this member are withdrawn.',
    'Suspend the member',
  ],
  remove: [
    'This member loses access to the organisation at once. Invitations from this member are withdrawn.',
    'Remove the member',
  ],
  leave: [
    'You lose access to this organisation at once. Only another member can invite you again.',
    'Leave the organisation',
  ],
}

/** API keys belong to the organisation, so they stay active unless the person chooses to revoke them. */
export function DepartureForm({
  member,
  how,
  onDone,
}: {
  readonly member: Member
  readonly how: Departure
  readonly onDone: () => void
}) {
  const mayRevoke = useMay('api_key.revoke')
  const { once } = useOneKey()
  const going = useMutation({
    mutationFn: async ({ reason, revokeKeys }: { reason: string | undefined; revokeKeys: boolean }) => {
      const query = { revokeKeys }
      if (how === 'remove') await risiti.members.remove(member.id, query)
      else if (how === 'leave') await risiti.members.leave(query, once(query))
      else {
        const change = { status: 'suspended', reason } as const
        await risiti.members.changeStatus(member.id, change, query, once({ change, query }))
      }
    },
    onSuccess: onDone,
  })
  const [words, action] = textsOfDepartures[how]
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { maybe } = fieldsOf(event)
        going.mutate({ reason: maybe('reason'), revokeKeys: maybe('revokeKeys') !== undefined })
      }}
    >
      {going.isError && <Notice tone="bad">{wordsOf(going.error)}</Notice>}
      <p>{words}</p>
      {how === 'suspend' && (
        <TextField
          label="Reason"
          name="reason"
          autoComplete="off"
          hint="Optional. The audit log shows the reason."
          fault={faultsOf(going.error).reason}
        />
      )}
      {mayRevoke ? (
        <CheckField
          name="revokeKeys"
          label={`Revoke the API keys that ${how === 'leave' ? 'you' : 'this member'} created`}
        />
      ) : (
        <p>
          API keys that {how === 'leave' ? 'you' : 'this member'} created keep working. The owners get an email with the
          list.
        </p>
      )}
      <DialogActions>
        <Button kind="danger" type="submit" busy={going.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
