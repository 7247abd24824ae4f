import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
const address = { line1: '12 Marina', city: 'Lagos', state: 'Lagos', country: 'NG' }
const long = (length: number) => 'x'.repeat(length)
const emailOf = (length: number) =>
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(length - 197)}.com`
const websiteOf = (length: number) => `https://eze.ng/${'w'.repeat(length - 15)}`

/** Field names of each form, and the profile of an organisation with few facts. */
const forms = {
  A: {
    name: 'name',
    email: 'contactEmail',
    bare: ({ organisationId }: Person) => ({
      id: organisationId,
      name: 'Eze Stores',
      country: 'NG',
      website: null,
      contactEmail: null,
      address: null,
      logo: null,
      bankDetails: null,
      taxNumber: null,
      phone: null,
      phoneVerified: false,
      parentOrganizationId: null,
      onboardedAt: null,
      createdAt: app.clock.now().toISOString(),
    }),
  },
  B: {
    name: 'businessName',
    email: 'email',
    bare: ({ organisationId }: Person) => ({
      id: organisationId,
      businessName: 'Eze Stores',
      email: null,
      taxNo: null,
      taxNoVerified: false,
      phoneNumber: null,
      phoneVerified: false,
      website: null,
      country: 'NG',
      address: null,
      logo: null,
      bankDetails: null,
      parentId: null,
      onboardingCompleted: false,
      onboardingCompletedAt: null,
      createdAt: app.clock.now().toISOString(),
    }),
  },
} as const

