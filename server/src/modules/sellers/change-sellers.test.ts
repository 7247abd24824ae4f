import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { createReferringTable } from '../../../../test/harness/cluster.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // A row that refers to a seller, as invoices do.
  await createReferringTable(app.owner, 'refers_to_sellers', ['organisation_id', 'seller_id'], 'sellers')
})
afterAll(async () => {
  await app.owner.run(sql`drop table refers_to_sellers`)
  await app.close()
})

const path = '/i/v1/sellers'
const address = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const minimal = { partyName: 'Eze Transport', email: 't@eze.ng', phoneNumber: '0801', postalAddress: address }
let numbers = 0
const newNumber = () => `5${String(++numbers).padStart(7, '0')}-0001`
const make = ({ token }: Pick<Person, 'token'>, more: object = {}): Promise<Reply> =>
  app.b.post(path, { token, body: { ...minimal, taxNumber: newNumber(), ...more } })
const change = ({ token }: Person, id: string, body: object) => app.b.patch(`${path}/${id}`, { token, body })
const remove = ({ token }: Person, id: string) => app.b.delete(`${path}/${id}`, { token })
const primaryOf = ({ token }: Person): Promise<string> =>
  eventually(async () => {
    const { data } = await app.a.get(path, { token })
    expect(data).toHaveLength(1)
    return data[0].id
  })
const refer = ({ organisationId }: Person, id: string) =>
  app.runtime.db.run(sql`insert into refers_to_sellers values (${organisationId}, ${id})`)
const text = (length: number) => 'ọ'.repeat(length)
const emailOf = (length: number) => `${'a'.repeat(length - 203)}@${`${'d'.repeat(49)}.`.repeat(4)}ng`
const webOf = (length: number) => `https://example.test/${'w'.repeat(length - 21)}`

