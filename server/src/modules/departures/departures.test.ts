import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockingRow, sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisation = '/a/v1/organizations/me'
const keys = `${organisation}/api-keys`
const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })

interface MadeKey {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly hint: string
}
async function make({ token }: Person, name: string, mode = 'sandbox'): Promise<MadeKey> {
  const { data, status, text } = await app.a.post(keys, { token, body: { name, mode } })
  expect(status, text).toBe(201)
  return data
}

/** A person with two working keys, one per mode, and two that do not work, beside a key of another person. */
async function maker(owner: Person, role: 'ADMIN' | 'OWNER' = 'ADMIN') {
  const going = await app.member(owner.organisationId, role)
  const first = await make(going, 'Web shop')
  app.clock.advance({ seconds: 1 })
  const second = await make(going, 'Warehouse', 'live')
  const revoked = await make(going, 'Old')
  await app.a.patch(`${keys}/${revoked.id}/revoke`, { token: going.token })
  const rotated = await make(going, 'Replaced')
  const body = { gracePeriodSeconds: 0 }
  await app.a.post(`${keys}/${rotated.id}/rotate`, { token: owner.token, body })
  await make(owner, 'Till')
  return { going, first, second }
}

const ways = {
  removed: (client: Client, by: Person, { userId }: Person, query = '') =>
    client.delete(`${organisation}/users/${userId}${query}`, { token: by.token }),
  suspended: (client: Client, by: Person, { userId }: Person, query = '') =>
    client.patch(`${organisation}/users/${userId}/status${query}`, { token: by.token, body: { status: 'suspended' } }),
  left: (client: Client, _: Person, { token }: Person, query = '') =>
    client.post(`${organisation}/leave${query}`, { token }),
}
type DepartureKind = keyof typeof ways

const wordsOf: Record<DepartureKind, string> = {
  removed: 'was removed from your organisation',
  suspended: 'was suspended',
  left: 'left your organisation',
}
const lettersTo = ({ email }: Person) =>
  eventually(async () => {
    const mails = (await app.mailTo(email, 1)).filter(({ subject }) => /that remains$/.test(subject))
    expect(mails).not.toEqual([])
    return mails
  })
const brief = ({ data }: Reply) =>
  (data.apiKeys as { id: string; name: string; mode: string; status: string }[]).map(({ name, mode, status }) =>
    [name, mode, status].join(' '),
  )