const updatesOf = async ({ organisationId }: Person): Promise<{ changed: string[]; name: string }[]> =>
  (
    await app.runtime.db.rows<{ data: { changed: string[]; name: string } }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'organization.updated' order by position`,
    )
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('the profile in form %s', (form) => {
  const { name, email, bare } = forms[form]
  let client: Client
  let owner: Person
  beforeAll(async () => {
    client = app.client(form)
    owner = await app.person()
  })
  const read = async (person: Person) =>
    (await client.get(`${organisations}/${person.organisationId}`, { token: person.token })).data
  const change = (person: Person, body: object, id: string = 'me'): Promise<Reply> =>
    client.patch(`${organisations}/${id}`, { token: person.token, body })

  test('is read by its id, by people and keys with the capability', async () => {
    const path = `${organisations}/${owner.organisationId}`
    const reply = await client.get(path, { token: owner.token })
    expect([reply.status, reply.data]).toEqual([200, bare(owner)])
    const key = await app.key(owner.organisationId, { capabilities: ['organization.read'] })
    expect((await client.get(path, { token: key })).data).toEqual(bare(owner))
    const blind = await app.key(owner.organisationId, { capabilities: ['invoice.read'] })
    expectRefusal(await client.get(path, { token: blind }), 'auth.capability_missing')
  })

  test('of another organisation, or with a malformed id, is not found', async () => {
    const stranger = await app.person()
    const key = await app.key(owner.organisationId)
    for (const id of [stranger.organisationId, randomUUID(), 'not-an-id', `${owner.organisationId}0`]) {
      expectRefusal(await client.get(`${organisations}/${id}`, { token: owner.token }), 'resource.not_found')
      expectRefusal(await client.get(`${organisations}/${id}`, { token: key }), 'resource.not_found')
      expectRefusal(await change(owner, { [name]: 'Mine now' }, id), 'resource.not_found')
    }
    expect(await read(stranger)).toEqual(bare(stranger))
  })

  test('is changed by id or as `me`, and absent fields stay', async () => {
    const person = await app.person()
    expect((await change(person, { [name]: 'Eze Ltd' }, person.organisationId)).status).toBe(200)
    expect(await read(person)).toEqual({ ...bare(person), [name]: 'Eze Ltd' })
    const rest = { [email]: 'office@eze.ng', website: 'https://eze.ng', address: { ...address, postalCode: '101001' } }
    expect((await change(person, rest)).status).toBe(200)
    expect(await read(person)).toEqual({ ...bare(person), [name]: 'Eze Ltd', ...rest })
    expect((await change(person, { address })).status).toBe(200)
    expect((await read(person)).address).toEqual(address)
    expect(await updatesOf(person)).toEqual([
      { changed: ['name'], name: 'Eze Ltd' },
      { changed: expect.arrayContaining(['contactEmail', 'website', 'address']), name: 'Eze Ltd' },
      { changed: ['address'], name: 'Eze Ltd' },
    ])
  })

  test('that is sent unchanged, in any order of fields, is no change', async () => {
    const person = await app.person()
    const full = { [name]: 'Eze Ltd', [email]: 'office@eze.ng', website: 'https://eze.ng', address }
    await change(person, full)
    const { line1, city, state, country } = address
    for (const same of [full, {}, { address }, { address: { country, state, city, line1 } }, { [name]: 'Eze Ltd' }])
      expect((await change(person, same)).status).toBe(200)
    expect(await updatesOf(person)).toHaveLength(1)
  })

  test('needs its own capability for email and address', async () => {
    const person = await app.person()
    const clerk = await memberHolding(app, person, 'organization.read', 'organization.update')
    expect((await change(clerk, { [name]: 'Eze & Daughters', website: 'https://eze.ng' })).status).toBe(200)
    for (const body of [{ [email]: 'thief@example.test' }, { address }, { [name]: 'Thief', address }]) {
      const refused = await change(clerk, body)
      expectRefusal(refused, 'auth.capability_missing')
      expect(faultPaths(refused)).toEqual(['organization.update_contact'])
    }
    const contact = await memberHolding(app, person, 'organization.update_contact')
    const neither = await change(contact, { [email]: 'thief@example.test' })
    expectRefusal(neither, 'auth.capability_missing')
    expect(faultPaths(neither)).toEqual(['organization.update'])
    const both = await memberHolding(app, person, 'organization.update', 'organization.update_contact')
    expect((await change(both, { [email]: 'office@eze.ng' })).status).toBe(200)
    expect(await read(person)).toMatchObject({
      [name]: 'Eze & Daughters',
      [email]: 'office@eze.ng',
      address: null,
      website: 'https://eze.ng',
    })
  })

  test('cannot be changed by keys or read-only roles', async () => {
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expectRefusal(await change(viewer, { [name]: 'Mine' }), 'auth.capability_missing')
    const token = await app.key(owner.organisationId)
    expectRefusal(await client.patch(`${organisations}/me`, { token, body: { [name]: 'Mine' } }), 'auth.users_only')
  })

  const kept: [field: string, body: object][] = [
    ...[1, 255].map((length): [string, object] => [name, { [name]: long(length) }]),
    ...['a@b.ng', emailOf(254)].map((text): [string, object] => [email, { [email]: text }]),
    ...['https://e.ng', 'http://eze.ng/shop?a=1', websiteOf(255)].map((website): [string, object] => [
      'website',
      { website },
    ]),
    ['address', { address: { line1: 'a', line2: 'b', city: 'c', state: 'd', postalCode: 'e', country: 'GB' } }],
    [
      'address',
      {
        address: {
          line1: long(200),
          line2: long(200),
          city: long(100),
          state: long(100),
          postalCode: long(20),
          country: 'US',
        },
      },
    ],
  ]
  test('accepts the shortest and the longest value of every field', async () => {
    const person = await app.person()
    for (const [field, body] of kept) {
      const reply = await change(person, body)
      expect([reply.status, field], reply.text).toEqual([200, field])
      expect((await read(person))[field]).toEqual((body as Record<string, unknown>)[field])
    }
  })

  const refused: [path: string, body: object][] = [
    ...['', ' ', long(256), null, 7].map((value): [string, object] => [name, { [name]: value }]),
    ...['', 'eze.ng', 'a@', 'a b@eze.ng', emailOf(255), null].map((value): [string, object] => [
      email,
      { [email]: value },
    ]),
    ...['', 'eze.ng', 'ftp://eze.ng', 'javascript:alert(1)', websiteOf(256), null].map((website): [string, object] => [
      'website',
      { website },
    ]),
    ...Object.entries({ line1: 200, line2: 200, city: 100, state: 100, postalCode: 20 }).flatMap(([part, most]) =>
      ['', long(most + 1), 7].map((value): [string, object] => [
        `address.${part}`,
        { address: { ...address, [part]: value } },
      ]),
    ),
    ...['', 'N', 'NGA', '12'].map((country): [string, object] => [
      'address.country',
      { address: { ...address, country } },
    ]),
    ...(['line1', 'city', 'state', 'country'] as const).map((part): [string, object] => {
      const { [part]: _, ...rest } = address
      return [`address.${part}`, { address: rest }]
    }),
    ['address', { address: null }],
    ['address.zip', { address: { ...address, zip: '1' } }],
    ['nmae', { nmae: 'Eze' }],
    ['taxNumber', { taxNumber: '12345678-0001' }],
    ['id', { id: randomUUID() }],
  ]
  test('refuses a field that is too short, too long, malformed, missing or unknown, and names it', async () => {
    for (const [path, body] of refused) {
      const reply = await change(owner, body)
      expect(reply.headers.get('risiti-reason'), JSON.stringify(body)).toBe('request.invalid')
      expectRefusal(reply, 'request.invalid')
      expect([...new Set(faultPaths(reply))]).toEqual([path])
    }
    expect(await read(owner)).toEqual(bare(owner))
  })

  test('lists all faults at once', async () => {
    const reply = await change(owner, {
      [name]: '',
      [email]: 'nobody',
      website: 'eze',
      address: { line1: '', line2: '', city: 5, postalCode: long(21), country: 'EU', zip: 1 },
      fax: '1',
    })
    expectRefusal(reply, 'request.invalid')
    const parts = ['city', 'country', 'line1', 'line2', 'postalCode', 'state', 'zip'].map((part) => `address.${part}`)
    expect([...new Set(faultPaths(reply))]).toEqual([name, email, 'website', 'fax', ...parts].sort())
  })
})

test('form A replies to a change with the summary and the changed contact fields', async () => {
  const person = await app.person()
  const change = async (body: object) =>
    (await app.a.patch(`${organisations}/me`, { token: person.token, body })).data as object
  const summary = { id: person.organisationId, name: 'Eze', country: 'NG', website: null }
  expect(await change({ name: 'Eze' })).toEqual(summary)
  const contactEmail = 'office@eze.ng'
  expect(await change({ contactEmail })).toEqual({ ...summary, contactEmail })
  expect(await change({ contactEmail, address })).toEqual({ ...summary, address })
  expect(await change({ contactEmail, address })).toEqual(summary)
  expect(await change({ website: 'https://eze.ng' })).toEqual({ ...summary, website: 'https://eze.ng' })
})

test('form A’s `me` lists every organisation of the person, with the membership status', async () => {
  const person = await app.person()
  const boss = await app.person()
  const joinedAt = app.clock.now().toISOString()
  await app.runtime.db.run(sql`
    insert into memberships (organisation_id, user_id, role_id, status, joined_at)
    values (${boss.organisationId}, ${person.userId}, '00000000-0000-7000-8000-000000000003', 'suspended', ${joinedAt})`)
  const shared = { name: 'Eze Stores', country: 'NG', joinedAt }
  const reply = await app.a.get(`${organisations}/me`, { token: person.token })
  expect(reply.data).toEqual([
    {
      ...shared,
      id: person.organisationId,
      role: { id: '00000000-0000-7000-8000-000000000001', name: 'OWNER', label: 'Owner' },
      membershipStatus: 'active',
      current: true,
    },
    {
      ...shared,
      id: boss.organisationId,
      role: { id: '00000000-0000-7000-8000-000000000003', name: 'ACCOUNTANT', label: 'Accountant' },
      membershipStatus: 'suspended',
      current: false,
    },
  ])
  expect(reply.body.meta.pagination).toMatchObject({ page: 1, limit: 2, total: 2, totalPages: 1 })
  const token = await app.key(person.organisationId)
  expectRefusal(await app.a.get(`${organisations}/me`, { token }), 'auth.users_only')
})

test('form B’s `me` is the organisation of the token, a person’s or a key’s', async () => {
  const person = await app.person()
  for (const token of [person.token, await app.key(person.organisationId)]) {
    const reply = await app.b.get(`${organisations}/me`, { token })
    expect([reply.status, reply.data]).toEqual([200, forms.B.bare(person)])
  }
})

test('a person without an organisation gets an empty list', async () => {
  const owner = await app.person()
  const gone = await app.member(owner.organisationId, 'MEMBER')
  await app.a.delete(`${organisations}/me/users/${gone.userId}`, { token: owner.token })
  const { data } = await app.a.post('/a/v1/auth/refresh', { body: { refreshToken: gone.refreshToken } })
  const token = data.accessToken as string
  const mine = await app.a.get(`${organisations}/me`, { token })
  expect([mine.data, mine.body.meta.pagination.total]).toEqual([[], 0])
  expectRefusal(await app.b.get(`${organisations}/me`, { token }), 'auth.capability_missing')
  expectRefusal(await app.a.get(`${organisations}/${owner.organisationId}`, { token }), 'auth.capability_missing')
})
