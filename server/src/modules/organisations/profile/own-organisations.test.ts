import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
const business = { businessName: 'Eze Farms', email: 'farms@eze.ng' }
const long = (length: number) => 'x'.repeat(length)
const newTaxNo = () => `${randomInt(10_000_000, 100_000_000)}-0001`
const create = ({ token }: Pick<Person, 'token'>, body: object): Promise<Reply> =>
  app.b.post(organisations, { token, body })
const list = ({ token }: Person, query = '') => app.b.get(`${organisations}${query}`, { token })
const children = ({ token }: Pick<Person, 'token'>, query = '') =>
  app.b.get(`${organisations}/me/children${query}`, { token })
const namesIn = ({ data }: Reply) => (data as { businessName: string }[]).map(({ businessName }) => businessName)
const me = (client: Client, token: string) => client.get('/a/v1/auth/me', { token })
const eventsOf = async (organisationId: string) =>
  await app.runtime.db.rows<{ type: string; objectId: string; actorId: string }>(
    sql`select type, object_id, actor_id from events where organisation_id = ${organisationId} and actor_kind = 'user' order by position`,
  )

describe('a further organisation, only in form B', () => {
  test('belongs to its creator, and its URL is in Location', async () => {
    const person = await app.person()
    const full = { ...business, taxNo: newTaxNo(), phoneNumber: '+2348012345678', website: 'https://eze.ng' }
    const made = await create(person, { ...full, country: 'GH' })
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      ...full,
      taxNoVerified: false,
      id: expect.any(String),
      country: 'GH',
      phoneVerified: false,
      address: null,
      parentId: null,
      onboardingCompleted: false,
      onboardingCompletedAt: null,
      createdAt: app.clock.now().toISOString(),
    })
    expect(made.headers.get('location')).toBe(`${app.b.form.prefix}${organisations}/${made.data.id}`)
    expect((await list(person)).data).toEqual([
      expect.objectContaining({ id: person.organisationId, current: true }),
      {
        id: made.data.id,
        businessName: 'Eze Farms',
        country: 'GH',
        parentId: null,
        role: { id: '00000000-0000-7000-8000-000000000001', name: 'OWNER', label: 'Owner' },
        status: 'active',
        current: false,
      },
    ])
    expect(await eventsOf(made.data.id)).toEqual([
      { type: 'organization.created', objectId: made.data.id, actorId: person.userId },
      { type: 'member.joined', objectId: person.userId, actorId: person.userId },
      { type: 'seller.created', objectId: expect.any(String), actorId: person.userId },
    ])
    expectRefusal(await app.a.post(organisations, { token: person.token, body: business }), 'route.elsewhere')
  })

  test('accepts every field within its limits, and is in Nigeria by default', async () => {
    const person = await app.person()
    const good = [
      { businessName: 'ab' },
      { businessName: long(255) },
      { taxNo: '00000000-0000' },
      { phoneNumber: '+1234567' },
      { phoneNumber: '+123456789012345' },
    ]
    for (const part of good) {
      const made = await create(person, { ...business, ...part })
      expect([made.status, made.data], made.text).toEqual([201, expect.objectContaining({ country: 'NG', ...part })])
    }
    const wrong: Record<string, unknown[]> = {
      businessName: ['', 'a', '  ', long(256), null],
      email: ['', 'eze.ng', null],
      taxNo: ['', '1234567-0001', '123456789-0001', '12345678-001', '12345678-00011', '123456780001', '1234567A-0001'],
      phoneNumber: ['', '08012345678', '+0801234567', '+123456', '+1234567890123456', '+234 801 234 5678'],
      website: ['', 'eze.ng', `https://eze.ng/${long(241)}`],
      country: ['', 'N', 'NGA', 'ng', '12', 'UK', 'EU', 'XK', 'QQ'],
      asChild: ['true', 1],
      ownerId: [person.userId],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const refused = await create(person, { ...business, [field]: value })
        expectRefusal(refused, 'request.invalid')
        expect([...new Set(faultPaths(refused))], JSON.stringify({ [field]: value })).toEqual([field])
      }
    expect(faultPaths(await create(person, {}))).toEqual(['businessName', 'email'])
    expect((await list(person)).body.meta.pagination.total).toBe(1 + good.length)
  })

  test('is refused if the person has one with that tax number, and other persons do not matter', async () => {
    const [person, other] = [await app.person(), await app.person()]
    const taxNo = newTaxNo()
    expect((await create(person, { ...business, taxNo })).status).toBe(201)
    expectRefusal(await create(person, { ...business, businessName: 'Again', taxNo }), 'organisation.duplicate')
    expect((await create(other, { ...business, taxNo })).status).toBe(201)
    expect((await create(person, { ...business, taxNo: newTaxNo() })).status).toBe(201)
  })

  test('is created once by two concurrent requests', async () => {
    const person = await app.person()
    for (let round = 0; round < casesToTry(4, 10); round++) {
      const taxNo = newTaxNo()
      const replies = await Promise.all([1, 2, 3].map(() => create(person, { ...business, taxNo })))
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    }
  })

  test('is listed in pages', async () => {
    const person = await app.person()
    for (const businessName of ['First', 'Second', 'Third', 'Fourth'])
      await create(person, { ...business, businessName })
    expect(namesIn(await list(person))).toEqual(['Eze Stores', 'First', 'Second', 'Third', 'Fourth'])
    const page = await list(person, '?page=2&limit=2')
    expect(namesIn(page)).toEqual(['Second', 'Third'])
    expect(page.body.meta.pagination).toMatchObject({ page: 2, limit: 2, total: 5, totalPages: 3 })
    expect((await list(person, '?page=4&limit=2')).data).toEqual([])
    for (const query of ['page=0', 'limit=0', 'limit=101', 'page=x', 'size=2']) {
      const refused = await list(person, `?${query}`)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual([query.split('=')[0]])
    }
    const token = await app.key(person.organisationId)
    expectRefusal(await app.b.get(organisations, { token }), 'auth.users_only')
  })

  test('may be a child of the current organisation', async () => {
    const person = await app.person()
    const made: Reply[] = []
    for (const businessName of ['Kaduna', 'Kano', 'Jos'])
      made.push(await create(person, { ...business, businessName, asChild: true }))
    expect(made.map(({ data }) => data.parentId)).toEqual(Array(3).fill(person.organisationId))
    await create(person, { ...business, businessName: 'Apart', asChild: false })
    const all = await children(person)
    expect([namesIn(all), all.body.meta.pagination.total]).toEqual([['Kaduna', 'Kano', 'Jos'], 3])
    const second = await children(person, '?limit=2&page=2')
    expect([namesIn(second), second.body.meta.pagination]).toEqual([
      ['Jos'],
      { page: 2, limit: 2, total: 3, totalPages: 2, hasMore: false, nextCursor: null },
    ])
    const body = { organizationId: made[0]?.data.id as string }
    const inside = await app.b.post(`${organisations}/switch`, { token: person.token, body })
    expect((await children({ token: inside.data.accessToken })).data).toEqual([])
    expect(
      (await app.a.get(`${organisations}/${body.organizationId}`, { token: inside.data.accessToken })).data,
    ).toEqual(expect.objectContaining({ name: 'Kaduna', parentOrganizationId: person.organisationId }))
  })

  test('needs organization.update only as a child', async () => {
    const owner = await app.person()
    const member = await memberHolding(app, owner, 'organization.read')
    const refused = await create(member, { ...business, asChild: true })
    expectRefusal(refused, 'auth.capability_missing')
    expect(faultPaths(refused)).toEqual(['organization.update'])
    expect((await create(member, business)).data.parentId).toBeNull()
    expect((await children(member)).data).toEqual([])
    expectRefusal(await children(await memberHolding(app, owner, 'item.read')), 'auth.capability_missing')
    const manager = await memberHolding(app, owner, 'organization.update')
    expect((await create(manager, { ...business, asChild: true })).data.parentId).toBe(owner.organisationId)
  })
})

