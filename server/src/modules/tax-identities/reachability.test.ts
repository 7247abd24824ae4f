import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { expectBooksInOrder } from '../../../../test/harness/ledger-faults.ts'
import { spend } from '../../../../test/harness/purchases.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { checkReachability, getReachability } from './reachability.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox', 'live'] })
})
afterAll(() => app.close())
afterEach(async () => {
  app.authority.control.misbehave(undefined)
  app.patience()
  await expectBooksInOrder(app)
})

const path = '/i/v1/buyers/reachability'
const asked = () => app.authority.control.requests.length
const read = (token: string, taxId: string): Promise<Reply> =>
  app.a.get(`${path}?${new URLSearchParams({ taxId })}`, { token })
const check = (token: string, taxId: unknown, headers = {}): Promise<Reply> =>
  app.a.post(`${path}/check`, { token, body: { taxId }, headers })

let numbers = 20_000_000
/** A number that no other test uses. Its last four digits choose the authority's answer. */
const number = (ending = '0001'): string => `${++numbers}-${ending}`

async function payer(mode: Mode = 'sandbox'): Promise<Person> {
  const person = await app.person({ mode })
  await app.openAccount(person.organisationId)
  return person
}
async function moves(organisationId: OrganisationId): Promise<string[]> {
  const rows = await app.runtime.db.rows<{ move: string }>(sql`
    select type || ' ' || amount as move from credit_moves
     where organisation_id = ${organisationId} and cause <> 'opening' order by seq`)
  return rows.map(({ move }) => move)
}
const paid = ['hold 2', 'capture 2']
const givenBack = ['hold 2', 'release 2']
const faults = ['down', 'nonsense', 'truncated', 'error', 'busy'] as const
const now = () => app.clock.now().toISOString()
const unknown = { reachable: null, provider: null, checkedAt: null, stale: false, unavailable: true }

describe('the known reachability of a number', () => {
  test('comes from the authority first, free of charge, and from the cache for 24 hours', async () => {
    const person = await payer()
    const taxId = number()
    const before = asked()
    const first = await read(person.token, taxId)
    expect(first.status, first.text).toBe(200)
    const provider = expect.stringMatching(/\w/)
    const answer = { taxId, reachable: true, provider, checkedAt: now(), stale: false, unavailable: false }
    expect(first.data).toEqual(answer)
    expect(asked()).toBe(before + 1)

    expect((await read(person.token, taxId)).data).toEqual(first.data)
    app.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    const { token } = await sessionAgain(app, person, 'sandbox')
    expect((await read(token, taxId)).data).toEqual(first.data)
    expect(asked()).toBe(before + 1)

    app.clock.advance({ seconds: 1 })
    expect((await read(token, taxId)).data).toEqual({ ...first.data, checkedAt: now() })
    expect(asked()).toBe(before + 2)
    expect(await moves(person.organisationId)).toEqual([])
  })

  test.each([
    ['9404', false],
    ['9405', false],
    ['9409', true],
  ])('of a number that ends in %s is reachable: %s', async (ending, reachable) => {
    const { token } = await payer()
    const { status, data } = await read(token, number(ending))
    expect([status, data.reachable, data.stale, data.unavailable]).toEqual([200, reachable, false, false])
  })

  test('is the same for every spelling and organisation', async () => {
    const taxId = number()
    const first = await read((await payer()).token, taxId)
    const before = asked()
    const { token } = await payer()
    for (const spelling of [taxId, taxId.replace('-', ''), ` ${taxId} `]) {
      const { data } = await read(token, spelling)
      expect(data).toEqual({ ...first.data, taxId: spelling.trim() })
    }
    expect(asked()).toBe(before)
  })

  test('is separate for each mode', async () => {
    const taxId = number()
    await read((await payer('sandbox')).token, taxId)
    const before = asked()
    const live = await payer('live')
    expect((await read(live.token, taxId)).data).toMatchObject({ reachable: true, stale: false })
    expect(asked()).toBe(before + 1)
    expect((await read(live.token, taxId)).data).toMatchObject({ reachable: true, stale: false })
    expect(asked()).toBe(before + 1)
  })

  test.each(faults)('is empty if the authority is %s, which is no error and is not cached', async (fault) => {
    const { token, organisationId } = await payer()
    const taxId = number()
    app.authority.control.misbehave(fault)
    const reply = await read(token, taxId)
    expect([reply.status, reply.data]).toEqual([200, { taxId, ...unknown }])
    app.authority.control.misbehave(undefined)
    expect((await read(token, taxId)).data).toMatchObject({ reachable: true, unavailable: false })
    expect(await moves(organisationId)).toEqual([])
  })

  test.each(faults)('is the old answer, marked as old, if the authority is %s later', async (fault) => {
    const person = await payer()
    const taxId = number()
    const first = await read(person.token, taxId)
    app.clock.advance({ hours: 24 })
    const { token } = await sessionAgain(app, person, 'sandbox')
    app.authority.control.misbehave(fault)
    for (let times = 0; times < 2; times++)
      expect((await read(token, taxId)).data).toEqual({ ...first.data, stale: true })
    app.authority.control.misbehave(undefined)
    expect((await read(token, taxId)).data).toEqual({ ...first.data, checkedAt: now() })
  })

  test('is returned while it is fresh, even if the authority is down', async () => {
    const { token } = await payer()
    const taxId = number()
    const first = await read(token, taxId)
    app.authority.control.misbehave('down')
    expect((await read(token, taxId)).data).toEqual(first.data)
  })

  test('is empty for a number without an answer of the authority', async () => {
    const { token } = await payer()
    const taxId = number('9503')
    const reply = await read(token, taxId)
    expect([reply.status, reply.data]).toEqual([200, { taxId, ...unknown }])
  })
})

