import { billingSealedColumns } from '../modules/billing/index.ts'
import { invoiceSealedColumns } from '../modules/invoices/index.ts'
import { messageSealedColumns } from '../modules/messages/index.ts'
import { peopleSealedColumns } from '../modules/people/index.ts'
import { connectionSealedColumns } from '../modules/tax-connection/index.ts'
import { webhookSealedColumns } from '../modules/webhooks/index.ts'
import { everyMinutes, scheduled } from '../platform/background/handlers.ts'
import { walk } from '../platform/background/walk.ts'
import type { Runtime } from '../platform/operations/runner.ts'
import { listToReseal, reseal, type SealedColumn, type SealedValue } from '../platform/secrets/secret-keys.store.ts'

const batch = 200
/** For one column; the rest waits for the next run. */
const forMs = 5 * 60_000

export const sealedColumns: readonly SealedColumn[] = [
  ...peopleSealedColumns,
  ...invoiceSealedColumns,
  ...messageSealedColumns,
  ...billingSealedColumns,
  ...connectionSealedColumns,
  ...webhookSealedColumns,
]

/**
 * After a rotation, moves every sealed value to the new key, in batches. A value that cannot be opened stays as it is and does not stop the
 * others: its key must not be removed.
 */
export const resealSecrets = (runtime: Runtime) =>
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
