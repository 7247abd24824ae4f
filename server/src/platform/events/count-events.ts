import { type EventType, eventTypes } from '../../kernel/events.ts'
import type { Consumer } from './consumer.ts'
import { countEvents, eventCountsName } from './event-counts.store.ts'

/** Keeps how many events there are of each kind on each day. It rests long, since whoever reads a total adds what it has not counted yet. */
export const eventCounts: Consumer = {
  name: eventCountsName,
  on: Object.keys(eventTypes) as EventType[],
  pool: 'lists',
  startsAt: 'oldest',
  batchSize: 1_000,
  restMs: 500,
  take: ({ tx }, events) => countEvents(tx, events),
}
