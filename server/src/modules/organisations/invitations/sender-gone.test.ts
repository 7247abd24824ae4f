import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, password, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { makeRole, memberHolding } from '../../../../../test/harness/custom-role.ts'
import { newAccountPath } from '../../../../../test/harness/joining.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisation = '/a/v1/organizations/me'
const mine = `${organisation}/invitations`

interface SentInvitation {
  readonly id: string
  readonly email: string
  readonly code: string
}

async function codeTo(email: string, howMany = 1): Promise<string> {
  const [mail] = await app.mailTo(email, howMany)
  return /^\w{4}-\w{4}$/m.exec(mail?.text ?? '')?.[0] as string
}
async function send(by: Person, own: object = {}): Promise<SentInvitation> {
  const email = `g${randomUUID().slice(0, 8)}@example.test`
  const body = { email, fullName: 'Ada Obi', ...own }
  const { data, status, text } = await app.b.post(mine, { token: by.token, body })
  expect(status, text).toBe(201)
  return { id: data.id, email, code: await codeTo(email) }
}
const statusOf = async (owner: Person, { id }: SentInvitation) =>
  (await app.a.get(`${mine}/${id}`, { token: owner.token })).data.status

/** Every use of a code: the preview in both forms, and every way to join. */
const uses = {
  'preview A': ({ email, code }: SentInvitation) =>
    app.a.post('/a/v1/verify-invitation', { body: { invitationCode: code, email } }),
  'preview B': ({ email, code }: SentInvitation) =>
    app.b.post('/a/v1/verify-invitation', { body: { invitationCode: code, email } }),
  'accept B': ({ email, code }: SentInvitation) =>
    app.b.post('/a/v1/accept-invitation', {
      body: { invitationCode: code, email, password: 'a fine password', firstName: 'Ada', lastName: 'Obi' },
    }),
  'accept A, new account': ({ email, code }: SentInvitation) =>
    app.a.post(newAccountPath.A, {
      body: { invitationCode: code, email, password: 'a fine password', firstName: 'Ada', lastName: 'Obi' },
    }),
  'accept A': async ({ email, code }: SentInvitation) => {
    const { token } = await app.person({ email })
    return await app.a.post('/a/v1/accept-invitation', { token, body: { invitationCode: code } })
  },
}
type Use = keyof typeof uses
async function expectUseless(sent: SentInvitation, ...ways: Use[]): Promise<void> {
  for (const way of ways) expectRefusal(await uses[way](sent), 'invitation.unknown')
}
const users = (person: Person, rest = '') => `${organisation}/users/${person.userId}${rest}`

describe('an invitation ends if its sender', () => {
  const ways: [string, (owner: Person, sender: Person) => Promise<Reply>][] = [
    ['is removed', (owner, sender) => app.a.delete(users(sender), { token: owner.token })],
    [
      'is suspended',
      (owner, sender) => app.a.patch(users(sender, '/status'), { token: owner.token, body: { status: 'suspended' } }),
    ],
    [
      'is deactivated',
      (owner, sender) => app.b.patch(users(sender, '/status'), { token: owner.token, body: { status: 'deactivated' } }),
    ],
    ['leaves', (_, sender) => app.b.post(`${organisation}/leave`, { token: sender.token })],
  ]
  test.each(ways)('%s', async (_, go) => {
    const owner = await app.person()
    const sender = await app.member(owner.organisationId, 'ADMIN')
    const [gone, kept] = [await send(sender), await send(owner)]
    const old = await send(sender)
    await app.runtime.db.run(sql`update invitations set expires_at = ${app.clock.now()} where id = ${old.id}`)
    expect((await go(owner, sender)).status).toBe(200)
    expect(await statusOf(owner, gone)).toBe('withdrawn')
    expect(await statusOf(owner, old)).toBe('expired')
    expect(await statusOf(owner, kept)).toBe('pending')
    await expectUseless(gone, ...(Object.keys(uses) as Use[]))
    const told = await app.runtime.db.rows(sql`
      select object_id, data from events where organisation_id = ${owner.organisationId} and type = 'invitation.withdrawn'`)
    expect(told).toEqual([{ objectId: gone.id, data: { email: gone.email, reason: 'sender_gone' } }])
    expect((await uses['accept B'](kept)).status).toBe(201)
  })

  test('leaves, and does not return when the sender returns', async () => {
    const owner = await app.person()
    const sender = await app.member(owner.organisationId, 'ADMIN')
    const sent = await send(sender)
    for (const status of ['suspended', 'active'])
      await app.a.patch(users(sender, '/status'), { token: owner.token, body: { status } })
    expect(await statusOf(owner, sent)).toBe('withdrawn')
    await expectUseless(sent, 'preview A', 'accept B')
  })

  test('is gone in any other way', async () => {
    const owner = await app.person()
    const sender = await app.member(owner.organisationId, 'ADMIN')
    const sent = await send(sender)
    await app.runtime.db.run(sql`delete from memberships where user_id = ${sender.userId}`)
    expect(await statusOf(owner, sent)).toBe('pending')
    await expectUseless(sent, 'preview A', 'accept B')
  })
})

