import type { Invoice } from '@risiti/sdk'
import { money } from '../../../ui/index.ts'
import { grouped } from './lines.tsx'

export function Amounts({ invoice }: { readonly invoice: Invoice }) {
  const { currency } = invoice
  const isIssued = invoice.status !== 'draft'
  const parts: readonly (readonly [name: string, minor: number, isSum?: boolean])[] = [
    ['Net', invoice.netMinor],
    ...(invoice.allowanceMinor ? [['Discount', -invoice.allowanceMinor] as const] : []),
    ...(invoice.chargeMinor ? [['Fees', invoice.chargeMinor] as const] : []),
    ...invoice.taxes.map(({ taxPercent, taxMinor }) => [`Tax ${grouped(taxPercent)} %`, taxMinor] as const),
    ...(invoice.roundingMinor ? [['Rounding', invoice.roundingMinor] as const] : []),
    ['Total', invoice.payableMinor, true],
    ...(invoice.paidMinor ? [['Paid', -invoice.paidMinor] as const] : []),
    ...(invoice.creditedMinor ? [['Credited', -invoice.creditedMinor] as const] : []),
    ...(isIssued && invoice.invoiceType !== 'credit_note' ? [['Still due', invoice.dueMinor, true] as const] : []),
    ...(invoice.refundOwedMinor ? [['Refund owed to the buyer', invoice.refundOwedMinor] as const] : []),
  ]
  return (
    <dl className="invoice-amounts">
      {parts.map(([name, minor, isSum]) => (
        <div key={name} data-sum={isSum || undefined}>
          <dt>{name}</dt>
          <dd>{money(minor, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
