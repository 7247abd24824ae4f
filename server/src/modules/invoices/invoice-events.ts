import type { Caller } from '../../kernel/callers.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { InvoiceSummary } from './invoice.ts'
import { dueMinor } from './standing.ts'

/** Everything that happens to invoices. */
export const invoiceEventTypes = (Object.keys(eventTypes) as EventType[]).filter((type) => type.startsWith('invoice.'))

type Told = Pick<
  InvoiceSummary,
  | 'id'
  | 'number'
  | 'type'
  | 'kind'
  | 'status'
  | 'buyerId'
  | 'currency'
  | 'payableMinor'
  | 'taxMinor'
  | 'originalId'
  | 'irn'
  | 'submittedAt'
>

/** What every event of an invoice says of it. */
export const eventData = (invoice: Told, jurisdiction: string | undefined, more: object = {}): object => ({
  invoiceId: invoice.id,
  invoiceNumber: invoice.number,
  invoiceType: invoice.type,
  invoiceKind: invoice.kind,
  status: invoice.status,
  buyerId: invoice.buyerId,
  currency: invoice.currency,
  payableMinor: Number(invoice.payableMinor),
  taxMinor: Number(invoice.taxMinor),
  originalInvoiceId: invoice.originalId,
  jurisdiction: jurisdiction ?? null,
  authorityReference: invoice.irn,
  submittedAt: invoice.submittedAt?.toISOString() ?? null,
  ...more,
})

/** What an event says of how far an invoice is paid. */
export const toldAmounts = ({ paidMinor, ...invoice }: InvoiceSummary) => ({
  paidMinor: Number(paidMinor),
  dueMinor: Number(dueMinor({ ...invoice, paidMinor })),
})

type Telling = Pick<Inside<Caller>, 'emit' | 'caller'>

export function tellOfInvoice(
  { emit, caller }: Telling,
  type: EventType,
  tenant: Tenant,
  invoice: Told,
  more: object = {},
): void {
  const country = 'country' in caller ? caller.country : undefined
  emit(type, { ...tenant, objectId: invoice.id }, eventData(invoice, country, more))
}
