import type { Database } from '../database/database.ts'
import { oneByOne } from '../jobs/failing-items.ts'
import type { Runtime } from '../operations/runner.ts'
import { hourlyAt, scheduled } from './handlers.ts'
import { inBatches } from './in-batches.ts'

export const hours = 3600_000
export const days = 24 * hours
/** Rows per statement. There may be millions, and one statement for all would hit its time limit every time. */
const usualBatch = 1_000

/** Deletes expired rows of one kind. Nothing depends on it: every reader checks the expiry itself. */
export interface Purge {
  readonly name: string
  /** returns how many rows it deleted */
  readonly run: (runtime: Runtime) => Promise<number>
}

type DeleteBatch = (db: Database, before: Date, limit: number) => Promise<number>

/** Deletes rows that are older than this in business time, batch by batch. */
export const purgeAfter = (ms: number, name: string, deleteBatch: DeleteBatch, batch = usualBatch): Purge => ({
  name,
  run: ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - ms)
    return inBatches(() => deleteBatch(db, before, batch))
  },
})

/** The same for machinery, whose rows are dated by the real clock. */
export const purgeMachineryAfter = (ms: number, name: string, deleteBatch: DeleteBatch): Purge => ({
  name,
  run: ({ db }) => {
    const before = new Date(Date.now() - ms)
    return inBatches(() => deleteBatch(db, before, usualBatch))
  },
})

/** Every hour. A failing purge does not stop the others. */
export const purgeExpired = (runtime: Runtime, purges: readonly Purge[]) =>
  scheduled('purge-expired', hourlyAt(7), async () => {
    let count = 0
    const named = purges.map((purge) => ({ id: purge.name, purge }))
    const failed = await oneByOne(runtime, 'purge.failed', named, async ({ purge }) => {
      count += await purge.run(runtime)
    })
    runtime.log.info('purged', { count })
    if (failed > 0) throw new Error(`${failed} purges failed`)
  })
