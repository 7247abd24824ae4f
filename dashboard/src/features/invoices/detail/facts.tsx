import type { Invoice } from '@risiti/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCountry } from '../../../session/country.ts'
import { useMay } from '../../../session/session.tsx'
import { Help } from '../../../ui/help.tsx'
import { dayText, momentText } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'
import { factsOf } from '../written-fields.ts'
import { AuthorityCopy } from './authority-copy.tsx'

/** Parties, dates and references. Empty values are left out. */
export function Facts({ invoice }: { readonly invoice: Invoice }) {
  const { authorityReferenceName } = useCountry()
  const maySeeBuyer = useMay('buyer.read')
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [
      'Buyer',
      invoice.buyer && invoice.buyerId && maySeeBuyer ? (
        <Link to="/buyers/$id" params={{ id: invoice.buyerId }}>
          {invoice.buyer.name}
        </Link>
      ) : (
        (invoice.buyer?.name ?? 'A consumer')
      ),
    ],
    ['Tax number', invoice.buyer?.taxId],
    ['Date', dayText(invoice.invoiceDate)],
    ['Due', invoice.dueDate && dayText(invoice.dueDate)],
    ['Next payment due', invoice.instalments && invoice.nextDueDate && dayText(invoice.nextDueDate)],
    ['Supply date', invoice.supplyDate && dayText(invoice.supplyDate)],
    [authorityReferenceName, invoice.reporting.irn],
    ['Reason', invoice.reason],
    ...factsOf(invoice),
    ['Last changed', momentText(invoice.updatedAt)],
  ]
  return (
    <Panel title="Details">
      <dl className="invoice-facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>
                  {name}
                  {name === authorityReferenceName && <Help of="authorityReference" term={name} />}
                </dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {invoice.reporting.irn && <AuthorityCopy invoice={invoice} />}
    </Panel>
  )
}