describe('a further seller', () => {
  test('is created with optional fields absent, and read by its URL', async () => {
    const person = await app.person()
    const made = await make(person, { taxNumber: '50000000-0001' })
    expect(made.status, made.text).toBe(201)
    const { phoneNumber, ...rest } = minimal
    const nothing = { tradingName: null, vatNumber: null, registrationNumber: null, website: null, notes: null }
    const standing = {
      isPrimary: false,
      taxNumber: '50000000-0001',
      taxNumberStatus: 'unverified',
      sellerType: 'company',
    }
    expect(made.data).toMatchObject({ ...rest, ...nothing, ...standing, phone: phoneNumber })
    expect(`${app.url}${made.headers.get('location')}`).toBe(`${app.b.url}${path}/${made.data.id}`)
    expect((await app.b.get(`${path}/${made.data.id}`, { token: person.token })).data).toEqual(made.data)
    const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
    expect((await app.b.get(`${path}/${made.data.id}`, { token: live.token })).data).toEqual(made.data)
    expect(await eventsAbout(app, made.data.id)).toMatchObject([
      { type: 'seller.created', data: { name: 'Eze Transport', taxId: '50000000-0001', isPrimary: false } },
    ])
  })

  test('accepts values up to every limit, and refuses longer ones', async () => {
    const person = await app.person()
    const { id } = (await make(person)).data
    const limits: [field: string, inside: unknown, outside: unknown, shown?: string][] = [
      ['partyName', text(255), text(256)],
      ['partyName', 'x', ''],
      ['tradingName', text(255), text(256)],
      ['partyType', 'partnership', 'charity', 'sellerType'],
      ['vatNumber', text(50), text(51)],
      ['registrationNumber', text(100), text(101)],
      ['email', emailOf(255), emailOf(256)],
      ['email', 'a@b.ng', null],
      ['phoneNumber', text(50), text(51), 'phone'],
      ['phoneNumber', '0801', '', 'phone'],
      ['website', webOf(255), webOf(256)],
      ['website', 'http://eze.ng', 'ftp://eze.ng'],
      ['notes', text(1000), text(1001)],
      ['postalAddress.line1', { ...address, line1: text(255) }, { ...address, line1: text(256) }],
      ['postalAddress.city', { ...address, city: text(100) }, { ...address, city: '' }],
      ['postalAddress.state', { ...address, state: text(100) }, { ...address, state: text(101) }],
      ['postalAddress.country', { ...address, country: 'GH' }, { line1: '1', city: 'Lagos' }],
      ['postalAddress.country', { ...address, country: 'GR' }, { ...address, country: 'EU' }],
    ]
    for (const [field, inside, outside, shown] of limits) {
      const top = field.split('.')[0] as string
      const taken = await make(person, { [top]: inside })
      expect(taken.status, `${field} ${taken.text}`).toBe(201)
      expect(taken.data[shown ?? top]).toEqual(inside)
      for (const refused of [await make(person, { [top]: outside }), await change(person, id, { [top]: outside })]) {
        expectRefusal(refused, 'request.invalid')
        expect(new Set(faultPaths(refused)), field).toEqual(new Set([field]))
      }
    }
    for (const taxNumber of ['', '1234', 'RC1401999', '1'.repeat(51), null]) {
      const refused = await make(person, { taxNumber })
      expectRefusal(refused, 'request.invalid')
      expect(new Set(faultPaths(refused)), String(taxNumber)).toEqual(new Set(['taxNumber']))
    }
  })

  test('lists all missing and unknown fields', async () => {
    const { token } = await app.person()
    const missing = await app.b.post(path, { token, body: {} })
    expect(faultPaths(missing)).toEqual(['email', 'partyName', 'phoneNumber', 'postalAddress', 'taxNumber'])
    const unknown = await make({ token }, { isPrimary: true, sellerType: 'company', taxNumberStatus: 'verified' })
    expect(faultPaths(unknown)).toEqual(['isPrimary', 'sellerType', 'taxNumberStatus'])
  })

  test('has a unique tax number within the organisation', async () => {
    const [person, stranger] = [await app.person(), await app.person()]
    expect((await make(person, { taxNumber: '51000000-0001' })).status).toBe(201)
    const refused = await make(person, { taxNumber: '5100 0000 0001' })
    expectRefusal(refused, 'seller.tax_id_taken')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'RES002'])
    expect((await make(stranger, { taxNumber: '510000000001' })).status).toBe(201)
    const race = await Promise.all(
      Array.from({ length: 20 }, (_, i) => make(person, { taxNumber: i % 2 ? '51000000-0002' : '510000000002' })),
    )
    expect(race.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const reply of race.filter(({ status }) => status !== 201)) expectRefusal(reply, 'seller.tax_id_taken')
  })

  test('can be changed, except for its tax number', async () => {
    const person = await app.person()
    const { data: before } = await make(person, { taxNumber: '52000000-0001', notes: 'n', website: 'https://eze.ng' })
    app.clock.advance({ seconds: 1 })
    const changed = await change(person, before.id, { partyName: 'Eze Haulage', partyType: 'individual', notes: null })
    const at = app.clock.now().toISOString()
    const after = { ...before, partyName: 'Eze Haulage', sellerType: 'individual', notes: null, updatedAt: at }
    expect(changed.data).toEqual(after)
    app.clock.advance({ seconds: 1 })
    for (const same of [{}, { taxNumber: '520000000001' }, { partyName: 'Eze Haulage' }])
      expect((await change(person, before.id, same)).data).toEqual(after)
    const refused = await change(person, before.id, { taxNumber: '52000000-0002', partyName: 'No' })
    expectRefusal(refused, 'request.invalid')
    expect([refused.status, faultPaths(refused)]).toEqual([400, ['taxNumber']])
    expect((await app.b.get(`${path}/${before.id}`, { token: person.token })).data).toEqual(after)
    expect((await eventsAbout(app, before.id)).map(({ type }) => type)).toEqual(['seller.created', 'seller.updated'])
    expectRefusal(await change(person, randomUUID(), { notes: 'x' }), 'resource.not_found')
    expectRefusal(await change(await app.person(), before.id, { notes: 'x' }), 'resource.not_found')
  })
})

describe('deleting', () => {
  test('removes a seller, but neither the primary one nor one in use', async () => {
    const person = await app.person()
    const [primary, used, idle] = [await primaryOf(person), (await make(person)).data.id, (await make(person)).data.id]
    await refer(person, used)
    expect((await remove(person, idle)).data).toEqual({ id: idle, deleted: true })
    expectRefusal(await remove(person, idle), 'resource.not_found')
    for (const [id, refusal] of [
      [primary, 'seller.is_primary'],
      [used, 'seller.in_use'],
    ] as const) {
      const refused = await remove(person, id)
      expectRefusal(refused, refusal)
      expect(refused.status).toBe(409)
      expect((await app.b.get(`${path}/${id}`, { token: person.token })).status).toBe(200)
    }
    expectRefusal(await remove(await app.person(), used), 'resource.not_found')
    expect((await eventsAbout(app, idle)).map(({ type }) => type)).toEqual(['seller.created', 'seller.deleted'])
    expect(await eventsAbout(app, used)).toHaveLength(1)
  })

  test('of several returns which were deleted, kept and not found', async () => {
    const [person, stranger] = [await app.person(), await app.person()]
    const many = (ids: unknown) => app.b.delete(`${path}/bulk`, { token: person.token, body: { ids } })
    const primary = await primaryOf(person)
    const [idle, used, foreign] = [
      (await make(person)).data.id,
      (await make(person)).data.id,
      (await make(stranger)).data.id,
    ]
    await refer(person, used)
    for (const ids of [[], [idle, idle], ['x'], Array.from({ length: 101 }, () => randomUUID())])
      expectRefusal(await many(ids), 'request.invalid')
    const outcome = await many([foreign, primary, idle, used])
    expect(outcome.data).toEqual({ deleted: [idle], kept: [primary, used], notFound: [foreign] })
    expect((await app.b.get(`${path}/${foreign}`, { token: stranger.token })).status).toBe(200)
  })
})

