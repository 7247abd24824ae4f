import { randomInt, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { lifeOf } from '../../../../../test/harness/issued.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const me = '/a/v1/organizations/me'

interface Entry {
  readonly type: string
  readonly requestId: string
  readonly object: { readonly id: string }
  readonly data: object
}
const read = ({ token }: Pick<Person, 'token'>, query = '', form: 'A' | 'B' = 'A'): Promise<Reply> =>
  app.client(form).get(`${me}/audit-log${query}`, { token })
const entries = async (person: Person, query = '') => (await read(person, query)).data as Entry[]
const typesIn = (list: readonly Entry[]) => list.map(({ type }) => type)
/** Without events of our own jobs for a new organisation, whose time is not fixed. */
const byPeople = (list: readonly Entry[]) => list.filter(({ type }) => !/^(billing|seller)\./.test(type))
const rename = (person: Person, name: string) => app.a.patch(me, { token: person.token, body: { name } })
const totpCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() })
const firstCode = async (recipient: string, form: RegExp) =>
  form.exec((await app.mailTo(recipient))[0]?.text ?? '')?.[0] as string

/** An organisation in which every kind of change is made once, by its owner unless noted. */
async function busyOrganisation() {
  const owner = await app.person()
  const secrets: string[] = [owner.password, owner.token, owner.refreshToken]
  const made: { type: string; objectId: string; by: Person; requestId: string; status: number; text: string }[] = []
  async function change(
    type: string,
    objectId: string | undefined,
    [method, path, body]: ['post' | 'patch' | 'put' | 'delete', string, object?],
    by: Person = owner,
  ) {
    const requestId = `audit-${made.length}`
    const headers = { 'x-request-id': requestId, 'user-agent': `agent ${made.length}` }
    const reply = await app.b[method](`${me}${path}`, { token: by.token, headers, ...(body && { body }) })
    made.push({ type, objectId: objectId ?? reply.data?.id, by, requestId, status: reply.status, text: reply.text })
    return reply.data
  }
  const member = await app.member(owner.organisationId, 'VIEWER')
  const leaver = await app.member(owner.organisationId, 'VIEWER')
  const phone = `+23481${randomInt(10_000_000, 100_000_000)}`
  const id = owner.organisationId

  await change('organization.updated', id, ['patch', '', { businessName: 'Eze & Co', email: 'office@eze.ng' }])
  await change('organization.credit_pool_changed', id, ['patch', '/credit-pool-config', { minimumReserve: 5 }])
  const { token } = owner
  await app.b.post(`${me}/onboarding/send-phone-verification`, { token, body: { phoneNumber: phone } })
  const otp = await firstCode(phone, /\d{6}/)
  await change('organization.phone_verified', id, ['post', '/onboarding/verify-phone', { otp }])
  await change('organization.onboarding_completed', id, ['post', '/onboarding/complete'])

  const fields = { name: 'packer', displayName: 'Packer', permissions: ['item.read'] }
  const role = await change('role.created', undefined, ['post', '/roles', fields])
  await change('role.updated', role.id, ['patch', `/roles/${role.id}`, { permissions: ['item.read', 'buyer.read'] }])
  await change('role.deleted', role.id, ['delete', `/roles/${role.id}`])

  const { secret } = (
    await app.b.post('/a/v1/auth/totp/enrol', { token: member.token, body: { password: member.password } })
  ).data
  const confirmed = await app.b.post('/a/v1/auth/totp/confirm', {
    token: member.token,
    body: { code: totpCode(secret) },
  })
  const user = `/users/${member.userId}`
  const of = member.userId
  await change('member.second_factor_removed', of, ['delete', `${user}/totp`])
  await change('member.updated', of, ['patch', user, { firstName: 'Ada' }])
  await change('member.role_changed', of, ['patch', `${user}/role`, { roleId: systemRole('MEMBER').id }])
  await change('member.role_changed', of, ['post', `${user}/permissions`, { permissions: ['api_key.read'] }])
  await change('member.role_changed', of, ['delete', `${user}/permissions`, { permissions: ['api_key.read'] }])
  await change('member.status_changed', of, ['patch', `${user}/status`, { status: 'suspended', reason: 'holiday' }])
  await change('member.status_changed', of, ['patch', `${user}/status`, { status: 'active' }])
  await change('member.removed', of, ['delete', user])
  await change('member.removed', leaver.userId, ['post', '/leave'], leaver)

  const guest = `guest-${randomUUID()}@example.test`
  const asked = await change('invitation.created', undefined, [
    'post',
    '/invitations',
    { email: guest, fullName: 'Gu' },
  ])
  const invitationCode = await firstCode(guest, /\b[0-9A-HJKMNP-TV-Z]{4}-?[0-9A-HJKMNP-TV-Z]{4}\b/)
  await change('invitation.resent', asked.id, ['post', `/invitations/${asked.id}/resend`])
  await change('invitation.withdrawn', asked.id, ['delete', `/invitations/${asked.id}`])

  const keyFields = { mode: 'sandbox', name: 'Shop', roleId: systemRole('VIEWER').id }
  const key = await change('api_key.created', undefined, ['post', '/api-keys', keyFields])
  await change('api_key.updated', key.id, ['patch', `/api-keys/${key.id}`, { name: 'Web shop' }])
  await change('api_key.revoked', key.id, ['patch', `/api-keys/${key.id}/revoke`])
  secrets.push(otp, secret, invitationCode, key.key, ...confirmed.data.recoveryCodes)
  return { owner, member, made, secrets, phone, guest }
}