const countMails = async (...people: Person[]) =>
  (
    await app.runtime.db.rows(sql`
      select id from messages where recipient = any (${people.map(({ email }) => email)}::text[]) and cause like 'departure:%'`)
  ).length

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const live = form === 'A' ? 'live' : 'production'

  test.each(Object.keys(ways) as DepartureKind[])(
    'the keys of a member who is %s keep working, and are listed',
    async (way) => {
      const owner = await app.person()
      const second = await app.member(owner.organisationId, 'OWNER')
      const admin = await app.member(owner.organisationId, 'ADMIN')
      const { going, first, second: other } = await maker(owner)
      const reply = await ways[way](client, owner, going)
      expect(reply.status, reply.text).toBe(200)
      expect(brief(reply)).toEqual(['Web shop sandbox active', `Warehouse ${live} active`])
      expect(reply.data.apiKeys[0]).toEqual({
        id: first.id,
        name: 'Web shop',
        mode: 'sandbox',
        status: 'active',
        hint: first.hint,
        createdAt: expect.any(String),
        lastUsedAt: null,
      })
      for (const { key } of [first, other]) {
        expect((await whoAmI(key)).status).toBe(200)
        expect(reply.text).not.toContain(key)
      }
      for (const who of [owner, second]) {
        const [mail, ...more] = await lettersTo(who)
        expect(more).toEqual([])
        expect(mail?.text).toContain(`(${going.email}) ${wordsOf[way]}`)
        expect(mail?.text).toContain(`API key “Web shop” (sandbox, ${first.hint}).`)
        expect(mail?.text).toContain(`API key “Warehouse” (live, ${other.hint}).`)
        expect(mail?.text).toContain('go on working')
        expect(mail?.text).not.toMatch(/Till|Old|Replaced/)
      }
      expect(await countMails(admin, going)).toBe(0)
    },
  )

  test.each(Object.keys(ways) as DepartureKind[])(
    'revokeKeys revokes the keys of a member who is %s in the same transaction',
    async (way) => {
      const owner = await app.person()
      const { going, first, second } = await maker(owner)
      const { accessToken } = (await app.a.post('/a/v1/auth/token', { token: first.key })).data
      const reply = await ways[way](client, owner, going, '?revokeKeys=true')
      expect(brief(reply)).toEqual(['Web shop sandbox revoked', `Warehouse ${live} revoked`])
      for (const token of [first.key, second.key, accessToken]) expectRefusal(await whoAmI(token), 'auth.token_invalid')
      const listed = await client.get(`${keys}?status=active&limit=100`, { token: owner.token })
      expect((listed.data as MadeKey[]).map(({ name }) => name).sort()).toEqual(['Replaced', 'Till'])
      const told = await app.runtime.db.rows(sql`
      select object_id from events where organisation_id = ${owner.organisationId} and type = 'api_key.revoked' order by position`)
      expect(told.slice(-2)).toEqual([{ objectId: first.id }, { objectId: second.id }])
      const [mail] = await lettersTo(owner)
      expect(mail?.text).toContain(`API key “Web shop” (sandbox, ${first.hint}), revoked in the same step.`)
      expect(mail?.text).not.toContain('go on working')
    },
  )

  test('revokeKeys needs the capability to revoke keys, and a refusal changes nothing', async () => {
    const owner = await app.person()
    const { going, first } = await maker(owner)
    const clerk = await memberHolding(
      app,
      owner,
      ...(['member.remove', 'member.suspend', 'member.restore', 'member.read'] as const),
    )
    for (const way of ['removed', 'suspended'] as const) {
      const refused = await ways[way](client, clerk, going, '?revokeKeys=true')
      expectRefusal(refused, 'auth.capability_missing')
      expect(faultPaths(refused)).toEqual(['api_key.revoke'])
    }
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    expectRefusal(await ways.left(client, owner, viewer, '?revokeKeys=true'), 'auth.capability_missing')
    for (const query of ['?revokeKeys=yes', '?revoke=true', '?revokeKeys=1'])
      for (const way of Object.keys(ways) as DepartureKind[])
        expectRefusal(await ways[way](client, owner, going, query), 'request.invalid')
    expectRefusal(await ways.left(client, owner, owner, '?revokeKeys=true'), 'member.last_owner')
    for (const token of [first.key, going.token, viewer.token]) expect((await whoAmI(token)).status).toBe(200)
    expect(await countMails(owner)).toBe(0)
  })

  test('suspending again sends no second mail, and revokes keys on request', async () => {
    const owner = await app.person()
    const { going, first } = await maker(owner)
    for (let time = 0; time < 3; time++) expect(brief(await ways.suspended(client, owner, going))).toHaveLength(2)
    expect(await countMails(owner)).toBe(1)
    const ended = await ways.suspended(client, owner, going, '?revokeKeys=true')
    expect(brief(ended)).toEqual(['Web shop sandbox revoked', `Warehouse ${live} revoked`])
    expectRefusal(await whoAmI(first.key), 'auth.token_invalid')
    expect(await countMails(owner)).toBe(2)
    expect(brief(await ways.suspended(client, owner, going, '?revokeKeys=true'))).toEqual([])
    expect(await countMails(owner)).toBe(2)
  })

  test('restoring lists no keys and revokes none', async () => {
    const owner = await app.person()
    const { going, first } = await maker(owner)
    await ways.suspended(client, owner, going)
    const path = `${organisation}/users/${going.userId}/status`
    const body = { status: 'active' }
    const refused = await client.patch(`${path}?revokeKeys=true`, { token: owner.token, body })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(['revokeKeys'])
    const restored = await client.patch(path, { token: owner.token, body })
    expect([restored.data.status, restored.data.apiKeys]).toEqual(['active', []])
    expect((await whoAmI(first.key)).status).toBe(200)
  })
})

test('the departure of a member without keys sends no mail', async () => {
  const owner = await app.person()
  const member = await app.member(owner.organisationId, 'VIEWER')
  expect(brief(await ways.removed(app.a, owner, member))).toEqual([])
  expect(await countMails(owner)).toBe(0)
})

test('the mail lists the child organisations that a departing member owns', async () => {
  const owner = await app.person()
  const going = await app.member(owner.organisationId, 'ADMIN')
  const body = { businessName: 'Kano branch', email: 'kano@eze.ng', asChild: true }
  const child = (await app.b.post('/a/v1/organizations', { token: going.token, body })).data
  await app.b.post('/a/v1/organizations', { token: owner.token, body: { ...body, businessName: 'Jos branch' } })
  await ways.removed(app.b, owner, going)
  const [mail] = await lettersTo(owner)
  expect(mail?.text).toContain(`Child organisation Kano branch (${child.id}), which they own.`)
  expect(mail?.text).not.toContain('Jos')
})

