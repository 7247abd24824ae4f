import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { newId } from '../server/src/kernel/ids.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { bodyOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import type { Row } from './measure.ts'
import { startRisiti } from './server-process.ts'

export const organisations = 30
const creates = 1_500

/** Counts the replies by status when all requests start at the same moment, each on its own connection. */
export async function statusesOf(
  url: string,
  callers: readonly InvoiceCaller[],
  withKeys: boolean,
): Promise<Map<number, number>> {
  const pool = new Pool(url, { connections: creates, pipelining: 1 })
  const statuses = new Map<number, number>()
  const one = async (nth: number) => {
    const caller = callers[nth % callers.length] as InvoiceCaller
    const reply = await pool.request({
      method: 'POST',
      path: '/i/v1/invoices',
      headers: {
        authorization: `Bearer ${caller.key}`,
        'content-type': 'application/json',
        ...(withKeys ? { 'idempotency-key': newId() } : {}),
      },
      body: JSON.stringify(bodyOf(caller)),
    })
    await reply.body.dump()
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: creates }, (_, nth) => one(nth)))
  await pool.close()
  return statuses
}

/**
 * Many callers create an invoice at the same moment, with and without keys, right after the start. Every request must
 * get a reply, and each invoice must exist exactly once.
 */
export async function benchOverload(say: (text: string) => void): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    const callers = await newCallers(open, organisations)
    const ids = callers.map(({ caller }) => caller.tenant.organisationId)
    const count = async () =>
      (
        await open.runtime.db.one<{ n: number }>(
          sql`select count(*)::int as n from invoices where organisation_id = any (${ids}::uuid[])`,
        )
      ).n
    const risiti = await startRisiti(home)
    try {
      const rows: Row[] = []
      for (const withKeys of [false, true]) {
        const before = await count()
        const from = performance.now()
        const statuses = await statusesOf(risiti.url, callers, withKeys)
        const took = (performance.now() - from) / 1000
        const made = (await count()) - before
        const name = `${creates} creates at once over ${organisations} organisations${withKeys ? ', with Idempotency-Keys' : ''}`
        const told = [...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')
        say(`${name}: answered ${told} within ${took.toFixed(1)} s; ${made} invoices are there`)
        const answered = statuses.get(201) ?? 0
        if (made !== answered) throw new Error(`${answered} were told that theirs was made, and ${made} are there`)
        rows.push({ name, unit: 'made', ours: answered, yardstick: creates, yardstickName: 'asked for', goal: 1 })
      }
      return rows
    } finally {
      await risiti.stop()
    }
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}
