import type { Invoice } from '@risiti/sdk'
import type { FormEvent } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { today } from '../../../ui/dates.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Button, money, Notice, TextField } from '../../../ui/index.ts'
import { decimalOf, plainNumber } from '../../../ui/money.ts'
import { useAct } from './use-invoice.ts'

export function PaymentDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }) {
  const { id, dueMinor, nextDueMinor, currency } = invoice
  const isInParts = nextDueMinor > 0 && nextDueMinor < dueMinor
  const record = useAct(
    (form: FormData, once) =>
      risiti.invoices.recordPayment(
        id,
        {
          amount: plainNumber(String(form.get('amount'))),
          paidOn: String(form.get('paidOn')),
          method: String(form.get('method')).trim() || null,
          reference: String(form.get('reference')).trim() || null,
        },
        once,
      ),
    'The payment was recorded.',
    onClose,
  )
  const faults = faultsOf(record.error)
  return (
    <Dialog title="Record a payment" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          record.mutate(new FormData(event.currentTarget))
        }}
      >
        {record.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(record.error)}</Notice>}
        <TextField
          label="Amount"
          name="amount"
          inputMode="decimal"
          required
          defaultValue={decimalOf(isInParts ? nextDueMinor : dueMinor, currency)}
          hint={
            isInParts
              ? `The next instalment. ${money(dueMinor, currency)} is still due in all.`
              : `${money(dueMinor, currency)} is still due.`
          }
          fault={faults.amount}
        />
        <TextField label="Paid on" name="paidOn" type="date" required defaultValue={today()} fault={faults.paidOn} />
        <TextField label="Method (optional)" name="method" placeholder="Bank transfer" fault={faults.method} />
        <TextField label="Reference (optional)" name="reference" fault={faults.reference} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={record.isPending}>
            Record the payment
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
