import { type InvoiceStatus, invoiceStatuses } from '../../modules/invoices/index.ts'
import { plainSignature, type WebhookEvent, type WebhookFormat } from '../../modules/webhooks/index.ts'
import { toEventData } from '../shared/contract-words.ts'
import { eventNames, furtherNames } from './events.ts'
import { statusHere } from './invoice-fields.ts'

/** Fields that have another name here than in the core. */
export const fieldNames: Readonly<Record<string, string>> = {
  taxId: 'taxNumber',
  taxIdType: 'taxNumberType',
  taxIdStatus: 'taxNumberStatus',
  capabilities: 'permissions',
}

const isInvoiceStatus = (status: unknown): status is InvoiceStatus => invoiceStatuses.includes(status as InvoiceStatus)

/** Payload of an event with the names of this form. */
export function dataHere({ type, data, objectVersion }: Pick<WebhookEvent, 'type' | 'data' | 'objectVersion'>) {
  const fields = Object.entries(toEventData(data)).map(([name, value]): [string, unknown] => [
    fieldNames[name] ?? name,
    name === 'status' && type.startsWith('invoice.') && isInvoiceStatus(value) ? statusHere[value] : value,
  ])
  return { ...Object.fromEntries(fields), ...(objectVersion === null ? {} : { objectVersion }) }
}

/** `data` must come last, because only its text is signed and is found by its beginning. */
const dataText = (body: string): string => body.slice(body.indexOf('"data":') + '"data":'.length, -1)

export const webhookFormat: WebhookFormat = {
  name: 'b',
  nameOf: (type) => eventNames[type],
  furtherNames,
  bodyOf: (event, mode) =>
    JSON.stringify({
      id: event.id,
      type: eventNames[event.type],
      environment: mode,
      timestamp: event.createdAt.toISOString(),
      ...(event.isTest ? { test: true } : {}),
      data: dataHere(event),
    }),
  headersOf({ eventId, name, body, attempt, unixSeconds, secrets: [current, previous] }) {
    const signed = (secret: string) => plainSignature(secret, unixSeconds, dataText(body))
    return {
      'content-type': 'application/json',
      'x-webhook-signature': signed(current),
      // Receivers check one signature, so that the one of the previous secret has its own header.
      ...(previous === undefined ? {} : { 'x-webhook-signature-previous': signed(previous) }),
      'x-webhook-timestamp': String(unixSeconds),
      'x-webhook-event': name,
      'x-webhook-id': eventId,
      'x-webhook-delivery-attempt': String(attempt),
    }
  },
}
