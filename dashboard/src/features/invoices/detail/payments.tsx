import type { Invoice, Payment } from '@risiti/sdk'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useMay } from '../../../session/session.tsx'
import { capitalised } from '../../../ui/capitalised.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Badge, Button, dayText, ListTable, money } from '../../../ui/index.ts'
import { LoadState } from '../../../ui/load-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useAct, usePayments } from './use-invoice.ts'

export function Payments({ invoice }: { readonly invoice: Invoice }) {
  const { id, currency } = invoice
  const mayRecord = useMay('invoice.record_payment')
  const payments = usePayments(invoice)
  const [reversing, setReversing] = useState<Payment>()
  const reverse = useAct(
    (paymentId: string) => risiti.invoices.reversePayment(id, paymentId),
    'The payment was reversed.',
    () => setReversing(undefined),
  )
  return (
    <Panel title="Payments">
      <LoadState query={payments} />
      {payments.data?.length === 0 && <p className="invoice-soft">No payments yet.</p>}
      {payments.data && payments.data.length > 0 && (
        <ListTable label="Payments" heads={['Paid on', 'Method', 'Reference', ['Amount', 'amount'], 'actions']}>
          {payments.data.map((payment) => (
            <tr key={payment.id}>
              <th scope="row">{dayText(payment.paidOn)}</th>
              <td>{payment.method ? capitalised(payment.method.replaceAll('_', ' ')) : '–'}</td>
              <td>{payment.reference ?? '–'}</td>
              <td className="table-amount">{money(payment.amountMinor, currency)}</td>
              <td className="table-amount">
                {payment.reversedAt && <Badge>Reversed</Badge>}
                {!payment.reversedAt && mayRecord && (
                  <Button kind="quiet" onClick={() => setReversing(payment)}>
                    Reverse
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {reversing && (
        <ConfirmDialog
          title="Reverse this payment?"
          action="Reverse the payment"
          open
          onConfirm={() => reverse.mutateAsync(reversing.id)}
          onClose={() => setReversing(undefined)}
        >
          {money(reversing.amountMinor, currency)} is due again. The list keeps the payment, marked as reversed.
        </ConfirmDialog>
      )}
    </Panel>
  )
}
