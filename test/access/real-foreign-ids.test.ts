import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Form } from '../../server/src/http/definitions/form.ts'
import { openApiOf } from '../../server/src/http/openapi/index.ts'
import { resolver } from '../../server/src/http/openapi/resolved.ts'
import { keyCapabilities } from '../../server/src/kernel/capabilities.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type Collector, collector } from '../harness/collection.ts'
import { ok } from '../harness/issued.ts'

let app: TestApp
let victim: Collector
/** one id of the victim from each table that has any, by table name */
let ids: ReadonlyMap<string, string>

beforeAll(async () => {
  app = await startTestApp({ bank: true })
  victim = await collector(app)
  const { token } = victim
  const organisation = '/a/v1/organizations/me'
  const item = {
    name: 'Cement',
    productCategory: 'Building',
    unitPriceMinor: '450050',
    currency: 'NGN',
    itemType: 'goods',
    unitCode: 'XBG',
    hsnCode: '2523.29',
    taxCategory: 'standard',
  }
  ok(await app.a.post('/i/v1/items', { token, body: item }), 201)
  await app.key(victim.organisationId)
  const invited = { email: 'new@example.test', fullName: 'Ada Obi' }
  ok(await app.a.post(`${organisation}/invitations`, { token, body: invited }), 201)
  const endpoint = { url: 'https://example.com/hooks', events: ['*'] }
  ok(await app.a.post('/n/v1/webhook-endpoints', { token, body: endpoint }), 201)
  const invoice = await victim.life.issued()
  await victim.life.issued()
  const payment = { amount: '100.00', paidOn: '2026-11-02', method: 'cash' }
  ok(await app.a.post(`/i/v1/invoices/${invoice.id}/payments`, { token, body: payment }), 201)
  const { buyerId, currency, lineItems } = invoice
  const [{ description, hsnCode, quantity, unitCode, unitPrice, taxCategory }] = lineItems
  const line = { description, hsnCode, quantity, unitCode, unitPrice, taxCategory }
  ok(await app.a.post('/i/v1/quotes', { token, body: { buyerId, currency, lineItems: [line] } }), 201)
  const account = await victim.open({ mode: 'dynamic', invoiceId: invoice.id, amount: 100 })
  await victim.payment(await victim.transfer(account.accountNumber, 100))
  await app.quiet()
  await app.stopWork()
  ids = await idsOf(victim.organisationId)
})
afterAll(() => app.close())

const tablesOfOrganisations = async (): Promise<string[]> => {
  const { rows } = await app.owner.pool.query<{ name: string }>(`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'organisation_id' and t.table_type = 'BASE TABLE'
       and not exists (select from pg_inherits i where i.inhrelid = (quote_ident(c.table_name))::regclass)
     order by 1`)
  return rows.map(({ name }) => name)
}

