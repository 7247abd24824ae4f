import { dropMonth, listMonthsToDrop, listMonthsToMake, makeMonth } from '../events/partitions.store.ts'
import { oneByOne } from '../jobs/failing-items.ts'
import type { Runtime } from '../operations/runner.ts'
import { dailyAt, scheduled } from './handlers.ts'

/**
 * Every night, and at the start of a worker: makes the partitions of the coming months and drops months past the retention time. Events
 * whose month had no partition are moved there. A month that fails does not stop the others.
 */
export const keepEvents = (runtime: Runtime) =>
  scheduled(
    'keep-events',
    dailyAt(1, 23),
    async () => {
      const { db, settings, log } = runtime
      const unmade = await oneByOne(runtime, 'events.month_not_made', await listMonthsToMake(db), async (month) => {
        const count = await makeMonth(db, month)
        if (count > 0) log.warn('events.moved', { reference: month.id, count })
      })
      const months = await listMonthsToDrop(db, settings.eventMonths)
      const undropped = await oneByOne(runtime, 'events.month_not_dropped', months, (month) => dropMonth(db, month))
      if (months.length > undropped) log.info('events.dropped', { count: months.length - undropped })
      if (unmade + undropped > 0) throw new Error(`${unmade} months could not be made, ${undropped} not dropped`)
    },
    { maxAttempts: 3, atStart: true },
  )
