import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openMachine } from '../server/src/bin/machine.ts'
import { simulatorKeys } from '../server/src/bin/simulators.ts'
import { ownLanes } from '../server/src/jobs/index.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { startWorker } from '../server/src/platform/work/worker.ts'
import { startAuthoritySimulator } from '../simulators/src/authority/index.ts'
import type { Row } from './measure.ts'
import { fillQueue } from './submission-data.ts'

/** Every so-manieth document is one caller's. */
const share = <One>(all: readonly One[], nth: number): readonly One[] => all.filter((_, at) => at % callers === nth)

const documents = 3_000
const organisations = 4
const callers = 64

/** The submission lane against a bare loop that makes the same calls, with an authority that takes 5 ms for each. */
export async function benchSubmissions(say: (text: string) => void): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const keys = { apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret }
  const authority = await startAuthoritySimulator(keys)
  // It transmits only for those whom it can call back; nobody listens there.
  authority.notifyAt('http://127.0.0.1:9/')
  const env = {
    ...process.env,
    DATA_DIR: home,
    NRS_SANDBOX_BASE_URL: authority.url,
    NRS_SANDBOX_API_KEY: keys.apiKey,
    NRS_SANDBOX_API_SECRET: keys.apiSecret,
  }
  const open = await openMachine(readConfig(env, []), silentLogger)
  const { db, ports } = open.machine
  try {
    await fillQueue(open, organisations, documents / organisations)
    authority.control.behave({ latencyMs: 5, callbacks: 'never' })
    const waiting = () =>
      db.one<{ open: number }>(sql`select count(*)::int as open from submissions where due_at is not null`)
    const payloads = await db.rows<{ payload: Buffer; reference: string }>(
      sql`select payload, reference from submissions`,
    )
    const began = performance.now()
    const worker = await startWorker(open.machine, open.access, { handlers: () => [], consumers: [], ownLanes })
    const deadline = began + 300_000
    for (let left = await waiting(); left.open > 0 && performance.now() < deadline; left = await waiting())
      await wait(50)
    const ours = documents / ((performance.now() - began) / 1000)
    await worker.stop()
    say(`  lane: ${Math.round(ours)} documents a second`)
    // The same documents under other references: the authority has these already.
    const others = payloads.map(({ payload, reference }) => {
      const other = reference.replace(/^./, 'L')
      return { reference: other, payload: Buffer.from(payload.toString().replaceAll(reference, other)) }
    })
    const client = ports.jurisdictions.authority('NG', 'sandbox')
    if (!client) throw new Error('no access to the authority')
    const start = performance.now()
    const caller = async (_: unknown, nth: number) => {
      for (const next of share(others, nth)) {
        const signal = AbortSignal.timeout(10_000)
        const answers = [
          await client.sign(next.payload, signal),
          await client.transmit(next.reference, signal),
          await client.lookup(next.reference, signal),
        ]
        if (answers.map(({ kind }) => kind).join() !== 'signed,transmitted,found')
          throw new Error(`the loop was refused: ${JSON.stringify(answers)}`)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    const yardstick = documents / ((performance.now() - start) / 1000)
    return {
      name: 'submissions',
      unit: 'documents/s',
      ours,
      yardstick,
      yardstickName: 'bare loop of the same calls',
      goal: 0.5,
    }
  } finally {
    await open.close()
    await authority.close()
    await rm(home, { recursive: true, force: true })
  }
}
