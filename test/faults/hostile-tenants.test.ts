import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { type Person, startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { type Attack, type AttackFigures, type Hostility, startAttacks } from '../harness/hostile.ts'
import { type Issuer, invoiceBody, issuer } from '../harness/invoices.ts'
import { invoicesPath, lifeOf } from '../harness/issued.ts'
import { makeKeyFile, type ServerNode, startNode, withoutDemo } from '../harness/processes.ts'
import { zipOf } from '../harness/workbook.ts'

/**
 * Hostile tenants and strangers send requests while one honest tenant creates invoices, lists them and opens PDFs. `npm
 * run faults:hostile` uses 200 connections of each kind in three rounds. It reports how long the honest tenant waited
 * compared with a quiet server. `npm test` uses a few connections.
 */
const connections = Number(process.env.HOSTILE_CONNECTIONS ?? 12)
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 1)
/** actions of each kind by the honest tenant per round */
const times = Number(process.env.HOSTILE_TIMES ?? 3)
const isProgramme = process.env.HOSTILE_CONNECTIONS !== undefined
const timeout = isProgramme ? 1_200_000 : 180_000

const organisations = 4
const longDocuments = isProgramme ? 12 : 1
/** event streams per person */
const streamsEach = 8

interface HonestTenant extends Issuer {
  readonly key: string
  /** invoices whose PDFs were never requested */
  readonly fresh: string[]
}

interface HostileTenant {
  /** one key per kind of attack, so that the attacks do not share a rate limit */
  readonly keys: { readonly bodies: string; readonly imports: string; readonly pdfs: string }
  readonly documents: readonly string[]
}

let node: ServerNode
let honest: HonestTenant
let hostile: HostileTenant[]
let listeners: Person[]
let hostility: Hostility | undefined

const odd = 'Cement ሲሚንቶ सीमेंट ปูนซีเมนต์ اسمنت מלט 水泥 セメント 시멘트'
const line = { hsnCode: '2523.29', unitCode: 'XBG', quantity: '3', unitPrice: '4500.50', taxCategory: 'standard' }
const longest = Array.from({ length: 500 }, (_, at) => ({ ...line, description: `${odd} ${at}` }))

/** A file of 2.6 kB that occupies a thread for the longest allowed time. */
const workbook = zipOf({
  'xl/workbook.xml': '<workbook><sheets><sheet r:id="rId7"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId7" Target="worksheets/a.xml"/></Relationships>',
  'xl/styles.xml': `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(2_000_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(99)}</cellXfs>`,
  'xl/worksheets/a.xml': '<worksheet><sheetData><row><c t="str"><v>Name</v></c></row></sheetData></worksheet>',
}).toString('base64')

beforeAll(async () => {
  const [database, keyFile] = [await createTestDatabase(), await makeKeyFile()]
  const vault = createVault(await loadKeyRing(keyFile, { createIfMissing: false }))
  const app = await startTestApp({ database, vault })
  const own = await issuer(app)
  const fresh: string[] = []
  for (let nth = 0; nth < times * (rounds + 1) + 2; nth++) fresh.push((await lifeOf(app, own).issued()).id)
  honest = { ...own, key: await app.key(own.organisationId), fresh }
  hostile = []
  for (let nth = 0; nth < organisations; nth++) {
    const other = await issuer(app)
    const documents: string[] = []
    for (let more = 0; more < longDocuments; more++)
      documents.push((await lifeOf(app, other).issued({ lineItems: longest })).id)
    const key = () => app.key(other.organisationId)
    hostile.push({ keys: { bodies: await key(), imports: await key(), pdfs: await key() }, documents })
  }
  listeners = []
  for (let nth = 0; nth < Math.ceil(connections / streamsEach); nth++) listeners.push(await app.person())
  await app.close()
  // The default limits of an installation.
  const limits = { RATE_LIMIT_KEY: '600', RATE_LIMIT_SESSION: '300', RATE_LIMIT_ADDRESS: '60' }
  node = await startNode({ env: { ...withoutDemo, ...limits, DATABASE_URL: database.url, SECRETS_FILE: keyFile } })
}, timeout)

afterAll(async () => {
  await hostility?.stop()
})