test('the mail lists the webhook endpoints that a departing member created or changed', async () => {
  const owner = await app.person()
  const going = await app.member(owner.organisationId, 'ADMIN')
  const made = async ({ token }: Person, url: string) =>
    (await app.a.post('/n/v1/webhook-endpoints', { token, body: { url, events: ['invoice.*'] } })).data.id as string
  await made(going, 'https://own.example.com/in')
  const aimed = await made(owner, 'https://shop.example.com/in')
  const passedOn = await made(going, 'https://before.example.com/in')
  const deleted = await made(going, 'https://gone.example.com/in')
  const other = await made(owner, 'https://other.example.com/in')
  const at = (id: string) => `/n/v1/webhook-endpoints/${id}`
  const turn = ({ token }: Person, id: string, body: object) => app.a.patch(at(id), { token, body })
  expect((await turn(going, aimed, { url: 'https://theirs.example.com/in' })).status).toBe(200)
  expect((await turn(owner, passedOn, { url: 'https://after.example.com/in' })).status).toBe(200)
  // A person who only edits the description has not chosen the address.
  expect((await turn(going, other, { description: 'Shop' })).status).toBe(200)
  await app.a.delete(at(deleted), { token: going.token })
  await ways.removed(app.b, owner, going)
  const [mail] = await lettersTo(owner)
  // The leaving person chose these addresses, so that mail programs must not link them.
  for (const host of ['own', 'theirs', 'after'])
    expect(mail?.text).toContain(`Webhook endpoint https: //${host} .example .com/in (sandbox).`)
  expect(mail?.text).toContain('replace the secrets that they know')
  expect(mail?.text).not.toMatch(/(shop|before|gone|other) ?\.example/)
})

describe('keys and invitations need a creator with an active membership', () => {
  const invitations = `${organisation}/invitations`
  const inviting = { email: 'friend@example.test', fullName: 'A Friend' }

  /** Either the request waits for our lock of the organisation, or it has its reply already. */
  async function untilItWaits(reply: Promise<Reply>): Promise<void> {
    let isAnswered = false
    void reply.finally(() => {
      isAnswered = true
    })
    await eventually(async () =>
      expect(
        isAnswered || (await listLockWaits(app.owner, /from organisations|pg_advisory_xact_lock/)).length > 0,
      ).toBe(true),
    )
  }

  const lockOrganisation = (tx: Tx, { organisationId }: Person) =>
    tx.run(
      lockingRow(
        sql`select from organisations where id = ${organisationId}`,
        'update',
        `organisation ${organisationId}`,
      ),
    )

  /** Sends a request while the person is being removed elsewhere and this node still treats them as a member. */
  async function whileRemoved(going: Person, ask: () => Promise<Reply>): Promise<Reply> {
    const asked = Promise.withResolvers<Promise<Reply>>()
    await app.runtime.db.transaction(async (tx) => {
      await lockOrganisation(tx, going)
      const reply = ask()
      asked.resolve(reply)
      await untilItWaits(reply)
      await tx.run(sql`
        delete from memberships where organisation_id = ${going.organisationId} and user_id = ${going.userId}`)
    })
    return await await asked.promise
  }

  test('a member who is being removed creates neither a key nor an invitation', async () => {
    const owner = await app.person()
    const people = await Promise.all(Array.from({ length: 4 }, () => app.member(owner.organisationId, 'ADMIN')))
    const [a, b, c, d] = people as [Person, Person, Person, Person]
    const old = await make(c, 'Old')
    const sent = await app.a.post(invitations, { token: owner.token, body: { ...inviting, email: 'x@example.test' } })
    const refused = [
      await whileRemoved(a, () => app.a.post(keys, { token: a.token, body: { name: 'Back door', mode: 'live' } })),
      await whileRemoved(b, () => app.b.post(invitations, { token: b.token, body: inviting })),
      await whileRemoved(c, () => app.a.post(`${keys}/${old.id}/rotate`, { token: c.token })),
      await whileRemoved(d, () => app.a.post(`${invitations}/${sent.data.id}/resend`, { token: d.token })),
    ]
    for (const reply of refused) expectRefusal(reply, 'auth.token_outdated')
    expect((await app.a.get(keys, { token: owner.token })).data.map(({ name }: MadeKey) => name)).toEqual(['Old'])
    expect((await app.a.get(invitations, { token: owner.token })).data).toHaveLength(1)
  })

  test('a member who is being demoted creates no stronger key', async () => {
    const owner = await app.person()
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const old = await make(admin, 'Shop')
    const capabilities = ['invoice.create']
    const reply = await app.runtime.db.transaction(async (tx) => {
      await lockOrganisation(tx, admin)
      const asked = app.a.put(`${keys}/${old.id}/capabilities`, { token: admin.token, body: { capabilities } })
      await untilItWaits(asked)
      const viewer = '00000000-0000-7000-8000-000000000006'
      await tx.run(sql`update memberships set role_id = ${viewer}, epoch = epoch + 1 where user_id = ${admin.userId}`)
      return { asked }
    })
    expectRefusal(await reply.asked, 'auth.token_outdated')
    const shown = await app.a.get(`${keys}/${old.id}`, { token: owner.token })
    expect(shown.data.capabilities).not.toContain('invoice.create')
  })
})
