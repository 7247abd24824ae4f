import Type from 'typebox'
import { exactMinor } from '../../kernel/exact-json.ts'
import type { InvoiceStatus, invoiceOperations } from '../../modules/invoices/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Country, Day, Fields, List, Maybe, MinorUnits, means, Named } from '../definitions/fields.ts'
import { invoiceRoutes as routes } from '../routes/invoices.ts'
import { DocumentType } from './invoices.ts'

const StatisticsView = Named('InvoiceStatistics', {
  startDate: means('The first day of issue that counts. Null if the request set none.', Maybe(Day)),
  endDate: means('The last day of issue that counts. Null if the request set none.', Maybe(Day)),
  groups: means(
    'The sums for each status, type of document and currency.',
    List(
      Fields({
        status: means('The status of the documents in this group.', Type.String()),
        invoiceType: means('The type of the documents in this group.', DocumentType),
        currency: means('The currency of the amounts in this group (ISO 4217).', Type.String()),
        count: means('The number of documents in this group.', Type.Integer()),
        netMinor: means('The sum of the documents before tax, in minor units.', MinorUnits),
        taxMinor: means('The sum of the tax, in minor units.', MinorUnits),
        payableMinor: means('The sum of the documents with tax, in minor units.', MinorUnits),
        paidMinor: means('The sum of the recorded payments, in minor units.', MinorUnits),
      }),
    ),
  ),
  totals: Type.Array(
    Named('InvoiceTotals', {
      currency: means('The currency of these totals (ISO 4217).', Type.String()),
      documents: Type.Integer({ description: 'The number of documents that count, including notes.' }),
      invoicedMinor: Type.Integer({
        description: 'The invoiced amount less the credited amount, in minor units. Can be negative.',
      }),
      taxMinor: Type.Integer({
        description: 'The tax on invoices less the tax on credit notes, in minor units. Can be negative.',
      }),
      paidMinor: means('The sum of the recorded payments, in minor units.', MinorUnits),
    }),
    {
      description:
        'The totals for each currency. Drafts and rejected documents do not count. A cancelled invoice and the credit note that cancels it add up to zero.',
    },
  ),
})

type StatisticsRow = Awaited<ReturnType<typeof invoiceOperations.getInvoiceStatistics.body>>['rows'][number]

/** Statuses that share a name in a form share a group there. */
function toGroups(rows: readonly StatisticsRow[], nameOf: (status: InvoiceStatus) => string) {
  const groups = new Map<string, Omit<StatisticsRow, 'status'> & { readonly status: string }>()
  for (const row of rows) {
    const status = nameOf(row.status)
    const key = `${status} ${row.type} ${row.currency}`
    const { count = 0, netMinor = 0n, taxMinor = 0n, payableMinor = 0n, paidMinor = 0n } = groups.get(key) ?? {}
    groups.set(key, {
      ...row,
      status,
      count: count + row.count,
      netMinor: netMinor + row.netMinor,
      taxMinor: taxMinor + row.taxMinor,
      payableMinor: payableMinor + row.payableMinor,
      paidMinor: paidMinor + row.paidMinor,
    })
  }
  return [...groups.values()].map((group) => ({
    status: group.status,
    invoiceType: group.type,
    currency: group.currency,
    count: group.count,
    netMinor: exactMinor(group.netMinor),
    taxMinor: exactMinor(group.taxMinor),
    payableMinor: exactMinor(group.payableMinor),
    paidMinor: exactMinor(group.paidMinor),
  }))
}

/** The forms differ only in the names of the statuses. */
export const statisticsRoute = (nameOf: (status: InvoiceStatus) => string) =>
  describeRoute(routes.getStatistics, {
    status: 200,
    query: Fields({
      startDate: Type.Optional(means('Only documents issued on this day or later.', Day)),
      endDate: Type.Optional(means('Only documents issued on this day or earlier.', Day)),
      jurisdiction: Type.Optional(means('Only documents under the law of this country.', Country)),
    }),
    reply: StatisticsView,
    decode: ({ query }) => ({ from: query.startDate, to: query.endDate, jurisdiction: query.jurisdiction }),
    encode: ({ from, to, rows, totals }) => ({
      startDate: from,
      endDate: to,
      groups: toGroups(rows, nameOf),
      totals: totals.map(({ currency, documents, invoicedMinor, taxMinor, paidMinor }) => ({
        currency,
        documents,
        invoicedMinor: exactMinor(invoicedMinor),
        taxMinor: exactMinor(taxMinor),
        paidMinor: exactMinor(paidMinor),
      })),
    }),
    fieldNames: { from: 'startDate' },
  })
