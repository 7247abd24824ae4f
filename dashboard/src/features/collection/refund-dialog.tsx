import type { ReceivedPayment } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, Dialog, DialogActions, fieldsOf, money, Notice, TextField } from '../../ui/index.ts'
import { decimalOf, minorOf } from '../../ui/money.ts'
import { say } from '../../ui/toast.tsx'

const refundWords = {
  sent: 'The refund is on its way.',
  pending: 'The bank has not confirmed the refund yet. The refund completes by itself and is never sent twice.',
  failed: 'The bank did not send the refund. The money stays where it was.',
} as const

/** A refund cannot be undone, so the dialog describes its effect first. */
export function RefundDialog({
  payment,
  onClose,
}: {
  readonly payment: ReceivedPayment
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const { currency, amountMinor, refundedMinor, appliedMinor } = payment
  const most = amountMinor - refundedMinor
  const [fault, setFault] = useState<string>()
  const { once } = useOneKey()
  const refund = useMutation({
    mutationFn: (body: { amount: string; reason?: string }) =>
      risiti.collection.refundPayment(payment.id, body, once()),
    onSuccess: async ({ refund: { status } }) => {
      say(refundWords[status])
      onClose()
      await Promise.all([
        client.invalidateQueries({ queryKey: ['collection'] }),
        client.invalidateQueries({ queryKey: ['invoices'] }),
      ])
    },
  })
  const faults = faultsOf(refund.error)
  return (
    <Dialog title="Refund the payment?" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          const { text, maybe } = fieldsOf(event)
          const minor = minorOf(text('amount'), currency)
          if (minor === undefined || minor === 0 || minor > most) {
            setFault(`Enter an amount up to ${money(most, currency)}.`)
            return
          }
          setFault(undefined)
          const reason = maybe('reason')
          refund.mutate({ amount: decimalOf(minor, currency), ...(reason ? { reason } : {}) })
        }}
      >
        <p>
          The money goes back to the sender’s account. This cannot be undone. Money that is not applied to an invoice is
          refunded first.
          {appliedMinor > 0 && ' Invoices that this payment had paid become due again.'} The operator’s balance at the
          provider pays the refund, because payments are passed on to your bank account.
        </p>
        {refund.isError && <Notice tone="bad">{wordsOf(refund.error)}</Notice>}
        <TextField
          label={`Amount (${currency})`}
          name="amount"
          inputMode="decimal"
          required
          defaultValue={decimalOf(most, currency)}
          fault={fault ?? faults.amount}
        />
        <TextField label="Reason (optional)" name="reason" fault={faults.reason} />
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="danger" type="submit" busy={refund.isPending}>
            Refund
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
