import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { createInvoice } from '../server/src/modules/invoices/index.ts'
import { findingInvoice } from '../server/src/modules/invoices/invoices.store.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { bodyOf, draftOf, type InvoiceCaller, newCallers } from './invoice-callers.ts'
import { followed, inTurns, medianRound, type Row, tidied } from './measure.ts'
import { ended, printed, type Risiti, startRisiti } from './server-process.ts'

/** Many short rounds, because disturbances on the machine last some seconds. */
const rounds = 9
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const warmUpSeconds = 2 * seconds
const callers = 16

/** The requests that each caller sends for one invoice, in this order. */
type Steps = readonly ('create' | 'update' | 'finalise')[]

async function send(pool: Pool, key: string, method: 'POST' | 'PATCH', path: string, body?: object) {
  const reply = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text}`)
  return text
}

/** Invoices of one organisation that completed all steps, per second. */
async function finishedPerSecond(url: string, caller: InvoiceCaller, steps: Steps, duration: number): Promise<number> {
  const pool = new Pool(url, { connections: callers, pipelining: 1 })
  const { key } = caller
  const body = bodyOf(caller)
  const from = performance.now()
  const until = from + duration * 1000
  let finished = 0
  const one = async () => {
    while (performance.now() < until) {
      const made = await send(pool, key, 'POST', '/i/v1/invoices', body)
      if (steps.length > 1) {
        const path = `/i/v1/invoices/${/"id":"([^"]+)"/.exec(made)?.[1]}`
        if (steps.includes('update')) await send(pool, key, 'PATCH', path, { notes: 'Changed on the way' })
        if (steps.includes('finalise')) await send(pool, key, 'POST', `${path}/finalise`)
      }
      finished++
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  const took = (performance.now() - from) / 1000
  await pool.close()
  return finished / took
}

async function byId(home: string, risiti: Risiti, caller: InvoiceCaller, id: string, connection: string): Promise<Row> {
  const { name, text, values } = findingInvoice(caller.caller.tenant, id as never)
  const file = join(home, 'bare-read.json')
  await writeFile(file, JSON.stringify({ connection, statement: { name, text, values } }))
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-read.ts')], {
    env: { PATH: process.env.PATH, BENCH_FILE: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [ours, yardstick] = await inTurns(
      { url: `${risiti.url}/i/v1/invoices/${id}`, headers: { authorization: `Bearer ${caller.key}` } },
      { url: await printed(bare, /listens at (http:\S+)/) },
      { rounds, seconds },
    )
    const yardstickName = 'bare Fastify route, same named statement'
    return { name: 'an invoice by id', unit: 'requests/s', ours, yardstick, yardstickName, goal: 0.5 }
  } finally {
    await ended(bare)
  }
}

/**
 * An invoice from draft to finalise, all in one organisation, beside the service's own background work. Then an invoice
 * by id.
 */
export const benchHotOperations = (say: (text: string) => void): Promise<readonly Row[]> => bench(say, true)

/** Only the read of an invoice by id. */
export const benchInvoiceById = (say: (text: string) => void): Promise<readonly Row[]> => bench(say, false)

async function bench(say: (text: string) => void, isWholeRoad: boolean): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    const [caller] = (await newCallers(open, 1)) as [InvoiceCaller]
    const origin = { requestId: 'bench', address: '', userAgent: '' }
    const { id } = await open.runner.run(createInvoice, { caller: caller.caller, origin, input: draftOf(caller) })
    const risiti = await startRisiti(home)
    try {
      const readById = () => byId(home, risiti, caller, id, open.ownerConnection)
      if (!isWholeRoad) return [await readById()]
      const roads: Record<string, Steps> = {
        create: ['create'],
        finalise: ['create', 'finalise'],
        update: ['create', 'update', 'finalise'],
      }
      const figures: Record<string, number[]> = { create: [], finalise: [], update: [] }
      for (const steps of Object.values(roads)) await finishedPerSecond(risiti.url, caller, steps, warmUpSeconds)
      const turns = Object.entries(roads)
      for (let round = 0; round < rounds; round++)
        for (const [name, steps] of round % 2 === 0 ? turns : turns.toReversed()) {
          await followed(open.runtime.db)
          await tidied(open.runtime.db)
          figures[name]?.push(await finishedPerSecond(risiti.url, caller, steps, seconds))
        }
      say(
        Object.entries(figures)
          .map(([name, all]) => `${name} ${all.map(Math.round).join(' ')}`)
          .join(', '),
      )
      const besideCreates = (name: string) => ({
        unit: 'invoices/s',
        yardstickName: 'creates alone, 16 callers',
        ...medianRound(figures[name] as number[], figures.create as number[]),
      })
      return [
        { name: 'create and finalise, one organisation, 16 callers', ...besideCreates('finalise'), goal: 0.4 },
        { name: 'create, change and finalise', ...besideCreates('update'), goal: 0.25 },
        await readById(),
      ]
    } finally {
      await risiti.stop()
    }
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}
