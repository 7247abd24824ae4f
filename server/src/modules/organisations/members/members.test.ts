import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { makeRole, memberHolding } from '../../../../../test/harness/custom-role.ts'
import { type SystemRoleName, systemRole, systemRoleNames } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const users = '/a/v1/organizations/me/users'
const namesIn = ({ data }: Reply) => (data as { fullName: string }[]).map(({ fullName }) => fullName)
const list = (client: Client, { token }: Person, query = '') => client.get(`${users}${query}`, { token })

async function called(person: Person, firstName: string, lastName: string, email = person.email): Promise<Person> {
  await app.runtime.db.run(
    sql`update users set first_name = ${firstName}, last_name = ${lastName}, email = ${email} where id = ${person.userId}`,
  )
  return { ...person, email }
}

interface Team {
  readonly owner: Person
  readonly ada: Person
  readonly people: Readonly<Record<string, Person>>
}

/** People with names that are hard to search for, one of each status. */
async function team(): Promise<Team> {
  const unique = randomUUID().slice(0, 8)
  const at = (name: string) => `${name}@${unique}.test`
  const owner = await called(await app.person(), 'Ngozi', 'Eze', at('ngozi'))
  const join = async (role: SystemRoleName, first: string, last: string, email: string) =>
    await called(await app.member(owner.organisationId, role), first, last, at(email))
  const ada = await join('ADMIN', 'Ada', 'Okoro', 'Boss')
  const people = {
    ada,
    adaobi: await join('MEMBER', 'adaobi', 'Nwosu', 'office'),
    percent: await join('VIEWER', '100%', 'Under_score', 'x%y_z'),
    ola: await join('ACCOUNTANT', 'Ọlá', 'Ṣonúgà', 'back\\slash'),
    gone: await join('DEVELOPER', 'Emeka', 'Obi', 'emeka'),
  }
  const standing = async (person: Person, status: string) =>
    await app.b.patch(`${users}/${person.userId}/status`, { token: owner.token, body: { status } })
  await standing(people.ola, 'suspended')
  await standing(people.gone, 'deactivated')
  return { owner, ada, people }
}

