import type { IdentityChangePasswordBody } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useSession } from '../../../session/session.tsx'
import { PasswordField } from '../../../ui/credential-fields.tsx'
import { Button, fieldsOf, Notice, Panel, TextField } from '../../../ui/index.ts'

export function PasswordPanel() {
  const { user } = useSession()
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const changing = useMutation({
    mutationFn: (given: IdentityChangePasswordBody) => risiti.identity.changePassword(given),
    onSuccess: async () => {
      form.current?.reset()
      await client.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const faults = faultsOf(changing.error)
  return (
    <Panel title="Password" about="A new password ends all your other sessions.">
      <form
        ref={form}
        onSubmit={(event) => {
          const { typed } = fieldsOf(event)
          changing.mutate({ currentPassword: typed('currentPassword'), newPassword: typed('newPassword') })
        }}
      >
        {changing.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(changing.error)}</Notice>}
        {changing.isSuccess && <Notice tone="good">Your password is changed.</Notice>}
        {/* Tells a password manager which account the password belongs to. */}
        <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
        <PasswordField label="Current password" name="currentPassword" fault={faults.currentPassword} />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          fault={faults.newPassword}
        />
        <Button type="submit" busy={changing.isPending}>
          Change the password
        </Button>
      </form>
    </Panel>
  )
}