async function idsOf(organisationId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>([['organisations', organisationId]])
  for (const table of await tablesOfOrganisations()) {
    const { rows: columns } = await app.owner.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and (column_name, data_type) in (('id', 'uuid'), ('mode', 'text'))`,
      [table],
    )
    const has = (wanted: string) => columns.some(({ name }) => name === wanted)
    if (!has('id')) continue
    const { rows } = await app.owner.pool.query<{ id: string }>(
      `select id from ${table} where organisation_id = $1 ${has('mode') ? `and mode = 'sandbox'` : ''} order by id limit 1`,
      [organisationId],
    )
    if (rows[0]) found.set(table, rows[0].id)
  }
  found.set('users', victim.userId)
  return found
}

/** A checksum of every row of an organisation, by table. */
async function allOf(organisationId: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const table of await tablesOfOrganisations()) {
    const { rows } = await app.owner.pool.query<{ sum: string }>(
      `select coalesce(sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)), 0)::text as sum from ${table} t where organisation_id = $1`,
      [organisationId],
    )
    sums[table] = rows[0]?.sum ?? ''
  }
  return sums
}

const unconcerned = new Set(['GET /i/v1/invoices/resources/{type}', 'GET /i/v1/invoices/lookup/tax-id/{value}'])

interface TriedRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  /** the example body of the documents, which is valid if the ids in it exist */
  readonly body: string | undefined
}

function routesThatName(form: Form): TriedRequest[] {
  const document = openApiOf(form)
  const whole = resolver(document)
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const method = verb.toUpperCase()
      const name = `${method} ${path}`
      // A month is no id: every caller reads the own return of the month.
      if (!path.replace('{period}', '').includes('{') || unconcerned.has(name) || path.startsWith('/b/v1/plans'))
        return []
      const example = whole(operation).requestBody?.content['application/json']?.example
      return [{ name, method, path, body: example === undefined ? undefined : JSON.stringify(example) }]
    }),
  )
}

/** Ids from the tables that share a word with the path, or from all tables if none does. */
function idsFor(path: string): string[] {
  const words = path
    .split(/[/-]/)
    .filter((word) => /^[a-z]{4,}$/.test(word))
    .map((word) => word.replace(/(ie)?s$/, ''))
  const named = [...ids].filter(([table]) => words.some((word) => table.includes(word))).map(([, id]) => id)
  return named.length > 0 ? named : [...ids.values()]
}

/** Calls every route of a form that takes an id, with the victim's ids in every place. */
async function tryEverything(form: Form, token: string): Promise<Map<string, Set<number>>> {
  const answers = new Map<string, Set<number>>()
  const calls = routesThatName(form).flatMap(({ name, method, path, body }) => {
    const seen = new Set<number>()
    answers.set(name, seen)
    const query = path.endsWith('/check-balance') ? '?credits=1' : ''
    // A path with one parameter gets the victim's organisation. Otherwise the path gets the caller's, and the victim's
    // ids are inside it.
    const whose = path.indexOf('{') === path.lastIndexOf('{') ? victim.organisationId : 'me'
    return idsFor(path).map((id) => async () => {
      const answer = await fetch(
        `${app.url}${form.prefix}${path
          .replace('{orgId}', whose)
          .replace('{versionNumber}', '1')
          .replace(/\{\w+\}/g, id)}${query}`,
        {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { body } : {}),
        },
      )
      seen.add(answer.status)
      await answer.arrayBuffer()
    })
  })
  for (let at = 0; at < calls.length; at += 24) await Promise.all(calls.slice(at, at + 24).map((call) => call()))
  return answers
}

test('most tables have rows of the victim', () => {
  expect([...ids.keys()]).toEqual(
    expect.arrayContaining([
      'api_keys',
      'buyers',
      'invitations',
      'invoices',
      'items',
      'quotes',
      'received_payments',
      'sellers',
      'users',
    ]),
  )
})

/** Both modes share an organisation, its sellers and its ledger. Lists show only the caller's own rows. */
const ofBothModes = /organizations\/\{orgId\}(\/tax-registration|\/webhooks)?$|\/sellers\/|\/billing-accounts\//

test.each(['A', 'B'] as const)('objects of another organisation or mode are not found, in form %s', async (form) => {
  const stranger = await app.person()
  const callers = [
    { who: 'a stranger', token: stranger.token },
    { who: "a stranger's key", token: await app.key(stranger.organisationId, { capabilities: keyCapabilities }) },
    {
      who: "the victim's key for the other mode",
      token: await app.key(victim.organisationId, { mode: 'live', capabilities: keyCapabilities }),
      mayRead: ofBothModes,
    },
  ]
  const before = await allOf(victim.organisationId)
  for (const { who, token, mayRead } of callers) {
    const answers = await tryEverything(app.client(form).form, token)
    const wrong = [...answers].filter(([route, seen]) => {
      if (mayRead?.test(route)) return false
      // A 400 for the body would hide whether the foreign id was checked.
      const looked = seen.has(403) || seen.has(404)
      return !looked || [...seen].some((status) => status < 400 || status >= 500)
    })
    expect
      .soft(
        wrong.map(([route, seen]) => `${route}: ${[...seen]}`),
        who,
      )
      .toEqual([])
  }
  expect(await allOf(victim.organisationId)).toEqual(before)
})