describe.each(['A', 'B'] as const)('members in form %s', (form) => {
  let client: Client
  let all: Team
  beforeAll(async () => {
    client = app.client(form)
    all = await team()
  })

  test('are listed in order of joining, in pages', async () => {
    const { owner } = all
    const everyone = ['Ngozi Eze', 'Ada Okoro', 'adaobi Nwosu', '100% Under_score', 'Ọlá Ṣonúgà', 'Emeka Obi']
    const reply = await list(client, owner)
    expect(namesIn(reply).sort()).toEqual(everyone.toSorted())
    expect(reply.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 6, totalPages: 1 })
    const pages = await Promise.all([1, 2, 3].map((page) => list(client, owner, `?limit=4&page=${page}`)))
    expect(pages.flatMap(namesIn)).toEqual(namesIn(reply))
    expect(pages.map(({ data }) => data.length)).toEqual([4, 2, 0])
    expect(pages[1]?.body.meta.pagination).toMatchObject({ page: 2, limit: 4, total: 6, totalPages: 2 })
    expect(namesIn(await list(client, owner, '?limit=100'))).toHaveLength(6)
  })

  test('are found by the start of a name or address, in any case', async () => {
    const found: [search: string, ...names: string[]][] = [
      ['ada', 'Ada Okoro', 'adaobi Nwosu'],
      ['ADA', 'Ada Okoro', 'adaobi Nwosu'],
      ['ada o', 'Ada Okoro'],
      ['Ada Okoro', 'Ada Okoro'],
      ['okoro', 'Ada Okoro'],
      ['boss@', 'Ada Okoro'],
      ['OFFICE@', 'adaobi Nwosu'],
      ['o', 'Ada Okoro', 'Emeka Obi', 'adaobi Nwosu'],
      ['ọlá', 'Ọlá Ṣonúgà'],
      ['ṢONÚGÀ', 'Ọlá Ṣonúgà'],
      // Not at the beginning of a word.
      ['bi'],
      ['test'],
      ['Ada  Okoro'],
      // Pattern characters stand for themselves.
      ['100%', '100% Under_score'],
      ['under_', '100% Under_score'],
      ['x%y_z', '100% Under_score'],
      ['back\\', 'Ọlá Ṣonúgà'],
      ['%'],
      ['_'],
      ['\\'],
      ['1__%'],
      ['x_y'],
      ["' or 1=1 --"],
    ]
    for (const [search, ...names] of found) {
      const reply = await list(client, all.owner, `?search=${encodeURIComponent(search)}`)
      expect([search, namesIn(reply).sort()]).toEqual([search, names])
      expect(reply.body.meta.pagination.total).toBe(names.length)
    }
  })

  test('are filtered by status and role, together with a search', async () => {
    const { owner } = all
    const byRole = (name: SystemRoleName) => (form === 'A' ? `role=${name}` : `roleId=${systemRole(name).id}`)
    const found: Record<string, string[]> = {
      'status=active': ['100% Under_score', 'Ada Okoro', 'Ngozi Eze', 'adaobi Nwosu'],
      'status=suspended': ['Ọlá Ṣonúgà'],
      ...(form === 'B' ? { 'status=deactivated': ['Emeka Obi'] } : {}),
      [byRole('OWNER')]: ['Ngozi Eze'],
      [byRole('ADMIN')]: ['Ada Okoro'],
      [byRole('ACCOUNTANT')]: ['Ọlá Ṣonúgà'],
      [byRole('MEMBER')]: ['adaobi Nwosu'],
      [byRole('DEVELOPER')]: ['Emeka Obi'],
      [byRole('VIEWER')]: ['100% Under_score'],
      [`${byRole('MEMBER')}&search=ada`]: ['adaobi Nwosu'],
      [`${byRole('VIEWER')}&search=ada`]: [],
      [`${byRole('ACCOUNTANT')}&status=active`]: [],
      'status=active&search=o': ['Ada Okoro', 'adaobi Nwosu'],
    }
    for (const [query, names] of Object.entries(found)) {
      const reply = await list(client, owner, `?${query}`)
      expect([query, namesIn(reply).sort(), reply.body.meta.pagination.total]).toEqual([query, names, names.length])
    }
  })

  test('are not filtered by a malformed or unknown filter', async () => {
    const wrong = {
      A: ['status=deactivated', 'status=gone', 'role=owner', 'role=', `roleId=${randomUUID()}`],
      B: ['status=gone', 'roleId=owner', 'role=OWNER'],
    }[form]
    const limits = [
      'search=',
      'search=%20%20',
      `search=${'x'.repeat(101)}`,
      'page=0',
      'limit=0',
      'limit=101',
      'limit=1.5',
    ]
    for (const query of [...wrong, ...limits]) {
      const refused = await list(client, all.owner, `?${query}`)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))]).toEqual([query.split('=')[0]])
    }
    expect((await list(client, all.owner, `?search=${'x'.repeat(100)}`)).data).toEqual([])
  })

  test('can be read one by one, the own membership as `me`', async () => {
    const { owner, ada } = all
    const shared = {
      id: ada.userId,
      email: ada.email,
      firstName: 'Ada',
      lastName: 'Okoro',
      fullName: 'Ada Okoro',
      role: { id: systemRole('ADMIN').id, name: 'ADMIN', label: 'Administrator' },
      status: 'active',
      emailVerified: true,
      totpEnabled: false,
      joinedAt: app.clock.now().toISOString(),
    }
    const own = {
      A: { phone: null, capabilities: systemRole('ADMIN').capabilities.toSorted() },
      B: { phoneNumber: null, phoneVerified: false },
    }[form]
    const seen = await client.get(`${users}/${ada.userId}`, { token: owner.token })
    expect(seen.data).toEqual({ ...shared, ...own })
    expect((await client.get(`${users}/me`, { token: ada.token })).data).toEqual(seen.data)
    const byId = `/a/v1/organizations/${owner.organisationId}/users/${ada.userId}`
    expect((await client.get(byId, { token: owner.token })).data).toEqual(seen.data)
  })

  test('of other organisations are not found', async () => {
    const { owner } = all
    const stranger = await app.person()
    for (const id of [stranger.userId, randomUUID(), 'not-an-id', owner.organisationId])
      expectRefusal(await client.get(`${users}/${id}`, { token: owner.token }), 'resource.not_found')
    const theirs = `/a/v1/organizations/${owner.organisationId}/users`
    expectRefusal(await client.get(theirs, { token: stranger.token }), 'resource.not_found')
    expectRefusal(await client.get(`${theirs}/${owner.userId}`, { token: stranger.token }), 'resource.not_found')
    expect(namesIn(await list(client, stranger))).toEqual(['Ngozi Eze'])
  })

  test('can be read by people with the capability, never by keys', async () => {
    const { owner, people } = all
    expect((await list(client, people.percent as Person)).data).toHaveLength(6)
    const clerk = await memberHolding(app, await app.person(), 'item.read')
    const token = await app.key(owner.organisationId)
    for (const path of [users, `${users}/me`, `${users}/${owner.userId}`]) {
      expectRefusal(await client.get(path, { token: clerk.token }), 'auth.capability_missing')
      expectRefusal(await client.get(path, { token }), 'auth.users_only')
    }
  })
})

test('form B filters members by a custom role, and finds nobody with a foreign role', async () => {
  const owner = await app.person()
  const roleId = await makeRole(app, owner, ['item.read'])
  const packer = await app.member(owner.organisationId, 'VIEWER')
  await app.b.patch(`${users}/${packer.userId}/role`, { token: owner.token, body: { roleId } })
  const found = await list(app.b, owner, `?roleId=${roleId}`)
  expect(found.data).toMatchObject([{ id: packer.userId, role: { id: roleId, label: 'Own' } }])
  expect((await list(app.b, owner, `?roleId=${randomUUID()}`)).data).toEqual([])
})

