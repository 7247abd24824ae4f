import type { Consumer } from '../../../platform/background/consumer.ts'
import { invoiceEventTypes } from '../invoice-events.ts'
import { takeUpChanges } from './follow.store.ts'

/**
 * Updates the lists of invoices from events. It may lag, because queries add the invoices that it has not processed
 * yet.
 */
export const invoiceLists: Consumer = {
  name: 'invoice-lists',
  on: invoiceEventTypes,
  pool: 'lists',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 500,
  take: ({ tx }, events) => takeUpChanges(tx, events),
}