describe('the audit log', () => {
  let busy: Awaited<ReturnType<typeof busyOrganisation>>
  beforeAll(async () => {
    busy = await busyOrganisation()
  })

  test.each(['A', 'B'] as const)('shows each change once in form %s: who, what and from where', async (form) => {
    const { owner, made } = busy
    expect(made.filter(({ status }) => status >= 300)).toEqual([])
    const log = await read(owner, '?limit=100', form)
    for (const [index, { type, objectId, by, requestId }] of made.entries()) {
      const ofRequest = (log.data as Entry[]).filter((entry) => entry.requestId === requestId)
      expect(ofRequest, type).toEqual([
        {
          id: expect.any(String),
          type,
          version: 1,
          actor: { type: 'user', id: by.userId, name: by.email },
          object: { type: type.split('.')[0], id: objectId, version: null },
          mode: null,
          data: expect.any(Object),
          address: '127.0.0.1',
          userAgent: `agent ${index}`,
          requestId,
          createdAt: app.clock.now().toISOString(),
        },
      ])
    }
    // The rest happened before: the organisation and the three people who joined it.
    const others = (log.data as Entry[]).filter(({ requestId }) => !requestId.startsWith('audit-'))
    expect(typesIn(byPeople(others))).toEqual([
      'member.joined',
      'member.joined',
      'member.joined',
      'organization.created',
    ])
    expect(log.body.meta.pagination).toMatchObject({ page: 1, limit: 100 })
  })

  test('shows the changed fields', async () => {
    const told = (await entries(busy.owner, '?limit=100')).map(({ type, data }) => ({ type, data }))
    const { email } = busy.member
    expect(told).toEqual(
      expect.arrayContaining([
        { type: 'organization.updated', data: { changed: ['name', 'contactEmail'], name: 'Eze & Co' } },
        { type: 'organization.phone_verified', data: { phone: busy.phone } },
        { type: 'member.role_changed', data: { email, from: 'VIEWER', to: 'MEMBER' } },
        { type: 'member.status_changed', data: { email, from: 'active', to: 'suspended', reason: 'holiday' } },
        { type: 'role.updated', data: { name: 'packer', capabilities: ['item.read', 'buyer.read'] } },
      ]),
    )
  })

  test('contains no secret', async () => {
    const { owner, secrets, guest } = busy
    const told = JSON.stringify((await entries(owner, '?limit=100')).map(({ type, data }) => ({ type, data })))
    // Proves that the check can find text: a value that is no secret is found.
    expect(told).toContain(guest)
    expect(secrets).toHaveLength(17)
    for (const secret of secrets) {
      expect(secret).toMatch(/^\S.{5,}$/)
      expect(new RegExp(`(?<![\\w-])${secret}(?![\\w-])`).test(told), secret).toBe(false)
    }
    expect(told).not.toMatch(/sk_(test|live)_|rt_|eyJ|argon2/)
  })

  test('is filtered by type, by family, by actor and by object', async () => {
    const { owner, member, made } = busy
    const ofType = (...types: string[]) => made.filter(({ type }) => types.includes(type)).length
    const all = async (query: string) => await entries(owner, `?limit=100&${query}`)
    expect(typesIn(await all('type=role.updated'))).toEqual(['role.updated'])
    expect(typesIn(await all('type=role.*'))).toEqual(['role.deleted', 'role.updated', 'role.created'])
    expect(await all('type=member.role_changed')).toHaveLength(ofType('member.role_changed'))
    expect(new Set(typesIn(await all('type=api_key.*')))).toEqual(
      new Set(['api_key.created', 'api_key.updated', 'api_key.revoked']),
    )
    for (const none of ['role', 'role.', 'rol.*', '*', 'role.%25', 'Role.updated'])
      expect(await all(`type=${none}`), none).toEqual([])
    const aboutMember = await all(`objectId=${member.userId}`)
    expect(aboutMember).toHaveLength(made.filter(({ objectId }) => objectId === member.userId).length + 1)
    expect(new Set(aboutMember.map(({ object }) => object.id))).toEqual(new Set([member.userId]))
    expect(typesIn(await all(`actorId=${made.find(({ by }) => by !== owner)?.by.userId}`))).toEqual([
      'member.removed',
      'member.joined',
    ])
    expect(await all(`actorId=${owner.userId}&type=member.*&objectId=${member.userId}`)).toHaveLength(8)
    expect(await all(`actorId=${randomUUID()}`)).toEqual([])
  })

  test('cannot be rewritten', async () => {
    const { organisationId } = busy.owner
    const assignments = [
      sql`data = '{}'`,
      sql`type = 'role.created'`,
      sql`actor_id = null`,
      sql`actor_name = 'nobody'`,
      sql`object_id = 'x'`,
      sql`address = ''`,
      sql`request_id = ''`,
      sql`created_at = now()`,
      sql`organisation_id = ${randomUUID()}`,
    ]
    const before = (await read(busy.owner, '?limit=100')).data
    const changes = [...assignments.map((assignment) => sql`update events set ${assignment}`), sql`delete from events`]
    for (const change of changes) {
      const statement = sql`${change} where organisation_id = ${organisationId}`
      await expect(app.owner.run(statement)).rejects.toThrow(/append-only|partition value/)
      await expect(app.runtime.db.run(statement)).rejects.toThrow(/permission denied|partition value/)
    }
    expect((await read(busy.owner, '?limit=100')).data).toEqual(before)
  })
})

