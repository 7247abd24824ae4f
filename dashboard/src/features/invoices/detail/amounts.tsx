import type { Invoice } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { useCountry } from '../../../session/country.ts'
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
  const { currency: home } = useCountry()
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
  return (
    <AmountList parts={parts} currency={currency}>
      {isIssued && currency !== home && <HomeTaxRow homeTax={invoice.homeTax} home={home} />}
    </AmountList>
  )
}

type Part = readonly [name: string, minor: number, isSum?: boolean]

/** The sums of a document that asks for nothing yet. */
export const OfferedAmounts = ({ of }: { readonly of: SummedAmounts & Pick<Invoice, 'payableMinor'> }) => (
  <AmountList parts={[...sumsOf(of), ['Total', of.payableMinor, true]]} currency={of.currency} />
)

/** The tax in the home currency with its rate, for a document in a foreign one. */
export const HomeTaxRow = ({
  homeTax,
  home,
}: {
  readonly homeTax: Invoice['homeTax'] | undefined
  readonly home: string
}) => (
  <div>
    <dt>
      Tax in {home}
      {homeTax && `, at ${homeTax.exchangeRate} of ${dayText(homeTax.rateDay)}`}
    </dt>
    <dd>{homeTax ? money(homeTax.taxMinor, home) : 'no rate known'}</dd>
  </div>
)

function AmountList({
  parts,
  currency,
  children,
}: {
  readonly parts: readonly Part[]
  readonly currency: string
  readonly children?: ReactNode
}) {
  return (
    <dl className="invoice-amounts">
      {parts.map(([name, minor, isSum]) => (
        <div key={name} data-sum={isSum || undefined}>
          <dt>{name}</dt>
          <dd>{money(minor, currency)}</dd>
        </div>
      ))}
      {children}
    </dl>
  )
}
