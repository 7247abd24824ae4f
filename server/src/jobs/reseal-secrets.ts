import { billingSealedColumns } from '../modules/billing/index.ts'
import { invoiceSealedColumns } from '../modules/invoices/index.ts'
import { messageSealedColumns } from '../modules/messages/index.ts'
import { peopleSealedColumns } from '../modules/people/index.ts'
import { connectionSealedColumns } from '../modules/tax-connection/index.ts'
import { webhookSealedColumns } from '../modules/webhooks/index.ts'
import type { Machine } from '../platform/operations/runner.ts'
import { resealSome, type SealedColumn } from '../platform/secrets/secret-keys.store.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { inBatches } from './in-batches.ts'

const resealSecretsJob = job<object>('reseal-secrets', 'upkeep', { maxAttempts: 1 })
const batch = 200

export const sealedColumns: readonly SealedColumn[] = [
  ...peopleSealedColumns,
  ...invoiceSealedColumns,
  ...messageSealedColumns,
  ...billingSealedColumns,
  ...connectionSealedColumns,
  ...webhookSealedColumns,
]

/** After a new key was added, moves every sealed value to it, a batch at a time. */
export const resealSecrets = ({ db, vault, log }: Machine) =>
  handler(
    resealSecretsJob,
    async () => {
      for (const column of sealedColumns) {
        const count = await inBatches(() => resealSome(db, vault, column, batch))
        if (count > 0) log.info('secrets.resealed', { reason: `${column.table}.${column.column}`, count })
      }
    },
    '*/10 * * * *',
  )
