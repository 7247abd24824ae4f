import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { expectBooksInOrder } from '../../../../test/harness/ledger-faults.ts'
import { spend } from '../../../../test/harness/purchases.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { lookUpTaxId } from './look-up-tax-id.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())
afterEach(async () => {
  app.authority.control.misbehave(undefined)
  app.patience()
  await expectBooksInOrder(app)
})

const path = (value: string) => `/i/v1/invoices/lookup/tax-id/${encodeURIComponent(value)}`
const asked = () => app.authority.control.requests.length

async function payer(mode: Mode = 'sandbox', of: TestApp = app): Promise<Person> {
  const person = await of.person({ mode })
  await of.openAccount(person.organisationId)
  return person
}

/** Moves of credits since the account was opened. */
async function moves(organisationId: OrganisationId, mode: Mode = 'sandbox', of: TestApp = app): Promise<string[]> {
  const rows = await of.runtime.db.rows<{ move: string }>(sql`
    select type || ' ' || amount as move from credit_moves
     where organisation_id = ${organisationId} and mode = ${mode} and cause <> 'opening' order by seq`)
  return rows.map(({ move }) => move)
}
const paid = ['hold 2', 'capture 2']
const givenBack = ['hold 2', 'release 2']

function expectUnavailable(reply: Reply, form: 'A' | 'B'): void {
  expectRefusal(reply, 'authority.unavailable')
  expect([reply.status, reply.body.error.code]).toEqual(form === 'A' ? [503, 'DEP001'] : [502, 'TAX001'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const look = (token: string, value: string, { query = '', headers = {} } = {}) =>
    app.client(form).get(`${path(value)}${query}`, { token, headers })

  test('a registered number is found and charged', async () => {
    const { token, organisationId } = await payer()
    const reply = await look(token, '20198222-0002')
    expect(reply.status, reply.text).toBe(200)
    expect(reply.data).toEqual({
      value: '20198222-0002',
      type: 'tin',
      status: 'registered',
      taxpayerName: null,
      address: expect.stringMatching(/\w/),
    })
    expect(await moves(organisationId)).toEqual(paid)
    expect(app.authority.control.requests.at(-1)).toMatchObject({ method: 'POST', status: 200 })
  })

  test('the name is returned if the authority returns it', async () => {
    const { token } = await payer()
    const { data } = await look(token, '20198222-9409')
    expect(data).toMatchObject({ status: 'registered', taxpayerName: expect.stringMatching(/^[A-Z]+ /) })
  })

  test('an unknown number is an answer, and charged', async () => {
    const { token, organisationId } = await payer()
    const reply = await look(token, '20198222-9404')
    expect([reply.status, reply.data]).toEqual([
      200,
      { value: '20198222-9404', type: 'tin', status: 'not_registered', taxpayerName: null, address: null },
    ])
    expect(await moves(organisationId)).toEqual(paid)
  })

  test('a missing answer is a refusal, and costs nothing', async () => {
    const { token, organisationId } = await payer()
    expectUnavailable(await look(token, '20198222-9503'), form)
    expect(await moves(organisationId)).toEqual(givenBack)
  })

  test.each(['down', 'nonsense', 'truncated', 'error', 'busy'] as const)(
    'an authority that is %s is no answer, and costs nothing',
    async (fault) => {
      const { token, organisationId } = await payer()
      app.authority.control.misbehave(fault)
      expectUnavailable(await look(token, '20198222-0002'), form)
      expect(await moves(organisationId)).toEqual(givenBack)
      app.authority.control.misbehave(undefined)
      expect((await look(token, '20198222-0002')).status).toBe(200)
      expect(await moves(organisationId)).toEqual([...givenBack, ...paid])
    },
  )

  test.each([
    ['2019822200', 'tin'],
    ['2019822200021', 'tin'],
    ['201982220002', 'tin'],
    [' 20198222-0002 ', 'tin'],
    ['RC1401999', 'rn'],
    ['1401999', 'rn'],
    ['rn-1401999', 'rn'],
  ])('%j is a number of the type %s', async (value, type) => {
    const { token } = await payer()
    const reply = await look(token, value, { query: `?type=${type}` })
    expect([reply.status, reply.data?.status, reply.data?.value], reply.text).toEqual([200, 'registered', value.trim()])
    expect(reply.data.type).toBe(type)
  })

  test.each([
    ['12', ''],
    ['20198222-000', ''],
    ['not a number', ''],
    ['20198222_0002', ''],
    ['20198222-0002; drop', '?type=tin'],
    ['RC1401999', ''],
    ['RCRC', '?type=rn'],
    ['-', '?type=foreign'],
    ['   ', ''],
    ['9'.repeat(64), ''],
    ['9'.repeat(65), ''],
  ])('%j is refused with its path, without a request to the authority', async (value, query) => {
    const { token, organisationId } = await payer()
    const before = asked()
    const reply = await look(token, value, { query })
    expectRefusal(reply, 'request.invalid')
    expect([reply.status, reply.body.error.code, faultPaths(reply)]).toEqual([400, 'VAL001', ['value']])
    expect(asked()).toBe(before)
    expect(await moves(organisationId)).toEqual([])
  })

  test('64 characters are accepted, and 65 are refused', async () => {
    const { token } = await payer()
    const query = '?type=foreign'
    expectRefusal(await look(token, 'G'.repeat(64), { query }), 'tax_id.not_checkable')
    expectRefusal(await look(token, 'G'.repeat(65), { query }), 'request.invalid')
  })

  test('a number of another country cannot be checked', async () => {
    const { token, organisationId } = await payer()
    const before = asked()
    const reply = await look(token, 'GB123456789', { query: '?type=foreign' })
    expectRefusal(reply, 'tax_id.not_checkable')
    expect(reply.status).toBe(422)
    expect([asked(), await moves(organisationId)]).toEqual([before, []])
  })

  test.each(['none', 'TIN', 'vat', ''])('%j is not a type', async (type) => {
    const { token } = await payer()
    const reply = await look(token, '20198222-0002', { query: `?type=${type}` })
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply)).toEqual(['type'])
  })

  test('the lookup needs one capability', async () => {
    const owner = await payer()
    const { token } = await memberHolding(app, owner, 'tax_id.lookup')
    expect((await look(token, '20198222-0002')).status).toBe(200)
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expectRefusal(await look(viewer.token, '20198222-0002'), 'auth.capability_missing')
    expect((await app.client(form).get(path('20198222-0002'))).status).toBe(401)
    const key = await app.key(owner.organisationId, { capabilities: ['tax_id.lookup'] })
    expect((await look(key, '20198222-0002')).status).toBe(200)
  })

  test('with an Idempotency-Key the authority is asked and the lookup charged once', async () => {
    const { token, organisationId } = await payer()
    const headers = { 'idempotency-key': randomUUID() }
    const before = asked()
    const first = await look(token, '20198222-9409', { headers })
    const again = await look(token, '20198222-9409', { headers })
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    expect([asked(), await moves(organisationId)]).toEqual([before + 1, paid])
    const other = await look(token, '20198222-0002', { headers })
    expect(other.data.value).toBe('20198222-0002')
    expect((await look(token, '20198222-0002')).status).toBe(200)
    expect(await moves(organisationId)).toEqual([...paid, ...paid, ...paid])
  })

  test('ten concurrent requests with one Idempotency-Key are one lookup', async () => {
    const { token, organisationId } = await payer()
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 10 }, () => look(token, '20198222-0002', { headers })))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await moves(organisationId)).toEqual(paid)
  })

  test('a refusal is not stored for an Idempotency-Key', async () => {
    const { token, organisationId } = await payer()
    const headers = { 'idempotency-key': randomUUID() }
    app.authority.control.misbehave('error')
    expectUnavailable(await look(token, '20198222-0002', { headers }), form)
    app.authority.control.misbehave(undefined)
    expect((await look(token, '20198222-0002', { headers })).status).toBe(200)
    expect(await moves(organisationId)).toEqual([...givenBack, ...paid])
  })

  test.each(['short', 'x'.repeat(129), 'with a blank'])('%j is not an Idempotency-Key', async (key) => {
    const { token } = await payer()
    const reply = await look(token, '20198222-0002', { headers: { 'idempotency-key': key } })
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VAL001'])
  })

  test('without enough credits the authority is not asked', async () => {
    const { token, organisationId } = await payer('live')
    await spend(app, organisationId, 50)
    const before = asked()
    const reply = await look(token, '20198222-0002')
    expectRefusal(reply, 'credits.insufficient')
    expect([reply.status, reply.body.error.code]).toEqual([form === 'A' ? 402 : 400, 'BIZ001'])
    expect(asked()).toBe(before)
  })

  test('in live mode without access to the authority there is no answer, and no charge', async () => {
    const { token, organisationId } = await payer('live')
    const before = asked()
    expectUnavailable(await look(token, '20198222-0002'), form)
    expect([asked(), await moves(organisationId, 'live')]).toEqual([before, givenBack])
  })
})

test('a lookup without an answer ends at the deadline, and costs nothing', async () => {
  const { token, organisationId } = await payer()
  app.authority.control.misbehave('silent')
  expect(lookUpTaxId.deadlineMs).toBe(20_000)
  app.patience(500)
  expectUnavailable(await app.a.get(path('20198222-0002'), { token }), 'A')
  expect(await moves(organisationId)).toEqual(givenBack)
})
