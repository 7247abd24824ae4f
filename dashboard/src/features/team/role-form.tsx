import type { Member } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, DialogActions, fieldsOf, Notice } from '../../ui/index.ts'
import { RoleField } from './role-field.tsx'

export function RoleForm({ member, onDone }: { readonly member: Member; readonly onDone: () => void }) {
  const changing = useMutation({
    mutationFn: (roleId: string) => risiti.members.changeRole(member.id, { roleId }),
    onSuccess: onDone,
  })
  return (
    <form className="dialog-form" onSubmit={(event) => changing.mutate(fieldsOf(event).text('roleId'))}>
      {changing.isError && <Notice tone="bad">{wordsOf(changing.error)}</Notice>}
      <RoleField chosen={member.role.id} fault={faultsOf(changing.error).roleId} />
      <DialogActions>
        <Button kind="primary" type="submit" busy={changing.isPending}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
