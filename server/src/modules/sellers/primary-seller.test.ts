import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { followProfile } from './follow-profile.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const path = '/i/v1/sellers'
const address = { line1: '1 Marina', city: 'Lagos', state: 'Lagos', country: 'NG' }
const second = {
  partyName: 'Eze Transport',
  taxNumber: '40000001-0001',
  email: 't@eze.ng',
  phoneNumber: '0801',
  postalAddress: { line1: '1 Marina', city: 'Lagos', country: 'NG' },
}
const follow = (organisationId: OrganisationId) =>
  app.runner.run(followProfile, { caller: systemCaller, origin, input: { organisationId } })
const sellersOf = (organisationId: string) =>
  app.runtime.db.rows<{ id: string; isPrimary: boolean; taxId: string | null }>(
    sql`select id, is_primary, tax_id from sellers where organisation_id = ${organisationId} order by is_primary desc, id`,
  )
const primaryOf = ({ token }: Pick<Person, 'token'>) =>
  eventually(async () => {
    const { data } = await app.a.get(path, { token })
    expect(data).toHaveLength(1)
    return data[0]
  })

describe('the primary seller', () => {
  test('is created by a registration', async () => {
    const email = `r${randomUUID()}@example.test`
    const body = {
      email,
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'Obi',
      organizationName: 'Obi Foods',
      country: 'NG',
    }
    const registered = await app.a.post('/a/v1/auth/register', { body })
    expect(registered.status, registered.text).toBe(201)
    await eventually(async () => {
      const rows = await app.runtime.db.rows(sql`select is_primary, email from sellers where name = 'Obi Foods'`)
      expect(rows).toEqual([{ isPrimary: true, email: null }])
    })
  })

  test('is the organisation itself, in both modes and both forms', async () => {
    const person = await app.person()
    const seller = await primaryOf(person)
    expect(seller).toMatchObject({ name: 'Eze Stores', partyType: 'company', taxId: null, taxIdStatus: 'unverified' })
    const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
    expect(await primaryOf(live)).toEqual(seller)
    const inB = await app.b.get(`${path}/${seller.id}`, { token: person.token })
    expect(inB.data).toMatchObject({ id: seller.id, isPrimary: true, partyName: 'Eze Stores', sellerType: 'company' })
    const told = await eventsAbout(app, seller.id)
    expect(told).toEqual([
      {
        type: 'seller.created',
        mode: null,
        organisationId: person.organisationId,
        data: { sellerId: seller.id, name: 'Eze Stores', taxId: null, isPrimary: true },
      },
    ])
  })

  test('follows the profile', async () => {
    const person = await app.person()
    const seller = await primaryOf(person)
    app.clock.advance({ seconds: 1 })
    const body = { name: 'Eze & Co', website: 'https://eze.ng', contactEmail: 'hello@eze.ng', address }
    const changed = await app.a.patch('/a/v1/organizations/me', { token: person.token, body })
    expect(changed.status, changed.text).toBe(200)
    await eventually(async () =>
      expect(await primaryOf(person)).toEqual({
        ...seller,
        name: 'Eze & Co',
        website: 'https://eze.ng',
        email: 'hello@eze.ng',
        address,
        updatedAt: app.clock.now().toISOString(),
      }),
    )
    expect((await app.a.get(`${path}/search?q=eze%20%26`, { token: person.token })).data).toHaveLength(1)
    await follow(person.organisationId)
    expect((await eventsAbout(app, seller.id)).map(({ type }) => type)).toEqual(['seller.created', 'seller.updated'])
  })

  test('has the tax number and phone of a further organisation', async () => {
    const { token } = await app.person()
    const body = { businessName: 'Second', email: 's@eze.ng', taxNo: '40000002-0001', phoneNumber: '+2348011111111' }
    const { id } = (await app.b.post('/a/v1/organizations', { token, body })).data
    const seller = await eventually(async () => {
      const [row] = await app.runtime.db.rows<object>(
        sql`select name, email, tax_id, tax_id_normal, phone from sellers where organisation_id = ${id}`,
      )
      expect(row).toBeDefined()
      return row
    })
    const number = { taxId: '40000002-0001', taxIdNormal: '400000020001' }
    expect(seller).toEqual({ name: 'Second', email: 's@eze.ng', phone: '+2348011111111', ...number })
  })

  test('is created once by concurrent jobs', async () => {
    const { organisationId } = await app.person()
    await Promise.all(Array.from({ length: 20 }, () => follow(organisationId)))
    const rows = await sellersOf(organisationId)
    expect(rows).toHaveLength(1)
    expect(await eventsAbout(app, rows[0]?.id as string)).toHaveLength(1)
    await follow(newId())
  })

  test('is created without the number if another seller has it', async () => {
    const { organisationId, token } = await app.person()
    await app.quiet()
    await app.runtime.db.run(sql`delete from sellers where organisation_id = ${organisationId}`)
    await app.runtime.db.run(sql`update organisations set tax_number = '40000001-0001' where id = ${organisationId}`)
    const made = await app.b.post(path, { token, body: { ...second, taxNumber: '400000010001' } })
    expect(made.status, made.text).toBe(201)
    for (let run = 0; run < 2; run++) await follow(organisationId)
    expect(await sellersOf(organisationId)).toEqual([
      { id: expect.any(String), isPrimary: true, taxId: null },
      { id: made.data.id, isPrimary: false, taxId: '400000010001' },
    ])
  })
})

