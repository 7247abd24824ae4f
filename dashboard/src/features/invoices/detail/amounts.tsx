import type { Invoice } from '@risiti/sdk'
import { dayText, money } from '../../../ui/index.ts'
import { grouped } from './lines.tsx'

type SummedAmounts = Pick<Invoice, 'currency' | 'netMinor' | 'allowanceMinor' | 'chargeMinor' | 'taxes'>

/** The sums of any document up to its tax. */
const sumsOf = ({ netMinor, allowanceMinor, chargeMinor, taxes }: SummedAmounts) => [
  ['Net', netMinor] as const,
  ...(allowanceMinor ? [['Discount', -allowanceMinor] as const] : []),
  ...(chargeMinor ? [['Fees', chargeMinor] as const] : []),
  ...taxes.map(({ taxPercent, taxMinor }) => [`Tax ${grouped(taxPercent)} %`, taxMinor] as const),
]

export function Amounts({ invoice }: { readonly invoice: Invoice }) {
  const { currency } = invoice
  const isIssued = invoice.status !== 'draft'
  const parts: readonly Part[] = [
    ...sumsOf(invoice),
    ...(invoice.roundingMinor ? [['Rounding', invoice.roundingMinor] as const] : []),
    ['Total', invoice.payableMinor, true],
    ...(invoice.paidMinor ? [['Paid', -invoice.paidMinor] as const] : []),
    ...(invoice.creditedMinor ? [['Credited', -invoice.creditedMinor] as const] : []),
    ...(isIssued && invoice.invoiceType !== 'credit_note' ? [['Still due', invoice.dueMinor, true] as const] : []),
    ...(invoice.refundOwedMinor ? [['Refund owed to the buyer', invoice.refundOwedMinor] as const] : []),
  ]
  return <AmountList parts={parts} currency={currency} homeTax={invoice.homeTax} />
}

type Part = readonly [name: string, minor: number, isSum?: boolean]

/** The sums of a document that asks for nothing yet. */
export const OfferedAmounts = ({ of }: { readonly of: SummedAmounts & Pick<Invoice, 'payableMinor'> }) => (
  <AmountList parts={[...sumsOf(of), ['Total', of.payableMinor, true]]} currency={of.currency} />
)

function AmountList({
  parts,
  currency,
  homeTax = null,
}: {
  readonly parts: readonly Part[]
  readonly currency: string
  readonly homeTax?: Invoice['homeTax']
}) {
  return (
    <dl className="invoice-amounts">
      {parts.map(([name, minor, isSum]) => (
        <div key={name} data-sum={isSum || undefined}>
          <dt>{name}</dt>
          <dd>{money(minor, currency)}</dd>
        </div>
      ))}
      {homeTax && (
        <div>
          <dt>
            Tax in {homeTax.currency}, at {homeTax.exchangeRate} of {dayText(homeTax.rateDay)}
          </dt>
          <dd>{money(homeTax.taxMinor, homeTax.currency)}</dd>
        </div>
      )}
    </dl>
  )
}
