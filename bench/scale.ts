import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenRuntime } from '../server/src/bin/runtime.ts'
import { consumers, jobHandlers, ownQueues } from '../server/src/jobs/index.ts'
import { systemCaller } from '../server/src/kernel/callers.ts'
import type { Id, OrganisationId, UserId } from '../server/src/kernel/ids.ts'
import { startWorker } from '../server/src/platform/background/worker.ts'
import { startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { operation } from '../server/src/platform/operations/operation.ts'
import { bodyOf, newCallers } from './invoice-callers.ts'
import { agent, ask, openedAt, patiently, seed, timesOf } from './invoice-lists.ts'
import { followed, percentile, type Row } from './measure.ts'
import { load, residentMegabytes } from './memory.ts'
import { chance, pick } from './names.ts'
import { checkFilled } from './scale-check.ts'
import { fillInstallation } from './scale-data.ts'
import { type Risiti, startRisiti } from './server-process.ts'
import { addEndpoint } from './webhook-stage.ts'

const invoices = Number(process.env.BENCH_INVOICES ?? 10_000_000)
const few = Math.min(100_000, invoices / 10)
const invoicesEach = 500
const organisations = Number(process.env.BENCH_ORGANISATIONS ?? invoices / invoicesEach)
const most = 40
const minutes = Number(process.env.BENCH_MINUTES ?? 60)
/** About twenty turns a second on eight connections. */
const restMs = 400
const mostMegabytes = 400
const origin = { requestId: 'bench', address: '', userAgent: '' }

/** An organisation that sends requests. */
export interface ScaleCaller {
  readonly organisationId: OrganisationId
  readonly key: string
  readonly buyerId: Id<'buyer'>
  /** 1 is the largest organisation */
  readonly rank: number
}

/** Ranks from the largest organisation to the smallest, each a constant factor behind the one before. */
function ranksOf(count: number): number[] {
  const ranks = Array.from({ length: most }, (_, nth) => Math.round(count ** (nth / (most - 1))))
  return [...new Set(ranks)]
}

/** Fills a data folder, or takes one that is filled already. */
export async function filled(
  home: string,
  size: number,
  count: number,
  say: (text: string) => void,
): Promise<readonly ScaleCaller[]> {
  const file = join(home, 'callers.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  say(`${size.toLocaleString('en')} invoices of ${count.toLocaleString('en')} organisations, seed ${seed}`)
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true })
  const ranks = ranksOf(count)
  const open = await openedAt(home)
  // A worker makes its consumers known. They follow what the callers did.
  const worker = startWorker(open.runtime, open.access, { handlers: jobHandlers, consumers, ownQueues })
  const made = await newCallers(open, ranks.length)
  await followed(open.runtime.db)
  await worker.stop()
  await open.close()
  const callers = made.map(({ caller, key, buyerId }, nth) => {
    return { organisationId: caller.tenant.organisationId, key, buyerId, rank: ranks[nth] as number }
  })
  // Without these guards a crash of the machine would spoil the data, which are then filled again.
  const settings = {
    autovacuum: 'off',
    max_wal_size: '8GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    shared_buffers: '512MB',
  }
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), durable: false, settings })
  try {
    await fillInstallation(postgres.url, { invoices: size, organisations: count, callers, seed }, say)
  } finally {
    await postgres.stop()
  }
  await writeFile(file, JSON.stringify(callers))
  return callers
}

/** Takes webhooks and says when that of an invoice has arrived. */
async function openReceiver() {
  const arrivals = new Map<string, (at: number) => void>()
  const arrived = new Map<string, number>()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      response.end('ok')
      const id = /"invoiceId":\s*"([^"]+)"/.exec(text)?.[1] as string
      const tell = arrivals.get(id)
      if (tell) tell(performance.now())
      else arrived.set(id, performance.now())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivalOf: (id: string) =>
      new Promise<number>((resolve) => {
        const at = arrived.get(id)
        if (at !== undefined) resolve(at)
        else arrivals.set(id, resolve)
      }),
    forget() {
      arrivals.clear()
      arrived.clear()
    },
    close: () => server.close(),
  }
}
type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** Every caller gets one endpoint, which leads to this run's receiver. */
async function subscribe(
  { runtime, runner }: OpenRuntime,
  callers: readonly ScaleCaller[],
  url: string,
): Promise<void> {
  const subscribing = operation({ needs: [], refuses: [] }, async ({ tx, now }) => {
    for (const { organisationId } of callers) {
      await tx.run(
        sql`update webhook_endpoints set deleted_at = now() where organisation_id = ${organisationId} and deleted_at is null`,
      )
      const { founder } = await tx.one<{ founder: UserId }>(
        sql`select user_id as founder from memberships where organisation_id = ${organisationId}`,
      )
      await addEndpoint({ runtime, tx, now }, { organisationId, mode: 'sandbox' }, founder, url, 'invoice.created')
    }
  })
  await runner.run(subscribing, { caller: systemCaller, origin, input: undefined })
}

interface Site {
  readonly folder: string
  readonly risiti: Risiti
  readonly open: OpenRuntime
  readonly callers: readonly ScaleCaller[]
  /** some invoices of each caller, from all times and of all amounts */
  readonly samples: ReadonlyMap<string, readonly { readonly id: string; readonly buyerId: string }[]>
}

async function openSite(folder: string, callers: readonly ScaleCaller[], receiver: Receiver): Promise<Site> {
  const open = await openedAt(folder)
  await subscribe(open, callers, receiver.url)
  const risiti = await startRisiti(folder)
  const samples = new Map<string, Site['samples'] extends ReadonlyMap<string, infer Some> ? Some : never>()
  for (const caller of callers) {
    const { body } = await patiently(() =>
      ask<{ data: { id: string; buyerId: string }[] }>(risiti.url, 'invoices?limit=100&sortBy=payableMinor', caller),
    )
    samples.set(caller.key, body.data)
  }
  return { folder, risiti, open, callers, samples }
}

