import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { simulatorKeys } from '../server/src/bin/simulators.ts'
import { ownQueues } from '../server/src/jobs/index.ts'
import { startWorker, type Worker } from '../server/src/platform/background/worker.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { startAuthoritySimulator } from '../simulators/src/authority/index.ts'
import type { Row } from './measure.ts'
import { fillQueue, newReporter, submitterOf } from './submission-data.ts'

/** Deals the documents out to the callers in turn. */
const share = <One>(all: readonly One[], nth: number): readonly One[] => all.filter((_, at) => at % callers === nth)

/**
 * Two queues: few organisations with many documents, whose documents share statements, and many organisations with few
 * documents.
 */
const queues = [
  { organisations: 4, documents: 3_000, goal: 0.5 },
  { organisations: 100, documents: 1_000, goal: 0.3 },
] as const
const callers = 64
/** Interval of the checks whether the queue is empty. Each check costs the database time. */
const lookEveryMs = 200
/** Documents of one organisation that wait while another organisation submits single documents. */
const queued = 10_000
const singles = 5

/** Starts its own runtime with an authority that takes 5 ms for each request. */
async function withQueue<Result>(use: (open: OpenRuntime, start: () => Worker) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const keys = { apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret }
  const authority = await startAuthoritySimulator(keys)
  // The authority transmits only for businesses that have a callback address. No server listens at this address.
  authority.notifyAt('http://127.0.0.1:9/')
  const env = {
    ...process.env,
    DATA_DIR: home,
    NRS_SANDBOX_BASE_URL: authority.url,
    NRS_SANDBOX_API_KEY: keys.apiKey,
    NRS_SANDBOX_API_SECRET: keys.apiSecret,
  }
  const open = await openRuntime(readServiceConfig(env, []), silentLogger)
  try {
    return await use(open, () => {
      authority.control.behave({ latencyMs: 5, callbacks: 'never' })
      return startWorker(open.runtime, open.access, { handlers: () => [], consumers: [], ownQueues })
    })
  } finally {
    await open.close()
    await authority.close()
    await rm(home, { recursive: true, force: true })
  }
}

async function drained({ runtime: { db } }: OpenRuntime): Promise<void> {
  const waiting = () =>
    db.one<{ open: number }>(sql`select count(*)::int as open from submissions where due_at is not null`)
  const deadline = performance.now() + 300_000
  for (let left = await waiting(); left.open > 0 && performance.now() < deadline; left = await waiting())
    await wait(lookEveryMs)
}

/**
 * Measures the submission queue. The yardstick is a bare loop with the same calls. The authority takes 5 ms for each.
 */
function benchQueue(
  say: (text: string) => void,
  { organisations, documents, goal }: (typeof queues)[number],
): Promise<Row> {
  return withQueue(async (open, start) => {
    const { db, ports } = open.runtime
    await fillQueue(open, organisations, documents / organisations)
    const payloads = await db.rows<{ payload: Buffer; reference: string }>(
      sql`select payload, reference from submissions`,
    )
    const worker = start()
    const began = performance.now()
    await drained(open)
    const ours = documents / ((performance.now() - began) / 1000)
    await worker.stop()
    say(`  queue, ${organisations} organisations: ${Math.round(ours)} documents a second`)
    // Same documents with new references, because the authority already has the first ones.
    const others = payloads.map(({ payload, reference }) => {
      const other = reference.replace(/^./, 'L')
      return { reference: other, payload: Buffer.from(payload.toString().replaceAll(reference, other)) }
    })
    const client = ports.jurisdictions.authority('NG', 'sandbox')
    if (!client) throw new Error('no access to the authority')
    const from = performance.now()
    const caller = async (_: unknown, nth: number) => {
      for (const next of share(others, nth)) {
        const signal = AbortSignal.timeout(10_000)
        const answers = [
          await client.sign(next.payload, signal),
          await client.transmit?.(next.reference, signal),
          await client.lookup(next.reference, signal),
        ]
        if (answers.map((answer) => answer?.kind).join() !== 'signed,transmitted,found')
          throw new Error(`the loop was refused: ${JSON.stringify(answers)}`)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    const yardstick = documents / ((performance.now() - from) / 1000)
    return {
      name: `submissions of ${organisations} organisations`,
      unit: 'documents/s',
      ours,
      yardstick,
      yardstickName: 'bare loop of the same calls',
      goal,
    }
  })
}

/**
 * Measures the slowest acceptance of another organisation's single documents while one organisation has 10,000 waiting.
 */
function benchFairness(say: (text: string) => void): Promise<Row> {
  return withQueue(async (open, start) => {
    const { db } = open.runtime
    await fillQueue(open, 1, queued)
    const other = await newReporter(open, 2)
    const submit = await submitterOf(open, other)
    const worker = start()
    const took: number[] = []
    for (let nth = 0; nth < singles; nth++) {
      await wait(1_000)
      const from = performance.now()
      const id = await submit()
      const isAccepted = () =>
        db.maybe(sql`
          select 1 from invoices where organisation_id = ${other.tenant.organisationId} and mode = 'sandbox' and id = ${id} and status = 'accepted'`)
      const deadline = from + 60_000
      for (let found = await isAccepted(); !found && performance.now() < deadline; found = await isAccepted())
        await wait(10)
      took.push((performance.now() - from) / 1000)
    }
    const { left } = await db.one<{ left: number }>(
      sql`select count(*)::int as left from submissions where due_at is not null`,
    )
    await worker.stop()
    say(
      `  single documents: ${took.map((seconds) => seconds.toFixed(2)).join(', ')} s; ${left} of the others still waited`,
    )
    if (left === 0) throw new Error('the queue was empty before the last one was measured')
    return {
      name: 'another’s single submission beside 10,000',
      unit: 's',
      ours: Math.max(...took),
      yardstick: 2,
      yardstickName: 'bound in seconds',
      goal: 1,
      goalIs: 'at most',
    }
  })
}

export async function benchSubmissions(say: (text: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const queue of queues) rows.push(await benchQueue(say, queue))
  return [...rows, await benchFairness(say)]
}