test('the audit log is paged, newest first', async () => {
  const owner = await app.person()
  for (let change = 1; change <= 6; change++) await rename(owner, `Name ${change}`)
  const names = async (query: string) =>
    (await entries(owner, query)).map(({ data }) => (data as { name?: string }).name ?? '')
  expect(await names('?type=organization.updated')).toEqual([6, 5, 4, 3, 2, 1].map((n) => `Name ${n}`))
  expect(await names('?type=organization.*&limit=2&page=2')).toEqual(['Name 4', 'Name 3'])
  const last = await read(owner, '?type=organization.*&limit=3&page=3')
  expect(typesIn(last.data as Entry[])).toEqual(['organization.created'])
  expect(last.body.meta.pagination).toMatchObject({ page: 3, limit: 3, total: 7, totalPages: 3 })
  expect((await read(owner)).body.meta.pagination).toMatchObject({ page: 1, limit: 20 })
})

test('the audit log is filtered by time: from the start, and before the end', async () => {
  const owner = await app.person()
  app.clock.advance({ minutes: 1 })
  const instants: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    instants.push(app.clock.now().toISOString())
    await rename(owner, name)
    app.clock.advance({ minutes: 1 })
  }
  const named = async (query: string) =>
    (await entries(owner, `?type=organization.updated&${query}`)).map(({ data }) => (data as { name: string }).name)
  const [one, two, three] = instants as [string, string, string]
  expect(await named(`from=${two}`)).toEqual(['Three', 'Two'])
  expect(await named(`to=${two}`)).toEqual(['One'])
  expect(await named(`from=${one}&to=${three}`)).toEqual(['Two', 'One'])
  const reversed = await read(owner, `?from=${three}&to=${one}`)
  expectRefusal(reversed, 'request.invalid')
  expect(faultPaths(reversed)).toEqual(['from'])
  // The same instant on a clock in Lagos.
  const inLagos = new Date(Date.parse(two) + 3600_000).toISOString().replace('Z', '+01:00')
  expect(await named(`from=${encodeURIComponent(inLagos)}`)).toEqual(['Three', 'Two'])
  const malformed = ['from=yesterday', 'to=2026-01-31', 'from=2026-02-30T00:00:00Z', 'to=2016-12-31T23:59:60Z']
  for (const query of [...malformed, 'actorId=1', 'type=', 'objectId=', 'since=now', 'limit=101']) {
    const refused = await read(owner, `?${query}`)
    expectRefusal(refused, 'request.invalid')
    expect([...new Set(faultPaths(refused))]).toEqual([query.split('=')[0]])
  }
})

