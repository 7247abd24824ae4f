import type { InvitationsCreateBody } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, DialogActions, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { RoleField } from './role-field.tsx'

export function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const { once } = useOneKey()
  const inviting = useMutation({
    mutationFn: (given: InvitationsCreateBody) => risiti.invitations.create(given, once(given)),
    onSuccess: onDone,
  })
  const faults = faultsOf(inviting.error)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe } = fieldsOf(event)
        inviting.mutate({
          email: text('email'),
          fullName: text('fullName'),
          roleId: maybe('roleId'),
          message: maybe('message'),
        })
      }}
    >
      {inviting.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(inviting.error)}</Notice>}
      <TextField label="Name" name="fullName" autoComplete="off" required fault={faults.fullName} />
      <TextField label="Email" name="email" type="email" autoComplete="off" required fault={faults.email} />
      <RoleField fault={faults.roleId} />
      <TextField
        label="Message (optional)"
        name="message"
        autoComplete="off"
        hint="The invitation email shows this message."
        fault={faults.message}
      />
      <DialogActions>
        <Button kind="primary" type="submit" busy={inviting.isPending}>
          Send the invitation
        </Button>
      </DialogActions>
    </form>
  )
}