describe('in the form with one seller', () => {
  async function withTwo() {
    const person = await app.person()
    const primary = await primaryOf(person)
    const made = await app.b.post(path, { token: person.token, body: second })
    expect(made.status, made.text).toBe(201)
    return { person, token: person.token, primary, other: made.data.id as string }
  }

  test('only the primary seller is listed, found, read and in events', async () => {
    const { token, primary, other } = await withTwo()
    const list = await app.a.get(path, { token })
    expect(list.data).toEqual([primary])
    expect(list.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 1, totalPages: 1 })
    expect((await app.a.get(`${path}?search=transport`, { token })).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0 } },
    })
    expect((await app.a.get(`${path}?search=stores`, { token })).data).toEqual([primary])
    expect((await app.a.get(`${path}?page=2`, { token })).data).toEqual([])
    expect((await app.a.get(`${path}/search?q=eze`, { token })).data).toEqual([primary])
    expect((await app.a.get(`${path}/search?q=transport`, { token })).data).toEqual([])
    expect((await app.a.get(`${path}/${primary.id}`, { token })).data).toEqual(primary)
    const status = await app.a.get(`${path}/${primary.id}/verification-status`, { token })
    expect(status.data).toEqual({ sellerId: primary.id, taxIdStatus: 'unverified', verification: null })
    for (const id of [other, randomUUID(), 'x'])
      for (const rest of ['', '/verification-status'])
        expectRefusal(await app.a.get(`${path}/${id}${rest}`, { token }), 'resource.not_found')
    for (const [rest, fault] of [
      ['/search', 'q'],
      ['/search?q=e', 'q'],
      [`/search?q=${'e'.repeat(101)}`, 'q'],
      ['/search?q=ez&limit=21', 'limit'],
      [`?search=${'e'.repeat(101)}`, 'search'],
    ])
      expect(new Set(faultPaths(await app.a.get(`${path}${rest}`, { token })))).toEqual(new Set([fault]))
  })

  test('the setup shows that no more sellers can be added', async () => {
    const { token, primary } = await withTwo()
    const { data } = await app.a.get(`${path}/setup`, { token })
    expect(data).toMatchObject({ seller: primary, canAddSellers: false })
    expect(data.taxIdTypes.map(({ type }: { type: string }) => type)).toEqual(['tin', 'rn', 'foreign', 'none'])
    expect(data.countries).toContainEqual({ code: 'NG', name: 'Nigeria' })
    expectRefusal(await app.b.get(`${path}/setup`, { token }), 'route.elsewhere')
  })

  test('there is no seller before its creation', async () => {
    const { token, organisationId } = await app.person()
    await app.quiet()
    await app.runtime.db.run(sql`delete from sellers where organisation_id = ${organisationId}`)
    expect((await app.a.get(path, { token })).body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
    expect((await app.a.get(`${path}/setup`, { token })).data).toMatchObject({ seller: null, canAddSellers: false })
    await follow(organisationId)
    expect((await app.a.get(path, { token })).data).toHaveLength(1)
  })

  test('fields outside the profile are set on the seller', async () => {
    const { person, token, primary, other } = await withTwo()
    const change = (id: string, body: object, by = token) => app.a.patch(`${path}/${id}`, { token: by, body })
    const numbers = { registrationNumber: 'RC 1401999', vatNumber: '20198222-0002', tradingName: 'Eze Direct' }
    const changed = await change(primary.id, numbers)
    expect(changed.status, changed.text).toBe(200)
    expect(changed.data).toEqual({ ...primary, ...numbers, updatedAt: changed.data.updatedAt })
    await follow(person.organisationId)
    expect((await app.b.get(`${path}/${primary.id}`, { token })).data).toMatchObject(numbers)
    expect((await change(primary.id, { registrationNumber: null })).data).toMatchObject({
      ...numbers,
      registrationNumber: null,
    })
    const bad = await change(primary.id, { registrationNumber: 'x'.repeat(101), vatNumber: '', name: 'Obi' })
    expect(new Set(faultPaths(bad))).toEqual(new Set(['name', 'registrationNumber', 'vatNumber']))
    expectRefusal(await change(other, numbers), 'resource.not_found')
    expectRefusal(await change(primary.id, numbers, (await app.person()).token), 'resource.not_found')
    expectRefusal(await change(primary.id, numbers, await app.key(person.organisationId)), 'auth.capability_missing')
  })

  test('nothing can be added or deleted', async () => {
    const { token, primary } = await withTwo()
    const elsewhere = await app.a.post(`${path}/${primary.id}/verify-tax-number`, { token })
    expectRefusal(elsewhere, 'route.elsewhere')
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([404, 'RES001'])
    expect(elsewhere.body.error.message).toContain(`POST ${app.b.form.prefix}${path}/${primary.id}/verify-tax-number`)
    expectRefusal(await app.a.delete(`${path}/bulk`, { token, body: { ids: [primary.id] } }), 'route.elsewhere')
    // These paths can be read, so that the refusal is about the method.
    for (const reply of [
      await app.a.post(path, { token, body: second }),
      await app.a.delete(`${path}/${primary.id}`, { token }),
    ]) {
      expectRefusal(reply, 'route.method_not_allowed')
      expect([reply.status, reply.body.error.code]).toEqual([405, 'RES001'])
      expect(reply.headers.get('allow')).toContain('GET')
    }
    expect((await app.a.get(path, { token })).data).toEqual([primary])
  })

  test('a seller of another organisation is not found, and reading needs a capability', async () => {
    const { person, primary } = await withTwo()
    const stranger = await app.person()
    for (const client of [app.a, app.b])
      for (const rest of ['', '/verification-status'])
        expectRefusal(await client.get(`${path}/${primary.id}${rest}`, { token: stranger.token }), 'resource.not_found')
    const viewer = await app.member(person.organisationId, 'VIEWER')
    const blind = await memberHolding(app, person, 'buyer.read')
    for (const rest of ['', `/${primary.id}`, '/search?q=eze', '/setup', `/${primary.id}/verification-status`]) {
      expect((await app.a.get(`${path}${rest}`, { token: viewer.token })).status).toBe(200)
      expectRefusal(await app.a.get(`${path}${rest}`, { token: blind.token }), 'auth.capability_missing')
      expect((await app.a.get(`${path}${rest}`)).status).toBe(401)
    }
  })
})