test('form A shows the capabilities of members with their additional permissions', async () => {
  const owner = await app.person()
  const viewer = await app.member(owner.organisationId, 'VIEWER')
  const body = { permissions: ['item.create'] }
  await app.b.post(`${users}/${viewer.userId}/permissions`, { token: owner.token, body })
  const seen = await app.a.get(`${users}/${viewer.userId}`, { token: owner.token })
  expect(seen.data.capabilities).toEqual([...systemRole('VIEWER').capabilities, 'item.create'].sort())
  const roles = await Promise.all(systemRoleNames.map((role) => list(app.a, owner, `?role=${role}`)))
  expect(roles.map(({ data }) => data.length)).toEqual([1, 0, 0, 0, 0, 1])
})

describe('the phone of a member, only in form B', () => {
  const newPhone = () => `+23470${randomInt(10_000_000, 100_000_000)}`
  const send = ({ token }: Person, userId: string, phoneNumber: string) =>
    app.b.post(`${users}/${userId}/send-phone-verification`, { token, body: { phoneNumber } })
  const verify = ({ token }: Person, userId: string, phoneNumber: string, otp: string) =>
    app.b.post(`${users}/${userId}/verify-phone`, { token, body: { phoneNumber, otp } })
  const codeTo = async (phone: string) => (await app.mailTo(phone))[0]?.subject.slice(0, 6) as string
  const anotherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const phoneOf = async (owner: Person, userId: string) => {
    const { data } = await app.b.get(`${users}/${userId}`, { token: owner.token })
    return [data.phoneNumber, data.phoneVerified]
  }

  test('is set after it is verified with a texted code', async () => {
    const owner = await app.person()
    const { userId } = await app.member(owner.organisationId, 'MEMBER')
    const phone = newPhone()
    expect((await send(owner, userId, phone)).data).toEqual({ phoneNumber: phone })
    const code = await codeTo(phone)
    expectRefusal(await verify(owner, userId, phone, anotherThan(code)), 'phone.code_wrong')
    expect(await phoneOf(owner, userId)).toEqual([null, false])
    const verified = await verify(owner, userId, phone, code)
    expect(verified.data).toMatchObject({ id: userId, phoneNumber: phone, phoneVerified: true })
    expect(await phoneOf(owner, userId)).toEqual([phone, true])
    expectRefusal(await verify(owner, userId, phone, code), 'phone.code_wrong')
    expect((await app.a.get(`${users}/${userId}`, { token: owner.token })).data.phone).toBe(phone)
  })

  test('is not verified by a code for another phone or another member', async () => {
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'MEMBER')
    const [phone, other] = [newPhone(), newPhone()]
    await send(owner, 'me', phone)
    const code = await codeTo(phone)
    expectRefusal(await verify(owner, member.userId, phone, code), 'phone.code_wrong')
    expectRefusal(await verify(owner, 'me', other, code), 'phone.code_wrong')
    expect([await phoneOf(owner, 'me'), await phoneOf(owner, member.userId)]).toEqual(Array(2).fill([null, false]))
  })

  test('gets at most ten codes a day, of which the newest works', async () => {
    const owner = await app.person()
    const { userId } = await app.member(owner.organisationId, 'MEMBER')
    const [first, second] = [newPhone(), newPhone()]
    await send(owner, userId, first)
    await send(owner, userId, second)
    expectRefusal(await verify(owner, userId, first, await codeTo(first)), 'phone.code_wrong')
    for (let times = 2; times < 10; times++) expect((await send(owner, userId, second)).status).toBe(200)
    expectRefusal(await send(owner, userId, second), 'limit.exceeded')
  })

  test('allows twenty guesses a day, and the member gets a mail', async () => {
    const owner = await app.person()
    const member = await app.member(owner.organisationId, 'MEMBER')
    const phone = newPhone()
    for (let tries = 0; tries < 20; tries++)
      expectRefusal(await verify(owner, member.userId, phone, '123456'), 'phone.code_wrong')
    expectRefusal(await verify(owner, member.userId, phone, '123456'), 'limit.exceeded')
    const [mail] = await app.mailTo(member.email)
    expect(mail?.text).toContain('the code that verifies your phone')
  })

  test('needs a caller with all capabilities of the member', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const member = await app.member(owner.organisationId, 'MEMBER')
    const asks = [
      (by: Person, userId: string) => send(by, userId, newPhone()),
      (by: Person, userId: string) => verify(by, userId, newPhone(), '123456'),
    ]
    const key = { ...owner, token: await app.key(owner.organisationId) }
    const stranger = await app.person()
    for (const ask of asks) {
      expectRefusal(await ask(admin, owner.userId), 'member.above_own')
      expectRefusal(await ask(member, 'me'), 'auth.capability_missing')
      expectRefusal(await ask(key, member.userId), 'auth.users_only')
      for (const id of [stranger.userId, randomUUID(), 'x']) expectRefusal(await ask(owner, id), 'resource.not_found')
    }
    for (const phone of ['', '08012345678', '+0801234567', '+1234567890123456'])
      expect(faultPaths(await send(owner, 'me', phone))).toEqual(['phoneNumber'])
    expect(faultPaths(await verify(owner, 'me', 'x', '12345'))).toEqual(['otp', 'phoneNumber'])
  })
})