describe('a fresh check', () => {
  test('asks the authority each time, and is charged', async () => {
    const { token, organisationId } = await payer()
    const taxId = number()
    const before = asked()
    const first = await check(token, taxId)
    expect([first.status, first.data.reachable, first.data.unavailable], first.text).toEqual([200, true, false])
    app.clock.advance({ seconds: 5 })
    expect((await check(token, taxId)).data).toEqual({ ...first.data, checkedAt: now() })
    expect([asked(), await moves(organisationId)]).toEqual([before + 2, [...paid, ...paid]])
  })

  test('stores its answer in the cache', async () => {
    const { token } = await payer()
    const taxId = number('9405')
    const { data } = await check(token, taxId)
    const before = asked()
    expect((await read(token, taxId)).data).toEqual(data)
    expect([data.reachable, asked()]).toEqual([false, before])
  })

  test('of a number that is not on the network is answered, and charged', async () => {
    const { token, organisationId } = await payer()
    const { status, data } = await check(token, number('9404'))
    expect([status, data]).toMatchObject([200, { reachable: false, provider: null, stale: false, unavailable: false }])
    expect(await moves(organisationId)).toEqual(paid)
  })

  test.each(faults)('with an authority that is %s costs nothing, and is no error', async (fault) => {
    const { token, organisationId } = await payer()
    const taxId = number()
    app.authority.control.misbehave(fault)
    const reply = await check(token, taxId)
    expect([reply.status, reply.data]).toEqual([200, { taxId, ...unknown }])
    expect(await moves(organisationId)).toEqual(givenBack)
  })

  test('without an answer returns the cached answer', async () => {
    const { token, organisationId } = await payer()
    const taxId = number()
    const first = await read(token, taxId)
    app.authority.control.misbehave('down')
    expect((await check(token, taxId)).data).toEqual({ ...first.data, stale: true, unavailable: true })
    expect(await moves(organisationId)).toEqual(givenBack)
  })

  test('needs enough credits, and the cached answer is free', async () => {
    const { token, organisationId } = await payer('live')
    await spend(app, organisationId, 50)
    const before = asked()
    const reply = await check(token, number())
    expectRefusal(reply, 'credits.insufficient')
    expect([reply.status, reply.body.error.code, asked()]).toEqual([402, 'BIZ001', before])
    expect((await read(token, number())).data.reachable).toBe(true)
  })

  test('succeeds as often as the credits allow, for concurrent requests', async () => {
    const { token, organisationId } = await payer('live')
    const replies = await Promise.all(Array.from({ length: 30 }, () => check(token, number())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(25)
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefusal(reply, 'credits.insufficient')
    const left = sql`select available, held, spent from credit_balances where organisation_id = ${organisationId} and mode = 'live'`
    expect(await app.runtime.db.one(left)).toEqual({ available: 0n, held: 0n, spent: 50n })
  })

  test('with an Idempotency-Key is made and charged once', async () => {
    const { token, organisationId } = await payer()
    const taxId = number()
    const headers = { 'idempotency-key': randomUUID() }
    const before = asked()
    const first = await check(token, taxId, headers)
    const again = await check(token, taxId, headers)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect([asked(), await moves(organisationId)]).toEqual([before + 1, paid])
    expectRefusal(await check(token, number(), headers), 'idempotency.body_differs')
    expect(await moves(organisationId)).toEqual(paid)
  })

  test('without an answer ends at the deadline, and costs nothing', async () => {
    const { token, organisationId } = await payer()
    const taxId = number()
    app.authority.control.misbehave('silent')
    expect([getReachability.deadlineMs, checkReachability.deadlineMs]).toEqual([8_000, 8_000])
    app.patience(500)
    const [known, fresh] = await Promise.all([read(token, taxId), check(token, taxId)])
    expect([known.status, known.data, fresh.status, fresh.data]).toEqual([
      200,
      { taxId, ...unknown },
      200,
      { taxId, ...unknown },
    ])
    expect(await moves(organisationId)).toEqual(givenBack)
  })
})

describe.each([
  ['what is known', read],
  ['a fresh check', check],
] as const)('%s', (_, ask) => {
  test('is refused for an invalid tax number, without a request', async () => {
    const { token, organisationId } = await payer()
    const before = asked()
    for (const taxId of ['', ' ', 'x', '20198222-000', '9'.repeat(32), '9'.repeat(33), 'RC1401999', 'a/../b']) {
      const reply = await ask(token, taxId)
      expectRefusal(reply, 'request.invalid')
      expect([...new Set(faultPaths(reply))], taxId).toEqual(['taxId'])
    }
    expect([asked(), await moves(organisationId)]).toEqual([before, []])
  })

  test('accepts one to 32 characters', async () => {
    const { token } = await payer()
    const padded = number().padEnd(32, ' ')
    expect((await ask(token, padded)).data).toMatchObject({ taxId: padded.trim(), reachable: true })
    for (const [taxId, rule] of [
      ['', 'minLength'],
      [`${padded} `, 'maxLength'],
    ] as const) {
      const reply = await ask(token, taxId)
      expectRefusal(reply, 'request.invalid')
      const rules = reply.body.error.details.map((fault: { rule: string }) => fault.rule)
      expect(rules).toContain(rule)
    }
  })

  test('needs the capability to read buyers, and nothing more', async () => {
    const owner = await payer()
    const reader = await memberHolding(app, owner, 'buyer.read')
    const other = await memberHolding(app, owner, 'tax_id.lookup')
    const key = await app.key(owner.organisationId, { capabilities: ['buyer.read'] })
    for (const token of [reader.token, key]) expect((await ask(token, number())).status).toBe(200)
    expectRefusal(await ask(other.token, number()), 'auth.capability_missing')
  })

  test('is not found for an organisation in an unsupported country', async () => {
    const { organisationId } = await payer()
    await app.runtime.db.rows(sql`update organisations set country = 'GH' where id = ${organisationId} returning id`)
    const { token } = await app.member(organisationId, 'OWNER')
    expectRefusal(await ask(token, number()), 'jurisdiction.unsupported')
  })
})

test('an installation without access to the authority reports this, and charges nothing', async () => {
  const alone = await startTestApp()
  try {
    const { token, organisationId } = await alone.person()
    await alone.openAccount(organisationId)
    const taxId = number()
    const known = await alone.a.get(`${path}?taxId=${taxId}`, { token })
    const fresh = await alone.a.post(`${path}/check`, { token, body: { taxId } })
    for (const reply of [known, fresh]) expect([reply.status, reply.data]).toEqual([200, { taxId, ...unknown }])
    await expectBooksInOrder(alone)
    const account = await alone.a.get('/b/v1/billing-accounts/me', { token })
    expect(account.data.creditBalance).toBe(100_000)
  } finally {
    await alone.close()
  }
})

test('the other form has neither of the two routes', async () => {
  const { token } = await payer()
  const before = asked()
  const known = await app.b.get(`${path}?taxId=20198222-0002`, { token })
  const fresh = await app.b.post(`${path}/check`, { token, body: { taxId: '20198222-0002' } })
  expectRefusal(known, 'route.elsewhere')
  expectRefusal(fresh, 'route.elsewhere')
  expect(fresh.body.error.message).toContain(`POST ${app.a.form.prefix}${path}/check`)
  expect(asked()).toBe(before)
})

describe('free checks', () => {
  let bounded: TestApp
  beforeAll(async () => {
    bounded = await startTestApp({ authority: ['sandbox'], settings: { reachabilityPerDay: 3 } })
  })
  afterAll(() => bounded.close())

  test('are limited per organisation and day, and cached and charged answers are not', async () => {
    const [one, other] = [await bounded.person(), await bounded.person()]
    await bounded.openAccount(one.organisationId)
    const get = async ({ token }: Person, taxId: string) =>
      (await bounded.a.get(`${path}?taxId=${taxId}`, { token })).data
    const numbersOfOne = [number(), number(), number()]
    for (const taxId of numbersOfOne)
      expect(await get(one, taxId)).toMatchObject({ reachable: true, unavailable: false })
    const questions = () => bounded.authority.control.requests.length
    const before = questions()
    const [further] = [number()]
    const refused = await bounded.a.get(`${path}?taxId=${further}`, { token: one.token })
    expect(refused.status).toBe(200)
    expect(refused.data).toMatchObject({ reachable: null, unavailable: true })
    expect(await get(one, numbersOfOne[0] as string)).toMatchObject({ reachable: true, stale: false })
    expect(questions()).toBe(before)
    expect(await get(other, number())).toMatchObject({ reachable: true })
    const paidFor = await bounded.a.post(`${path}/check`, { token: one.token, body: { taxId: further } })
    expect(paidFor.data).toMatchObject({ reachable: true, unavailable: false })
    bounded.clock.advance({ days: 1, hours: 1 })
    const { token } = await sessionAgain(bounded, one, 'sandbox')
    expect(await get({ ...one, token }, number())).toMatchObject({ reachable: true })
  })

  test('cached answers are deleted after 30 days', async () => {
    const { token } = await bounded.person()
    const [old, recent] = [number(), number()]
    const keep = async (taxId: string) => await bounded.a.get(`${path}?taxId=${taxId}`, { token })
    await keep(old)
    await keep(recent)
    const days = (taxId: string, count: number) =>
      bounded.runtime.db.run(sql`
        update network_lookups set checked_at = ${new Date(bounded.clock.now().getTime() - count * 86_400_000)}
         where tax_id_normal = ${taxId.replace('-', '')}`)
    await days(old, 31)
    await days(recent, 29)
    await bounded.runJob('purge-expired')
    const left = await bounded.runtime.db.rows<{ taxIdNormal: string }>(sql`select tax_id_normal from network_lookups`)
    const numbers = left.map(({ taxIdNormal }) => taxIdNormal)
    expect(numbers).toContain(recent.replace('-', ''))
    expect(numbers).not.toContain(old.replace('-', ''))
  })
})
