import type { InvoiceKind } from '../../jurisdictions/invoice-kinds.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { InvoicePayload } from '../../kernel/event-payloads.ts'
import { type EventOf, eventsOf, eventTypes, type MorePayload, payloadOf } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { NewEvent } from '../../platform/events/events.store.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { InvoiceSummary } from './invoice.ts'

export const invoiceEventTypes = eventsOf('invoice')

/** The fields that event payloads are built from. */
export type InvoiceFacts = Pick<
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
  | 'authorityReference'
  | 'submittedAt'
  | 'version'
>

/** The data in every event about an invoice. */
export const invoicePayload = (invoice: InvoiceFacts, jurisdiction: string | undefined): InvoicePayload => ({
  invoiceId: invoice.id,
  invoiceNumber: invoice.number,
  invoiceType: invoice.type,
  // The kind was checked against the jurisdiction's list when it was saved.
  invoiceKind: invoice.kind as InvoiceKind,
  status: invoice.status,
  buyerId: invoice.buyerId,
  currency: invoice.currency,
  payableMinor: Number(invoice.payableMinor),
  taxMinor: Number(invoice.taxMinor),
  originalInvoiceId: invoice.originalId,
  jurisdiction: jurisdiction ?? null,
  authorityReference: invoice.authorityReference,
  submittedAt: invoice.submittedAt?.toISOString() ?? null,
})

/** An event about an invoice, as input of a hot statement. */
export type InvoiceEvent = NewEvent<EventOf<'invoice'>>

type EmitContext = Pick<Inside<Caller>, 'emit' | 'caller'>

const payloadFor = (caller: Caller, invoice: InvoiceFacts): InvoicePayload =>
  invoicePayload(invoice, 'country' in caller ? caller.country : undefined)

export function emitInvoiceEvent<Type extends EventOf<'invoice'>>(
  { emit, caller }: EmitContext,
  type: Type,
  { organisationId, mode }: Tenant,
  invoice: InvoiceFacts,
  ...further: MorePayload<Type, InvoicePayload>
): void {
  const about = { organisationId, mode, objectId: invoice.id, version: invoice.version }
  emit<EventOf<'invoice'>>(type, about, payloadOf<Type, InvoicePayload>(payloadFor(caller, invoice), further))
}

/** The same for a hot statement, which writes the event together with the change. */
export const newInvoiceEvent = <Type extends EventOf<'invoice'>>(
  caller: Caller,
  type: Type,
  invoice: InvoiceFacts,
  ...further: MorePayload<Type, InvoicePayload>
): NewEvent<Type> => ({
  type,
  version: eventTypes[type].version,
  id: newId(),
  data: payloadOf<Type, InvoicePayload>(payloadFor(caller, invoice), further),
})