const attacks = (): Attack[] => [
  {
    name: 'unfinished bodies',
    connections,
    from: '127.0.0.2',
    requests: hostile.map(({ keys }) => ({
      method: 'POST',
      path: '/i/v1/imports',
      token: keys.bodies,
      unfinished: 5 * 1024 * 1024,
    })),
  },
  { name: 'the reference', connections, from: '127.0.0.3', requests: [{ path: '/docs' }] },
  {
    name: 'imports',
    connections,
    from: '127.0.0.4',
    requests: hostile.map(({ keys }) => ({
      method: 'POST',
      path: '/i/v1/imports',
      token: keys.imports,
      body: JSON.stringify({ kind: 'buyers', fileName: 'a.xlsx', format: 'xlsx', content: workbook }),
    })),
  },
  {
    name: 'PDFs',
    connections,
    from: '127.0.0.5',
    requests: hostile.flatMap(({ keys, documents }) =>
      documents.map((id) => ({ path: `${invoicesPath}/${id}/download`, token: keys.pdfs })),
    ),
  },
  {
    name: 'streams',
    connections,
    from: '127.0.0.6',
    requests: listeners.map(({ token }) => ({ path: '/i/v1/stream', token, stays: true })),
  },
]

type MeasuredAction = 'create' | 'list' | 'one-line PDF'
type Waits = Record<MeasuredAction, number[]>

const quietly = new Agent({ localAddress: '127.0.0.9' })
afterAll(() => quietly.close())

/** A client retries after 503, as our SDK does. */
const mostTries = 4
let toldLater = 0

/** Measures the wait of each action of the honest tenant. Every action must succeed. */
async function doDeeds(waits: Waits): Promise<void> {
  const headers = { authorization: `Bearer ${honest.key}`, 'content-type': 'application/json' }
  const once = async (path: string, body?: object) => {
    const {
      statusCode,
      headers: said,
      body: answer,
    } = await quietly.request({
      origin: node.url,
      path,
      method: body ? 'POST' : 'GET',
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    return { status: statusCode, retryAfter: Number(said['retry-after'] ?? 0), text: await answer.text() }
  }
  const ask = async (action: MeasuredAction, path: string, body?: object): Promise<void> => {
    const began = performance.now()
    let answer = await once(path, body)
    for (let tries = 1; tries < mostTries && answer.status === 503; tries++) {
      toldLater++
      await wait(answer.retryAfter * 1_000)
      answer = await once(path, body)
    }
    waits[action].push(performance.now() - began)
    expect(answer.status, `${action}: ${answer.text.slice(0, 300)}`).toBe(body ? 201 : 200)
  }
  for (let nth = 0; nth < times; nth++) {
    await ask('create', invoicesPath, invoiceBody.A(honest))
    await ask('list', `${invoicesPath}?limit=20`)
    await ask('one-line PDF', `${invoicesPath}/${honest.fresh.pop()}/download`)
  }
}

const newWaits = (): Waits => ({ create: [], list: [], 'one-line PDF': [] })
const medianOf = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
const longestOf = (list: readonly number[]) => Math.max(...list)

test(
  'an honest tenant is served while hostile ones hold bodies, pages, imports, PDFs and streams',
  async () => {
    const [idle, attacked] = [newWaits(), newWaits()]
    honest.fresh.splice(0, 2)
    await doDeeds(idle)
    const hostiles = startAttacks(node.url, attacks())
    hostility = hostiles
    /** waits until `least` requests of each kind are answered or in flight */
    const allAtWork = async (least: number) => {
      const figures = await hostiles.figures()
      for (const { statuses, underWay } of figures)
        expect(Object.values(statuses).reduce((sum, many) => sum + many, underWay)).toBeGreaterThanOrEqual(least)
      return figures
    }
    await eventually(() => allAtWork(1), 30_000)
    for (let round = 0; round < rounds; round++) await doDeeds(attacked)
    const figures = await allAtWork(connections)
    if (isProgramme) say(idle, attacked, figures)
  },
  timeout,
)

function say(idle: Waits, attacked: Waits, figures: readonly AttackFigures[]): void {
  const lines = (Object.keys(idle) as MeasuredAction[]).map((action) => {
    const [quiet, busy] = [medianOf(idle[action]), medianOf(attacked[action])]
    return `${action}: idle ${quiet.toFixed(0)} ms, under attack ${busy.toFixed(0)} ms (ratio ${(busy / quiet).toFixed(1)}), longest ${longestOf(attacked[action]).toFixed(0)} ms`
  })
  const told = figures.map(({ name, statuses }) => `${name}: ${JSON.stringify(statuses)}`)
  process.stdout.write(`\n${[...lines, `told to come again: ${toldLater}`, ...told].join('\n')}\n`)
}