test('sellers are listed with the primary one first, then the newest, and found by name and number', async () => {
  const person = await app.person()
  const { token } = person
  const primary = await primaryOf(person)
  const ids: string[] = []
  for (const [partyName, taxNumber] of [
    ['Ọ̀ṣun Foods', '53000000-0001'],
    ['Kano Textiles', '530000000002'],
    ['Kaduna 50%', '53000000-0003'],
  ]) {
    app.clock.advance({ seconds: 1 })
    ids.unshift((await make(person, { partyName, taxNumber, tradingName: 'Eze Group' })).data.id)
  }
  const idsOf = (reply: Reply) => reply.data.map(({ id }: { id: string }) => id)
  const list = await app.b.get(path, { token })
  expect(idsOf(list)).toEqual([primary, ...ids])
  expect(list.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 4, totalPages: 1 })
  expect(idsOf(await app.b.get(`${path}?page=2&limit=3`, { token }))).toEqual(ids.slice(2))
  const search = async (words: string, more = '') =>
    idsOf(await app.b.get(`${path}/search?q=${encodeURIComponent(words)}${more}`, { token }))
  expect(await search('osun')).toEqual([ids[2]])
  expect(await search('53000000-0002')).toEqual([ids[1]])
  expect(await search('530000000001')).toEqual([ids[2]])
  expect(await search('50%')).toEqual([ids[0]])
  expect(await search('ka')).toEqual([ids[0], ids[1]])
  expect(await search('eze')).toEqual([primary, ...ids])
  expect(await search('eze', '&limit=2')).toEqual([primary, ids[0]])
  expect(await search('\u0301\u0301')).toEqual([])
  for (const rest of ['', '?q=e', `?q=${'e'.repeat(101)}`, '?q=ez&limit=0', '?q=ez&limit=21'])
    expectRefusal(await app.b.get(`${path}/search${rest}`, { token }), 'request.invalid')
})

test('each route needs its own capability, and keys cannot have those that change sellers', async () => {
  const person = await app.person()
  const steps: [needs: Capability, call: (token: string, id: string) => Promise<Reply>][] = [
    ['seller.read', (token) => app.b.get(path, { token })],
    ['seller.read', (token, id) => app.b.get(`${path}/${id}`, { token })],
    ['seller.create', (token) => make({ token })],
    ['seller.update', (token, id) => app.b.patch(`${path}/${id}`, { token, body: { notes: 'x' } })],
    ['seller.verify_tax_id', (token, id) => app.b.post(`${path}/${id}/verify-tax-number`, { token })],
    ['seller.delete', (token, id) => app.b.delete(`${path}/${id}`, { token })],
    ['seller.delete', (token, id) => app.b.delete(`${path}/bulk`, { token, body: { ids: [id] } })],
  ]
  for (const held of [
    'seller.read',
    'seller.create',
    'seller.update',
    'seller.verify_tax_id',
    'seller.delete',
  ] as const) {
    const { token } = await memberHolding(app, person, held)
    const { id } = (await make(person)).data
    for (const [needs, call] of steps) {
      const reply = await call(token, id)
      if (needs !== held) expectRefusal(reply, 'auth.capability_missing')
      else expect([200, 201, 202, 404], reply.text).toContain(reply.status)
    }
  }
  const key = await app.key(person.organisationId)
  const { id } = (await make(person)).data
  for (const [needs, call] of steps) {
    const reply = await call(key, id)
    if (needs === 'seller.read') expect(reply.status).toBe(200)
    else expectRefusal(reply, 'auth.capability_missing')
  }
})
