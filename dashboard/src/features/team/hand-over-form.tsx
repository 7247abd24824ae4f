import { type Member, Refused } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useSession } from '../../session/session.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { PasswordField, SecondFactorField } from '../../ui/credential-fields.tsx'
import { Button, DialogActions, fieldsOf, Notice } from '../../ui/index.ts'

/** A new owner needs the password again, and the second factor if the account has one. */
export function HandOverForm({ member, onDone }: { readonly member: Member; readonly onDone: () => void }) {
  const { user } = useSession()
  const handing = useMutation({
    mutationFn: (given: { password: string; code: string | undefined; retainOwnership: boolean }) =>
      risiti.members.transferOwnership({ toUserId: member.id, ...given }),
    onSuccess: onDone,
  })
  const asksForCode =
    user?.totpEnabled === true ||
    (handing.error instanceof Refused && handing.error.is('credentials.second_factor_needed'))
  const faults = faultsOf(handing.error)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { typed, maybe } = fieldsOf(event)
        handing.mutate({
          password: typed('password'),
          code: maybe('code'),
          retainOwnership: maybe('retainOwnership') !== undefined,
        })
      }}
    >
      {handing.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(handing.error)}</Notice>}
      <p>
        {member.fullName} becomes an owner. An owner may do everything here, and can remove you. If you do not stay an
        owner, you become an administrator.
      </p>
      <CheckField name="retainOwnership" label="I stay an owner" defaultChecked />
      <PasswordField fault={faults.password} />
      {asksForCode && <SecondFactorField fault={faults.code} />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={handing.isPending}>
          Make owner
        </Button>
      </DialogActions>
    </form>
  )
}
