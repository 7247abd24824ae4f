import { keepEventPartitions } from '../platform/events/places.store.ts'
import type { Machine } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

const keepEventsJob = job<object>('keep-events', 'upkeep', { maxAttempts: 3 })

/** Every night months to come are made ready for events, and months that are no longer kept go. */
export const keepEvents = ({ db, settings, log }: Machine) =>
  handler(
    keepEventsJob,
    async () => {
      const dropped = await keepEventPartitions(db, settings.eventMonths)
      if (dropped > 0) log.info('events.dropped', { count: dropped })
    },
    '23 1 * * *',
  )
