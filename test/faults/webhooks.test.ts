import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { systemCaller } from '../../server/src/kernel/callers.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { operation } from '../../server/src/platform/operations/operation.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { origin, startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { launch, makeKeyFile, type ServerProcess, until, withoutDemo } from '../harness/processes.ts'

/** Small in the ordinary run. `npm run faults:webhooks` has 10,000 events and kills a worker twice a minute. */
const size = Number(process.env.STORM_EVENTS ?? 150)
const seed = Number(process.env.STORM_SEED ?? 1)
const mostAttempts = 10
const isLong = size > 1_000
if (isLong) vi.setConfig({ testTimeout: 1_800_000 })

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

/** A random number generator that returns the same numbers for the same seed. */
function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface ReceivedDelivery {
  readonly path: string
  readonly eventId: string
  readonly attempt: number
  readonly body: string
  readonly signature: string
  readonly timestamp: string
  readonly isTaken: boolean
}

/** Receivers that fail at random in 30 % of the requests, but never often enough in a row to exhaust a delivery. */
async function startReceivers() {
  const random = numbersFrom(seed)
  const heard: ReceivedDelivery[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const header = (name: string) => String(request.headers[name])
    const attempt = Number(header('x-webhook-delivery-attempt'))
    const isTaken = random() >= 0.3 || attempt >= mostAttempts
    heard.push({
      path: request.url ?? '',
      eventId: header('x-webhook-id'),
      attempt,
      body: Buffer.concat(chunks).toString(),
      signature: header('x-webhook-signature'),
      timestamp: header('x-webhook-timestamp'),
      isTaken,
    })
    response.writeHead(isTaken ? 200 : 500).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  endings.push(() => server.closeAllConnections())
  endings.push(() => server.close())
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test(`${size} events reach three endpoints that fail three times in ten, though workers are killed (seed ${seed})`, async () => {
  const database = await createTestDatabase()
  const SECRETS_FILE = await makeKeyFile()
  const app = await startTestApp({
    database,
    vault: createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false })),
  })
  endings.push(() => app.close())
  await app.stopWork()
  const { db } = app.runtime
  const owner = await app.person()
  const receivers = await startReceivers()
  const paths = ['/one', '/two', '/three']
  const secrets = new Map<string, string>()
  for (const path of paths) {
    const made = await app.b.post('/a/v1/organizations/me/webhooks', {
      token: owner.token,
      body: {
        url: `${receivers.url}${path}`,
        events: ['buyer.updated'],
        retryConfig: { maxAttempts: mostAttempts, initialDelayMs: 100, multiplier: 1.5 },
      },
    })
    secrets.set(path, made.data.secret)
  }

  const startWorker = async (): Promise<ServerProcess> => {
    const env = { DATABASE_URL: database.url, SECRETS_FILE, ALLOW_PRIVATE_WEBHOOKS: '1', ...withoutDemo }
    const worker = await launch({ env, args: ['--role=worker'] })
    await worker.said(/worker is running/)
    return worker
  }
  const told = {
    buyerId: 'b',
    name: 'B',
    taxId: null,
    taxIdType: 'national',
    taxIdStatus: 'unverified',
    changed: ['name'],
  } as const
  const emitting = operation(
    { needs: [], refuses: [] },
    async ({ emit }, { from, to }: { from: number; to: number }) => {
      for (let version = from; version < to; version++)
        emit('buyer.updated', { organisationId: owner.organisationId, mode: 'sandbox', objectId: 'b', version }, told)
    },
  )

  let worker = await startWorker()
  let killed = 0
  const kill = async () => {
    killed++
    await worker.kill()
    worker = await startWorker()
    // Deliveries of a killed worker are due when its lease expires. A short run does not wait for that.
    if (isLong) return
    await db.run(sql`update webhook_batches set due_at = now()`)
    await db.run(sql`update webhook_queue set due_at = now() where taken_by is not null`)
  }
  let isStorming = true
  const killing = (async () => {
    for (let kills = 0; isLong && isStorming && kills < 120; kills++) {
      await wait(30_000)
      if (isStorming) await kill()
    }
  })()
  const step = 50
  for (let from = 0; from < size; from += step) {
    await app.runner.run(emitting, {
      caller: systemCaller,
      origin,
      input: { from: from + 1, to: Math.min(size, from + step) + 1 },
    })
    if (isLong) await wait(1_000)
    else if (from === step) {
      await until(async () => receivers.heard.length > from, 'a part of the deliveries')
      await kill()
    }
  }

  const deliveries = () =>
    db.rows<{
      eventId: string
      endpointId: string
      status: string
      attempts: number
      log: { number: number; error: string | null }[]
      url: string
    }>(sql`
      select d.event_id, d.status, d.attempts, d.log, e.url from webhook_deliveries d join webhook_endpoints e on e.organisation_id = d.organisation_id and e.id = d.endpoint_id`)
  const isOver = async () => {
    const { open } = await db.one<{ open: number }>(sql`
      select (count(*) filter (where closed_at is null))::int + greatest(0, ${size * paths.length}::int - count(*)::int) as open
        from webhook_deliveries`)
    return open === 0
  }
  for (let looks = 0; looks < 20 && !(await isOver()); looks++) await until(isOver, 'the end').catch(() => {})
  isStorming = false

  const all = await deliveries()
  expect(all).toHaveLength(size * paths.length)
  expect(all.filter(({ status }) => status !== 'delivered')).toEqual([])
  const at = (path: string, eventId: string) => `${path} ${eventId}`
  const byDelivery = Map.groupBy(receivers.heard, ({ path, eventId }) => at(path, eventId))
  for (const { url, eventId, log, attempts } of all) {
    const heard = byDelivery.get(at(new URL(url).pathname, eventId)) ?? []
    // The receiver accepted the delivery, and every attempt had the same bytes.
    expect(heard.some(({ isTaken }) => isTaken)).toBe(true)
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1)
    // The log lists every attempt that arrived. For each other attempt it says whether it may have arrived.
    expect(log.map(({ number }) => number)).toEqual(Array.from({ length: attempts }, (_, index) => index + 1))
    const ended = log.filter(({ error }) => error !== 'interrupted')
    expect(heard.length).toBeGreaterThanOrEqual(ended.length)
    expect(heard.length).toBeLessThanOrEqual(log.length)
  }
  for (const { path, body, timestamp, signature } of receivers.heard) {
    const text = body.slice(body.indexOf('"data":') + 7, -1)
    const expected = createHmac('sha256', secrets.get(path) as string)
      .update(`${timestamp}.${text}`)
      .digest('hex')
    expect(signature).toBe(`sha256=${expected}`)
  }
  // No attempt follows a success, unless the worker was killed before it could save the success.
  const interrupted = all.flatMap(({ log }) => log).filter(({ error }) => error === 'interrupted').length
  const successes = receivers.heard.filter(({ isTaken }) => isTaken).length
  expect(successes - all.length).toBeLessThanOrEqual(interrupted)
  expect(receivers.heard.some(({ isTaken }) => !isTaken)).toBe(true)
  if (isLong)
    process.stdout.write(
      `${all.length} deliveries, ${receivers.heard.length} requests, killed ${killed}, interrupted ${interrupted}, taken more than once ${successes - all.length}\n`,
    )
  await killing
})
