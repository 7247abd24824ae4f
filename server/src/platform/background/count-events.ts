import { type EventType, eventTypes } from '../../kernel/events.ts'
import { countEvents, eventCountsName } from '../events/event-counts.store.ts'
import type { Consumer } from './consumer.ts'

/**
 * Keeps the number of events of each kind on each day. The consumer rests long, because each reading of a total adds the events that are
 * not counted yet.
 */
export const eventCounts: Consumer = {
  name: eventCountsName,
  on: Object.keys(eventTypes) as EventType[],
  pool: 'lists',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 500,
  take: ({ tx }, events) => countEvents(tx, events),
}