describe.each(['A', 'B'] as const)('switching in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const goTo = (token: string, organizationId: string, own: object = {}) =>
    client.post(`${organisations}/switch`, { token, body: { organizationId, ...own } })

  test('moves the session, and earlier tokens stop', async () => {
    const person = await app.person()
    const second = (await create(person, business)).data.id as string
    const there = await goTo(person.token, second)
    expect(there.data).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^rt_/),
      tokenType: 'Bearer',
      expiresIn: 900,
      organizationId: second,
      mode: 'sandbox',
    })
    expectRefusal(await me(client, person.token), 'auth.token_outdated')
    expect((await me(client, there.data.accessToken)).data).toMatchObject({ organizationId: second, role: 'OWNER' })
    const again = await client.post('/a/v1/auth/refresh', { body: { refreshToken: there.data.refreshToken } })
    expect(again.data.organizationId).toBe(second)
  })

  test('can change the mode too, or only the mode', async () => {
    const person = await app.person()
    const second = (await create(person, business)).data.id as string
    const live = await goTo(person.token, second, { mode: 'live' })
    expect(live.data).toMatchObject({ organizationId: second, mode: 'live' })
    const home = await goTo(live.data.accessToken, person.organisationId)
    expect(home.data).toMatchObject({ organizationId: person.organisationId, mode: 'live' })
    const back = await goTo(home.data.accessToken, person.organisationId, { mode: 'sandbox' })
    expect((await me(client, back.data.accessToken)).data).toMatchObject({
      organizationId: person.organisationId,
      mode: 'sandbox',
    })
  })

  test('needs an active membership', async () => {
    const [person, boss] = [await app.person(), await app.person()]
    for (const id of [boss.organisationId, randomUUID()])
      expectRefusal(await goTo(person.token, id), 'resource.not_found')
    const employee = await app.member(boss.organisationId, 'ADMIN')
    const own = (await create(employee, business)).data.id as string
    const inOwn = (await goTo(employee.token, own)).data.accessToken as string
    const suspend = (status: string) =>
      client.patch(`${organisations}/me/users/${employee.userId}/status`, { token: boss.token, body: { status } })
    expect((await suspend('suspended')).status).toBe(200)
    expectRefusal(await goTo(inOwn, boss.organisationId), 'resource.not_found')
    expect((await me(client, inOwn)).status).toBe(200)
    expect((await suspend('active')).status).toBe(200)
    expect((await goTo(inOwn, boss.organisationId)).data.organizationId).toBe(boss.organisationId)
  })

  test('needs an id, and a valid mode', async () => {
    const { token, organisationId } = await app.person()
    for (const [body, paths] of [
      [{}, ['organizationId']],
      [{ organizationId: 'me' }, ['organizationId']],
      [{ organizationId: organisationId, mode: 'production' }, ['mode']],
      [{ organizationId: organisationId, organisation: 1 }, ['organisation']],
    ] as const) {
      const refused = await client.post(`${organisations}/switch`, { token, body })
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(paths)
    }
    const key = await app.key(organisationId)
    expectRefusal(await goTo(key, organisationId), 'auth.users_only')
    expect((await me(client, token)).status).toBe(200)
  })
})