/** Every second request comes from the largest organisation, the others from organisations of every size. */
function kindsOf({ risiti: { url }, callers, samples }: Site, { arrivalOf }: Receiver) {
  const next = chance(seed)
  let turn = 0
  const caller = () => (turn++ % 2 === 0 ? (callers[0] as ScaleCaller) : pick(callers, next))
  const sampleOf = ({ key }: ScaleCaller) => pick(samples.get(key) ?? [], next)
  const create = (by: ScaleCaller) => ask<{ data: { id: string } }>(url, 'invoices', by, bodyOf(by))
  const get = (path: (by: ScaleCaller) => string) => {
    return () => {
      const by = caller()
      return ask(url, path(by), by)
    }
  }
  return {
    'creating an invoice': () => create(caller()),
    'an invoice by its id': get((by) => `invoices/${sampleOf(by).id}`),
    'the first page of invoices': get(() => 'invoices'),
    'statistics of all invoices': get(() => 'invoices/statistics'),
    'a statement of account of this month': get(
      (by) => `buyers/${sampleOf(by).buyerId}/statement-of-account?currency=NGN`,
    ),
    'a created invoice until its webhook': async () => {
      const begun = performance.now()
      const { body } = await create(caller())
      return { took: (await arrivalOf(body.data.id)) - begun }
    },
  }
}

/** The resident memory of the node during a moderate load, each twentieth of the time. */
async function measureMemory({ risiti, callers }: Site, say: (text: string) => void): Promise<readonly Row[]> {
  const curve: number[] = []
  const parts = 20
  let created = 0
  for (let part = 0; part < parts; part++) {
    created += await load(risiti.url, callers, performance.now() + (minutes * 60_000) / parts, restMs)
    curve.push(await residentMegabytes(risiti.pid))
    say(
      `  after ${(((part + 1) * minutes) / parts).toFixed(1)} minutes and ${created} creates: ${Math.round(curve.at(-1) as number)} MB resident`,
    )
  }
  const row = { unit: 'MB', goalIs: 'at most' } as const
  const name = `resident memory of a node, the most in ${minutes} minutes of load`
  const [early, late] = [curve.slice(parts / 4, parts / 2), curve.slice(-parts / 4)].map((some) => Math.max(...some))
  return [
    { ...row, name, ours: Math.max(...curve), yardstick: mostMegabytes, yardstickName: 'MB', goal: 1 },
    {
      ...row,
      name: 'resident memory, the last quarter',
      ours: late as number,
      yardstick: early as number,
      yardstickName: 'the second quarter',
      goal: 1.1,
    },
  ]
}

async function measureSites(large: Site, small: Site, receiver: Receiver): Promise<readonly Row[]> {
  const [ofLarge, ofSmall] = [kindsOf(large, receiver), kindsOf(small, receiver)]
  const names = Object.keys(ofLarge) as (keyof typeof ofLarge)[]
  const times = await timesOf(
    Object.fromEntries(
      names.flatMap((name) => [
        [`large ${name}`, () => patiently<{ readonly took: number }>(ofLarge[name])],
        [`small ${name}`, () => patiently<{ readonly took: number }>(ofSmall[name])],
      ]),
    ),
  )
  return [50, 95].flatMap((percent) =>
    names.map((name) => ({
      name: `${name}, among ${invoices.toLocaleString('en')}`,
      unit: percent === 50 ? 'ms (median)' : 'ms (p95)',
      ours: percentile(times[`large ${name}`] ?? [], percent),
      yardstick: percentile(times[`small ${name}`] ?? [], percent),
      yardstickName: `among ${few.toLocaleString('en')}`,
      goal: 1.5,
      goalIs: 'at most' as const,
    })),
  )
}

/**
 * An installation with ten million invoices of 20,000 organisations, compared with one of 100,000 invoices. Both serve the same requests in
 * turns. Afterwards the large one is under load for an hour, and its memory is watched.
 */
export async function benchScale(say: (text: string) => void): Promise<readonly Row[]> {
  const kept = process.env.BENCH_DATA
  const home = kept ?? (await mkdtemp(join(tmpdir(), 'risiti-bench-')))
  const receiver = await openReceiver()
  const sites: Site[] = []
  try {
    for (const [name, size, count] of [
      ['small', few, Math.ceil(few / invoicesEach)],
      [String(invoices), invoices, organisations],
    ] as const) {
      const folder = join(home, name)
      sites.push(await openSite(folder, await filled(folder, size, count, say), receiver))
    }
    const [small, large] = sites as [Site, Site]
    for (const site of [small, large]) {
      const mark = join(site.folder, 'checked')
      if (existsSync(mark)) continue
      await checkFilled(site.risiti.url, site.open.runtime.db, site.callers, say)
      await writeFile(mark, '')
    }
    const rows = await measureSites(large, small, receiver)
    for (const { name, unit, ours, yardstick } of rows)
      say(`  ${name}: ${ours.toFixed(1)} of ${yardstick?.toFixed(1)} ${unit}`)
    receiver.forget()
    await small.risiti.stop()
    return minutes > 0 ? [...rows, ...(await measureMemory(large, say))] : rows
  } finally {
    for (const { risiti, open } of sites) {
      await risiti.stop()
      await open.close()
    }
    agent.destroy()
    receiver.close()
    if (kept === undefined) await rm(home, { recursive: true, force: true })
  }
}
