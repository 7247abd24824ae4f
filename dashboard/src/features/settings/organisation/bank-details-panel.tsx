import type { Organization } from '@risiti/sdk'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useFreshSignIn } from '../../../session/fresh-sign-in.tsx'
import { useMay } from '../../../session/session.tsx'
import { Button, fieldsOf, Notice, Panel, TextField } from '../../../ui/index.ts'
import { useChange } from './use-change.ts'

/** A change could redirect buyers' money, so it needs a recent password. */
export function BankDetailsPanel({ organisation }: { readonly organisation: Organization }) {
  const mayChange = useMay('organization.update', 'organization.update_contact')
  const { freshly, dialog } = useFreshSignIn()
  const saving = useChange(freshly)
  const faults = faultsOf(saving.error)
  const { bankDetails } = organisation
  return (
    <Panel
      title="Bank details"
      about="Your invoices show this bank account. When the account changes, all owners get an email."
    >
      <form
        onSubmit={(event) => {
          const { text } = fieldsOf(event)
          saving.mutate({
            bankDetails: {
              bankName: text('bankName'),
              accountName: text('accountName'),
              accountNumber: text('accountNumber'),
            },
          })
        }}
      >
        {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
        {saving.isSuccess && <Notice tone="good">Saved. The owners get an email.</Notice>}
        <TextField
          label="Bank"
          name="bankName"
          required
          defaultValue={bankDetails?.bankName}
          fault={faults['bankDetails.bankName']}
        />
        <TextField
          label="Account name"
          name="accountName"
          required
          defaultValue={bankDetails?.accountName}
          fault={faults['bankDetails.accountName']}
        />
        <TextField
          label="Account number"
          name="accountNumber"
          inputMode="numeric"
          required
          defaultValue={bankDetails?.accountNumber}
          fault={faults['bankDetails.accountNumber']}
        />
        {mayChange && (
          <Button kind="primary" type="submit" busy={saving.isPending}>
            Save the account
          </Button>
        )}
      </form>
      {dialog}
    </Panel>
  )
}
