import type { Consumer } from '../../../platform/events/consumer.ts'
import { invoiceEventTypes } from '../invoice-events.ts'
import { takeUpChanges } from './follow.store.ts'

/** Brings lists of invoices nearer to the invoices. It rests long, since whoever reads a list adds what it has not taken up yet. */
export const invoiceLists: Consumer = {
  name: 'invoice-lists',
  on: invoiceEventTypes,
  pool: 'lists',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 500,
  take: ({ tx }, events) => takeUpChanges(tx, events),
}