describe('an invitation cannot be accepted while its sender could not send it', () => {
  const changeRole = (owner: Person, member: Person, roleId: string) =>
    app.b.patch(users(member, '/role'), { token: owner.token, body: { roleId } })

  test('because the sender has a lower role, and can be accepted after the role is restored', async () => {
    const owner = await app.person()
    const sender = await app.member(owner.organisationId, 'ADMIN')
    const sent = await send(sender, { roleId: systemRole('ADMIN').id })
    const inviter = await makeRole(app, owner, ['invitation.create', 'item.read'])
    for (const roleId of [systemRole('DEVELOPER').id, inviter]) {
      expect((await changeRole(owner, sender, roleId)).status).toBe(200)
      await expectUseless(sent, 'preview A', 'accept B')
    }
    expect((await changeRole(owner, sender, systemRole('ADMIN').id)).status).toBe(200)
    expect((await uses['preview A'](sent)).status).toBe(200)
  })

  test('because the sender’s role or additional permissions were reduced', async () => {
    const owner = await app.person()
    const roleId = await makeRole(app, owner, ['item.read'])
    const sender = await memberHolding(app, owner, 'invitation.create', 'item.read')
    const sent = await send(sender, { roleId })
    const own = (await app.b.get(users(sender), { token: owner.token })).data.role.id
    const narrow = (permissions: string[]) =>
      app.b.patch(`${organisation}/roles/${own}`, { token: owner.token, body: { permissions } })
    expect((await narrow(['invitation.create'])).status).toBe(200)
    await expectUseless(sent, 'preview A', 'accept B')
    const permissions = ['item.read']
    await app.b.post(users(sender, '/permissions'), { token: owner.token, body: { permissions } })
    expect((await uses['preview B'](sent)).status).toBe(200)
    await app.b.delete(users(sender, '/permissions'), { token: owner.token, body: { permissions } })
    await expectUseless(sent, 'preview A', 'accept B')
  })

  test('because the offered role has grown above the sender’s', async () => {
    const owner = await app.person()
    const roleId = await makeRole(app, owner, ['item.read'])
    const sender = await memberHolding(app, owner, 'invitation.create', 'item.read')
    const sent = await send(sender, { roleId })
    const body = { permissions: ['item.read', 'member.remove'] }
    expect((await app.b.patch(`${organisation}/roles/${roleId}`, { token: owner.token, body })).status).toBe(200)
    await expectUseless(sent, 'preview A', 'accept B')
  })

  test('because the sender transferred the ownership', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'ADMIN')
    const sent = await send(owner, { customPermissions: ['organization.transfer_ownership'] })
    const plain = await send(owner)
    const body = { toUserId: heir.userId, password }
    const handed = await app.a.post(`${organisation}/ownership-transfer`, { token: owner.token, body })
    expect(handed.status, handed.text).toBe(200)
    await expectUseless(sent, 'preview A', 'accept B')
    expect((await uses['accept B'](plain)).status).toBe(201)
  })
})

test('the person who sends an invitation again becomes its sender', async () => {
  const owner = await app.person()
  const first = await app.member(owner.organisationId, 'ADMIN')
  const sent = await send(first)
  const again = await app.a.post(`${mine}/${sent.id}/resend`, { token: owner.token })
  expect([again.status, again.data.invitedBy]).toEqual([200, owner.userId])
  await app.a.delete(users(first), { token: owner.token })
  expect(await statusOf(owner, sent)).toBe('pending')
  const renewed = { ...sent, code: await codeTo(sent.email, 2) }
  expect((await uses['accept B'](renewed)).status).toBe(201)
})

test('concurrent acceptance and removal do not deadlock', async () => {
  const owner = await app.person()
  for (let round = 0; round < 5; round++) {
    const sender = await app.member(owner.organisationId, 'ADMIN')
    const sent = await send(sender)
    const [accepted, removed] = await Promise.all([
      uses['accept B'](sent),
      app.a.delete(users(sender), { token: owner.token }),
    ])
    expect(removed.status).toBe(200)
    expect(await statusOf(owner, sent)).toBe(accepted.status === 201 ? 'accepted' : 'withdrawn')
    expect([201, 404]).toContain(accepted.status)
  }
})
