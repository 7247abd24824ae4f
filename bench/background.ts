import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { consumers, jobHandlers, ownQueues } from '../server/src/jobs/index.ts'
import { createInvoice } from '../server/src/modules/invoices/index.ts'
import { startWorker } from '../server/src/platform/background/worker.ts'
import { startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'
import { draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import { followed, type Row } from './measure.ts'

const organisations = 16
const invoices = Number(process.env.BENCH_INVOICES ?? 24_000)
const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }

/** Sorts statements by their text. Every other statement is reported as well and counts as background work. */
const isCreating = (text: string): boolean => /insert into invoices /.test(text)
const isFollowing = (text: string): boolean =>
  /invoice_(listing|counts|parties|codes|changes|sums)|consumer_cursors|consumers|event_heads|from events|item_uses|update items/.test(
    text,
  )
/** Leaves out the statements of the benchmark itself: the statistics and the count of unread events. */
const isOurs = (text: string): boolean => !/pg_stat_statements|behind_seconds/.test(text)

/**
 * Measures the database time of background work for each created invoice. The yardstick is the time of the creation.
 */
export async function benchBackground(say: (text: string) => void): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), settings })
  const secrets = join(home, 'secrets.json')
  await loadKeyRing(secrets, { createIfMissing: true })
  const config = readServiceConfig(
    { DATA_DIR: home, LOG_LEVEL: 'warn', DATABASE_URL: postgres.url, SECRETS_FILE: secrets },
    [],
  )
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  const open = await openRuntime(config, silentLogger)
  const worker = startWorker(open.runtime, open.access, { handlers: jobHandlers, consumers, ownQueues })
  try {
    await owner.query('create extension pg_stat_statements')
    const callers = await newCallers(open, organisations)
    const create = ({ caller, buyerId }: InvoiceCaller) =>
      open.runner.run(createInvoice, { caller, origin, input: draftOf({ buyerId }) })
    const createAll = async (count: number) => {
      let left = count
      const one = async (nth: number) => {
        while (left-- > 0) await create(callers[nth] as InvoiceCaller)
      }
      await Promise.all(Array.from({ length: organisations }, (_, nth) => one(nth)))
    }
    const rest = async () => {
      await followed(open.runtime.db)
      await wait(1_000)
    }
    await createAll(invoices / 12)
    await rest()
    await owner.query('select pg_stat_statements_reset()')
    await createAll(invoices)
    await rest()
    const { rows } = await owner.query<{ query: string; calls: number; ms: number }>(`
      select query, calls::int, total_exec_time + total_plan_time as ms from pg_stat_statements order by ms desc`)
    const ours = rows.filter(({ query }) => isOurs(query))
    const sum = (some: typeof ours) => some.reduce((total, { ms }) => total + ms, 0) / invoices
    const creating = sum(ours.filter(({ query }) => isCreating(query)))
    const following = sum(ours.filter(({ query }) => !isCreating(query) && isFollowing(query)))
    const others = ours.filter(({ query }) => !isCreating(query) && !isFollowing(query))
    const each = (ms: number) => `${ms.toFixed(3)} ms`
    say(`for each invoice: creating ${each(creating)}, following ${each(following)}, other ${each(sum(others))}`)
    for (const { query, calls, ms } of ours.slice(0, 8))
      say(`  ${each(ms / invoices)} in ${calls} calls: ${query.replace(/\s+/g, ' ').trim().slice(0, 90)}`)
    return {
      name: 'background database time for each created invoice',
      unit: 'ms',
      ours: following + sum(others),
      yardstick: creating,
      yardstickName: 'creating it',
      goal: 0.5,
      goalIs: 'at most',
    }
  } finally {
    await worker.stop()
    await open.close()
    await owner.end()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}
