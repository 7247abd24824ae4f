import type { Invoice, NewInvoice } from '@risiti/sdk'
import { today } from '../../ui/dates.ts'
import { instalmentsOf, sentInstalments } from './editor/draft-instalments.ts'
import { withoutDays, writtenWith } from './written-fields.ts'

/** The request body that would create this invoice again, with the same number. */
export const draftOf = (invoice: Invoice): NewInvoice => ({
  ...(invoice.sellerId === null ? {} : { sellerId: invoice.sellerId }),
  buyerId: invoice.buyerId,
  invoiceKind: invoice.invoiceKind,
  invoiceDate: invoice.invoiceDate,
  issueTime: invoice.issueTime,
  dueDate: invoice.dueDate,
  instalments: sentInstalments(instalmentsOf(invoice)),
  supplyDate: invoice.supplyDate,
  currency: invoice.currency,
  exchangeRate: invoice.exchangeRate,
  allowanceAmount: invoice.allowanceAmount,
  chargeAmount: invoice.chargeAmount,
  ...writtenWith((name) => invoice[name] ?? undefined),
  lineItems: invoice.lineItems.map(({ netMinor: _net, taxPercent: _percent, itemId, ...line }) => ({
    ...(itemId === null ? {} : { itemId }),
    ...line,
  })),
})

/** The request body of a new draft of today with the same parties, texts and lines. Days belong to the old document. */
export function copyOf(invoice: Invoice): NewInvoice {
  const {
    issueTime: _time,
    dueDate: _due,
    instalments: _parts,
    supplyDate: _supply,
    exchangeRate: _rate,
    ...copy
  } = draftOf(invoice)
  return { ...copy, ...withoutDays, invoiceDate: today() }
}
