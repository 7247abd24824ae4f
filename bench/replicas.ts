import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import type { Id } from '../server/src/kernel/ids.ts'
import { buyerAccountOperations } from '../server/src/modules/buyer-accounts/index.ts'
import { buyerOperations } from '../server/src/modules/buyers/index.ts'
import { createInvoice, invoiceOperations } from '../server/src/modules/invoices/index.ts'
import { webhookOperations } from '../server/src/modules/webhooks/index.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'
import { startReplicatedPostgres } from '../test/harness/replicated-postgres.ts'
import { draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import type { Row } from './measure.ts'

const reads = 4_000
const callers = 8
const invoicesEach = 200
const origin = { requestId: 'bench', address: '', userAgent: '' }
const page = { page: 1, limit: 20 } as const

/** One request of each kind: documents, lists, statistics, a statement of account as a page and as a file, and logs. */
function kindsOf({ runner }: OpenRuntime, { caller, buyerId }: InvoiceCaller, id: Id<'invoice'>) {
  const call = <Input>(input: Input) => ({ caller, origin, input })
  const month = { buyerId, currency: 'NGN' }
  return [
    () => runner.run(invoiceOperations.getInvoice, call({ id })),
    () =>
      runner.run(
        invoiceOperations.listInvoices,
        call({ filter: {}, sort: { by: 'createdAt', descending: true }, page }),
      ),
    () => runner.run(invoiceOperations.getInvoiceStatistics, call({})),
    () => runner.run(invoiceOperations.listInvoicePayments, call({ id })),
    () => runner.run(buyerOperations.listOwnBuyers, call({ filter: {}, page })),
    () => runner.run(buyerAccountOperations.getStatementOfAccount, call({ ...month, page })),
    () => runner.run(buyerAccountOperations.downloadStatement, call({ ...month, format: 'csv' })),
    () => runner.run(webhookOperations.listWebhookDeliveries, call({ filter: {}, page })),
  ] as const
}

/** Database time on one server since the last call, without the statements of this benchmark. */
async function takeTime(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(`
    select coalesce(sum(total_exec_time + total_plan_time), 0) as ms from pg_stat_statements where query !~ 'pg_stat_statements'`)
  await client.query('select pg_stat_statements_reset()')
  return rows[0]?.ms as number
}

/** Database time of reads on the primary, with a replica that serves them, and without. */
export async function benchReplicas(say: (text: string) => void): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const servers = await startReplicatedPostgres({
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  })
  const secrets = join(home, 'secrets.json')
  await loadKeyRing(secrets, { createIfMissing: true })
  const base = { DATA_DIR: home, LOG_LEVEL: 'warn', DATABASE_URL: servers.primary.url, SECRETS_FILE: secrets }
  const open = (more: object) => openRuntime(readServiceConfig({ ...base, ...more }, []), silentLogger)
  const [primary, standby] = [servers.primary, servers.standby].map(
    ({ owner }) => new pg.Client({ connectionString: owner.url }),
  ) as [pg.Client, pg.Client]
  try {
    await primary.connect()
    await standby.connect()
    await primary.query('create extension pg_stat_statements')
    const plain = await open({})
    const made = await newCallers(plain, callers)
    const samples: { caller: InvoiceCaller; id: Id<'invoice'> }[] = []
    for (const caller of made)
      for (let nth = 0; nth < invoicesEach; nth++) {
        const { id } = await plain.runner.run(createInvoice, { caller: caller.caller, origin, input: draftOf(caller) })
        if (nth === 0) samples.push({ caller, id })
      }
    const readAll = async (runtime: OpenRuntime) => {
      const kinds = samples.flatMap(({ caller, id }) => kindsOf(runtime, caller, id))
      for (const kind of kinds) await kind()
      await takeTime(primary)
      await takeTime(standby)
      for (let nth = 0; nth < reads; nth++) await kinds[nth % kinds.length]?.()
      return [await takeTime(primary), await takeTime(standby)] as const
    }
    const [without] = await readAll(plain)
    await plain.close()
    const moved = await open({ DATABASE_REPLICA_URL: servers.standby.url })
    for (let looks = 0; moved.runtime.replicas?.counts().used === 0 && looks < 100; looks++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const [onPrimary, onReplica] = await readAll(moved)
    await moved.close()
    say(
      `${reads} reads: ${onPrimary.toFixed(0)} ms on the primary and ${onReplica.toFixed(0)} ms on the replica, without it ${without.toFixed(0)} ms`,
    )
    const name = 'reads with a replica, database time of the primary'
    return {
      name,
      unit: 'ms',
      ours: onPrimary,
      yardstick: without,
      yardstickName: 'without a replica',
      goal: 0.15,
      goalIs: 'at most',
    }
  } finally {
    await primary.end()
    await standby.end()
    await servers.stop()
    await rm(home, { recursive: true, force: true })
  }
}