describe('the credit pool', () => {
  const path = `${organisations}/me/credit-pool-config`
  const standard = { primaryCoversSecondary: false, fallbackToPrimary: false, minimumReserve: 0 }
  const read = async ({ token }: Person) => (await app.b.get(path, { token })).data as object
  const change = ({ token }: Person, body: object) => app.b.patch(path, { token, body })

  test('is off by default, and can be changed field by field', async () => {
    const [person, other] = [await app.person(), await app.person()]
    expect(await read(person)).toEqual(standard)
    expect((await change(person, { minimumReserve: 250 })).data).toEqual({ ...standard, minimumReserve: 250 })
    expect((await change(person, { primaryCoversSecondary: true })).data).toEqual({
      ...standard,
      primaryCoversSecondary: true,
      minimumReserve: 250,
    })
    const all = { primaryCoversSecondary: false, fallbackToPrimary: true, minimumReserve: 1_000_000_000 }
    expect((await change(person, all)).data).toEqual(all)
    expect(await read(person)).toEqual(all)
    expect(await read(other)).toEqual(standard)
    const changes = (await eventsOf(person.organisationId)).filter(({ type }) => type.includes('credit_pool'))
    expect(changes).toHaveLength(3)
  })

  test('that is sent unchanged emits no event', async () => {
    const person = await app.person()
    for (const same of [{}, standard, { minimumReserve: 0 }])
      expect((await change(person, same)).data).toEqual(standard)
    await change(person, { minimumReserve: 5 })
    await change(person, { minimumReserve: 5 })
    const changes = (await eventsOf(person.organisationId)).filter(({ type }) => type.includes('credit_pool'))
    expect(changes).toHaveLength(1)
  })

  test('keeps both of two concurrent changes', async () => {
    const person = await app.person()
    for (let round = 1; round <= 10; round++) {
      await change(person, standard)
      await Promise.all([
        change(person, { primaryCoversSecondary: true }),
        change(person, { fallbackToPrimary: true }),
        change(person, { minimumReserve: round }),
      ])
      expect(await read(person)).toEqual({
        primaryCoversSecondary: true,
        fallbackToPrimary: true,
        minimumReserve: round,
      })
    }
  })

  test('can be read by members, and changed with the capability', async () => {
    const owner = await app.person()
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expect(await read(viewer)).toEqual(standard)
    expectRefusal(await change(viewer, { minimumReserve: 1 }), 'auth.capability_missing')
    const token = await app.key(owner.organisationId)
    expectRefusal(await app.b.get(path, { token }), 'auth.users_only')
    const wrong: Record<string, unknown[]> = {
      minimumReserve: [-1, 1_000_000_001, 1.5, '5', null],
      primaryCoversSecondary: ['true', 1, null],
      fallbackToPrimary: ['true', 0],
      reserve: [1],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const refused = await change(owner, { [field]: value })
        expectRefusal(refused, 'request.invalid')
        expect([...new Set(faultPaths(refused))]).toEqual([field])
      }
    expect(await read(owner)).toEqual(standard)
  })
})