test('the audit log shows only the own organisation, to people who may read it', async () => {
  const [owner, stranger] = [await app.person(), await app.person()]
  expect(typesIn(byPeople(await entries(stranger)))).toEqual(['member.joined', 'organization.created'])
  expect((await entries(stranger)).map(({ object }) => object.id)).not.toContain(owner.userId)
  const path = `/a/v1/organizations/${owner.organisationId}/audit-log`
  expectRefusal(await app.a.get(path, { token: stranger.token }), 'resource.not_found')
  const viewer = await app.member(owner.organisationId, 'VIEWER')
  expect(byPeople((await app.a.get(path, { token: viewer.token })).data as Entry[])).toHaveLength(3)
  const packer = await memberHolding(app, owner, 'item.read')
  expectRefusal(await read(packer), 'auth.capability_missing')
  for (const form of ['A', 'B'] as const)
    expectRefusal(await read({ token: await app.key(owner.organisationId) }, '', form), 'auth.users_only')
})

describe('an entry is shown to callers who may read its object', () => {
  let owner: Issuer
  const reader = (...held: Capability[]) => memberHolding(app, owner, 'organization.read', ...held)
  const all = async (who: Person, query = '') => {
    const { data, body } = await read(who, `?limit=100${query}`)
    expect(body.meta.pagination.total).toBe((data as Entry[]).length)
    return data as (Entry & { actor: { id: string; name: string }; address: string; userAgent: string })[]
  }
  const families = (list: readonly Entry[]) => [...new Set(typesIn(list).map((type) => type.split('.')[0]))].sort()

  beforeAll(async () => {
    owner = await issuer(app)
    const life = lifeOf(app, owner)
    const { id } = await life.issued({ buyerId: await life.buyer({ email: 'secret-buyer@chidi.test' }) })
    expect((await life.act(id, 'send')).status).toBe(200)
    await rename(owner, 'Eze & Co')
  })

  test('the capability to read the organisation shows only entries about it', async () => {
    const plain = await reader()
    expect(families(await all(owner))).toEqual([
      'billing',
      'buyer',
      'invoice',
      'member',
      'organization',
      'role',
      'seller',
    ])
    expect(families(await all(plain))).toEqual(['organization'])
    for (const type of ['member.joined', 'invoice.*', 'buyer.created', 'role.*'])
      expect(await all(plain, `&type=${type}`), type).toEqual([])
    // Filtering by an object does not reveal either whether an event happened to it.
    expect(await all(plain, `&objectId=${owner.userId}`)).toEqual([])
  })

  test('each family needs its own read capability', async () => {
    for (const [family, capability] of [
      ['member', 'member.read'],
      ['role', 'role.read'],
      ['seller', 'seller.read'],
      ['buyer', 'buyer.read'],
      ['invoice', 'invoice.read'],
      ['billing', 'billing.account.read'],
    ] as const)
      expect(families(await all(await reader(capability))), family).toEqual([family, 'organization'].sort())
  })

  test('pages and totals count shown entries only', async () => {
    const who = await reader('invoice.read')
    const everything = await all(who)
    const last = await read(who, '?limit=2&page=2')
    expect((last.data as Entry[]).map(({ type }) => type)).toEqual(typesIn(everything.slice(2, 4)))
    expect(last.body.meta.pagination.total).toBe(everything.length)
  })

  test('the recipient of an invoice is shown only to callers who may read buyers', async () => {
    const sent = async (who: Person) => (await all(who, '&type=invoice.sent'))[0]?.data
    expect(await sent(await reader('invoice.read', 'buyer.read'))).toMatchObject({ to: 'secret-buyer@chidi.test' })
    const without = await reader('invoice.read', 'member.read')
    expect(await sent(without)).toMatchObject({ invoiceNumber: expect.any(String) })
    expect((await read(without, '?limit=100')).text).not.toContain('secret-buyer')
  })

  test('actor and address are shown only to callers who may read members', async () => {
    const [plain, colleague] = [await reader(), await reader('member.read')]
    const ofRename = async (who: Person) => (await all(who, '&type=organization.updated'))[0]
    expect(await ofRename(colleague)).toMatchObject({ actor: { id: owner.userId, name: owner.email } })
    expect(await ofRename(plain)).toMatchObject({ actor: { id: owner.userId, name: '' }, address: '', userAgent: '' })
    expect((await read(plain, '?limit=100')).text).not.toContain(owner.email)
  })
})
