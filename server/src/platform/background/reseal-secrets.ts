import type { Runtime } from '../operations/runner.ts'
import { listToReseal, reseal, type SealedColumn, type SealedValue } from '../secrets/secret-keys.store.ts'
import { everyMinutes, scheduled } from './handlers.ts'
import { walk } from './walk.ts'

const batch = 200
/** For one column; the rest waits for the next run. */
const forMs = 5 * 60_000

/**
 * After a rotation, moves every sealed value to the new key, in batches. A value that cannot be opened stays as it is and does not stop the
 * others: its key must not be removed.
 */
export const resealSecrets = (runtime: Runtime, sealedColumns: readonly SealedColumn[]) =>
  scheduled('reseal-secrets', everyMinutes(10), async () => {
    const { db, vault, log } = runtime
    let failed = 0
    for (const column of sealedColumns) {
      const name = `${column.table}.${column.column}`
      let count = 0
      failed += await walk<SealedValue>(runtime, {
        problem: `secret.not_resealed ${name}`,
        findAfter: (last) => listToReseal(db, vault, column, { after: last?.id, limit: batch }),
        work: async (value) => {
          await reseal(db, vault, column, value)
          count++
        },
        forMs,
      })
      if (count > 0) log.info('secrets.resealed', { reason: name, count })
    }
    if (failed > 0) throw new Error(`${failed} sealed values could not be moved to the active key`)
  })
