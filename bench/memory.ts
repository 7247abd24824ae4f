import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { bodyOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import type { Row } from './measure.ts'
import { organisations, statusesOf } from './overload.ts'
import { startRisiti } from './server-process.ts'

const minutes = Number(process.env.BENCH_MINUTES ?? 5)
const connections = 8
/** After the load, so that idle threads end and the allocator returns memory. */
const restMs = 90_000
const mostMegabytes = 400

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/**
 * Creates an invoice, lists, and downloads the PDF, again and again until the time is over, on eight connections. Each rests for `restMs`
 * after a turn.
 */
export async function load(
  url: string,
  callers: readonly Pick<InvoiceCaller, 'key' | 'buyerId'>[],
  untilMs: number,
  restMs = 0,
): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 })
  let created = 0
  const worker = async (nth: number) => {
    for (let turn = nth; performance.now() < untilMs; turn += connections) {
      const caller = callers[turn % callers.length] as (typeof callers)[number]
      const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' }
      const ask = async (method: 'GET' | 'POST', path: string, body?: string) => {
        const reply = await pool.request({ method, path, headers, ...(body ? { body } : {}) })
        const text = await reply.body.text()
        // 503 is no failure here: overload is part of the load.
        if (reply.statusCode === 503) return undefined
        if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`)
        return text
      }
      const reply = await ask('POST', '/i/v1/invoices', JSON.stringify(bodyOf(caller)))
      if (reply !== undefined) created++
      await ask('GET', '/i/v1/invoices?limit=50')
      if (turn % 20 === 0 && reply !== undefined)
        await ask('GET', `/i/v1/invoices/${JSON.parse(reply).data.id}/download`)
      if (restMs > 0) await wait(restMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, nth) => worker(nth)))
  await pool.close()
  return created
}

/** The resident memory of `npm start` after bursts and load: what a small machine must have. */
export async function benchMemory(say: (text: string) => void): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openRuntime(readConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    const callers = await newCallers(open, organisations)
    const risiti = await startRisiti(home)
    try {
      const told = async (when: string) => {
        const megabytes = await residentMegabytes(risiti.pid)
        say(`${when}: ${Math.round(megabytes)} MB resident`)
        return megabytes
      }
      await told('after the start')
      for (const withKeys of [false, true]) {
        await statusesOf(risiti.url, callers, withKeys)
        await told(`after 1,500 creates at once${withKeys ? ' with keys' : ''}`)
      }
      const created = await load(risiti.url, callers, performance.now() + minutes * 60_000)
      await told(`after ${minutes} minutes of load (${created} more creates, as many lists, a twentieth as many PDFs)`)
      await wait(restMs)
      const ours = await told('a minute and a half later')
      const name = `resident memory after 3,000 creates in two bursts and ${minutes} minutes of load`
      return [{ name, unit: 'MB', ours, yardstick: mostMegabytes, yardstickName: 'MB', goal: 1, goalIs: 'at most' }]
    } finally {
      await risiti.stop()
    }
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}
