import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, password, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { systemRole } from '../../../kernel/roles.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisation = '/a/v1/organizations/me'
const whoAmI = ({ token }: Person): Promise<Reply> => app.a.get('/a/v1/auth/me', { token })
const standing = async ({ organisationId }: Person): Promise<Record<string, string>> => {
  const rows = await app.runtime.db.rows<{ userId: string; roleId: string }>(
    sql`select user_id, role_id from memberships where organisation_id = ${organisationId}`,
  )
  return Object.fromEntries(rows.map(({ userId, roleId }) => [userId, roleId]))
}
const [OWNER, ADMIN, MEMBER, VIEWER] = (['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const).map(
  (name) => systemRole(name).id as string,
) as [string, string, string, string]
const roleChangesIn = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ data: object }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'member.role_changed' order by position`,
    )
  ).map(({ data }) => data)

/** Switches the second factor on and returns codes by time step ahead of now. */
async function protect({ token, password }: Person) {
  const { secret } = (await app.a.post('/a/v1/auth/totp/enrol', { token, body: { password } })).data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeOf = (steps: number) => totp.generate({ timestamp: app.clock.now().getTime() + steps * 30_000 })
  const confirmed = await app.a.post('/a/v1/auth/totp/confirm', { token, body: { code: codeOf(0) } })
  app.clock.advance({ seconds: 30 })
  const near = [-2, -1, 0, 1, 2].map(codeOf)
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find((guess) => !near.includes(guess))
  return { codeOf, wrong: wrong as string, recoveryCodes: confirmed.data.recoveryCodes as string[] }
}

describe.each(['A', 'B'] as const)('handing over in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const handOver = (by: Person, toUserId: unknown, own: object = {}): Promise<Reply> =>
    client.post(`${organisation}/ownership-transfer`, {
      token: by.token,
      body: { toUserId, password, ...own },
    })

  test('makes the new member owner and the giver administrator', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'VIEWER')
    const done = await handOver(owner, heir.userId)
    expect(done.status).toBe(200)
    expect(done.data).toMatchObject({ id: heir.userId, role: { id: OWNER, name: 'OWNER' }, status: 'active' })
    expect(await standing(owner)).toEqual({ [owner.userId]: ADMIN, [heir.userId]: OWNER })
    for (const outdated of [owner, heir]) expectRefusal(await whoAmI(outdated), 'auth.token_outdated')
    expect((await whoAmI(await refreshed(app, owner))).data.role).toBe('ADMIN')
    const newOwner = await refreshed(app, heir)
    expect((await whoAmI(newOwner)).data.role).toBe('OWNER')
    expect(await roleChangesIn(owner)).toEqual([
      { email: heir.email, from: 'VIEWER', to: 'OWNER' },
      { email: owner.email, from: 'OWNER', to: 'ADMIN' },
    ])
    expect((await handOver(newOwner, owner.userId)).status).toBe(200)
  })

  test('can leave the giver an owner', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'MEMBER')
    expect((await handOver(owner, heir.userId, { retainOwnership: true })).status).toBe(200)
    expect(await standing(owner)).toEqual({ [owner.userId]: OWNER, [heir.userId]: OWNER })
    expect((await whoAmI(owner)).status).toBe(200)
    // If the heir is an owner already, the transfer only demotes the giver.
    expect((await handOver(owner, heir.userId, { retainOwnership: false })).status).toBe(200)
    expect(await standing(owner)).toEqual({ [owner.userId]: ADMIN, [heir.userId]: OWNER })
    expect(await roleChangesIn(owner)).toHaveLength(2)
  })

  test('needs the giver’s password', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'ADMIN')
    const refused = await handOver(owner, heir.userId, { password: 'wrong password' })
    expectRefusal(refused, 'credentials.wrong')
    expect([refused.status, refused.body.error.code]).toEqual([401, 'AUTH002'])
    expect(await standing(owner)).toEqual({ [owner.userId]: OWNER, [heir.userId]: ADMIN })
    expect((await whoAmI(owner)).status).toBe(200)
  })

  test('needs a code if the giver has a second factor, and uses it up', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'ADMIN')
    const { codeOf, wrong, recoveryCodes } = await protect(owner)
    const asked = await handOver(owner, heir.userId)
    expectRefusal(asked, 'credentials.second_factor_needed')
    expect([asked.status, asked.body.error.code]).toEqual([401, 'AUTH003'])
    expectRefusal(await handOver(owner, heir.userId, { password: 'wrong password' }), 'credentials.wrong')
    expectRefusal(await handOver(owner, heir.userId, { code: wrong }), 'credentials.wrong')
    expectRefusal(await handOver(owner, heir.userId, { code: '00000-00000' }), 'credentials.wrong')
    const right = { code: codeOf(0), retainOwnership: true }
    expectRefusal(await handOver(owner, heir.userId, { ...right, password: 'wrong password' }), 'credentials.wrong')
    expect(await standing(owner)).toEqual({ [owner.userId]: OWNER, [heir.userId]: ADMIN })
    expect((await handOver(owner, heir.userId, right)).status).toBe(200)
    expectRefusal(await handOver(owner, heir.userId, right), 'credentials.wrong')
    const code = recoveryCodes[0]
    expect((await handOver(owner, heir.userId, { code, retainOwnership: true })).status).toBe(200)
    expectRefusal(await handOver(owner, heir.userId, { code }), 'credentials.wrong')
    expect(await standing(owner)).toEqual({ [owner.userId]: OWNER, [heir.userId]: OWNER })
  })

  test('needs another active member with a verified address', async () => {
    const owner = await app.person()
    const [suspended, unverified] = [
      await app.member(owner.organisationId, 'ADMIN'),
      await app.member(owner.organisationId, 'ADMIN'),
    ]
    const path = `${organisation}/users/${suspended.userId}/status`
    await client.patch(path, { token: owner.token, body: { status: 'suspended' } })
    await app.runtime.db.run(sql`update users set email_verified_at = null where id = ${unverified.userId}`)
    const before = await standing(owner)
    for (const { userId } of [suspended, unverified, owner])
      expectRefusal(await handOver(owner, userId), 'transfer.not_fit')
    for (const id of [(await app.person()).userId, randomUUID()])
      expectRefusal(await handOver(owner, id), 'resource.not_found')
    expect(await standing(owner)).toEqual(before)
    expect((await whoAmI(owner)).status).toBe(200)
  })

  test('that is refused does not use up the code', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'ADMIN')
    const { codeOf } = await protect(owner)
    expectRefusal(await handOver(owner, owner.userId, { code: codeOf(0) }), 'transfer.not_fit')
    expect((await handOver(owner, heir.userId, { code: codeOf(0) })).status).toBe(200)
  })

  test('needs an owner’s session', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'MEMBER')
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const refused = await handOver(admin, heir.userId)
    expectRefusal(refused, 'auth.capability_missing')
    expect(faultPaths(refused)).toEqual(['organization.transfer_ownership'])
    const token = await app.key(owner.organisationId)
    expectRefusal(await handOver({ ...owner, token }, heir.userId), 'auth.users_only')
    const elsewhere = `/a/v1/organizations/${(await app.person()).organisationId}/ownership-transfer`
    const body = { toUserId: heir.userId, password }
    expectRefusal(await client.post(elsewhere, { token: owner.token, body }), 'resource.not_found')
  })

  test('gives no more than the giver has', async () => {
    const owner = await app.person()
    const friend = await app.member(owner.organisationId, 'VIEWER')
    const steward = await memberHolding(app, owner, 'organization.transfer_ownership', 'member.read')
    const before = await standing(owner)
    for (const own of [{}, { retainOwnership: true }]) {
      const refused = await handOver(steward, friend.userId, own)
      expectRefusal(refused, 'role.above_own')
      expect(faultPaths(refused)).toContain('organization.update')
    }
    expect(await standing(owner)).toEqual(before)
  })

  test('refuses unknown and invalid fields', async () => {
    const owner = await app.person()
    const heir = await app.member(owner.organisationId, 'MEMBER')
    const wrong: [own: object, path: string][] = [
      [{ toUserId: 'me' }, 'toUserId'],
      [{ toUserId: undefined }, 'toUserId'],
      [{ password: '' }, 'password'],
      [{ password: 'x'.repeat(129) }, 'password'],
      [{ password: undefined }, 'password'],
      [{ code: '12345' }, 'code'],
      [{ code: '1'.repeat(17) }, 'code'],
      [{ retainOwnership: 'yes' }, 'retainOwnership'],
      [{ keep: true }, 'keep'],
    ]
    for (const [own, path] of wrong) {
      const refused = await handOver(owner, heir.userId, own)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))]).toEqual([path])
    }
    for (const length of [1, 128])
      expectRefusal(await handOver(owner, heir.userId, { password: 'x'.repeat(length) }), 'credentials.wrong')
    expect(await standing(owner)).toEqual({ [owner.userId]: OWNER, [heir.userId]: MEMBER })
  })
})

test('an owner who is demoted during the transfer does not become administrator', async () => {
  for (let round = 0; round < casesToTry(4, 10); round++) {
    const owner = await app.person()
    const giver = await app.member(owner.organisationId, 'OWNER')
    const heir = await app.member(owner.organisationId, 'MEMBER')
    const body = { toUserId: heir.userId, password }
    const path = `${organisation}/users/${giver.userId}/role`
    const [handed, demoted] = await Promise.all([
      app.a.post(`${organisation}/ownership-transfer`, { token: giver.token, body }),
      // A moment later, while the password is being checked.
      new Promise<void>((go) => setTimeout(go, round * 8)).then(() =>
        app.b.patch(path, { token: owner.token, body: { roleId: VIEWER } }),
      ),
    ])
    expect(demoted.status, demoted.text).toBe(200)
    expect([200, 401, 403]).toContain(handed.status)
    expect(await standing(owner)).toEqual({
      [owner.userId]: OWNER,
      [giver.userId]: VIEWER,
      [heir.userId]: handed.status === 200 ? OWNER : MEMBER,
    })
  }
})
