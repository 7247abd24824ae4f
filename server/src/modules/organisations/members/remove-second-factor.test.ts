import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function protect({ token, password }: Person): Promise<string[]> {
  const { secret } = (await app.a.post('/a/v1/auth/totp/enrol', { token, body: { password } })).data
  const timestamp = app.clock.now().getTime()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  const confirmed = await app.a.post('/a/v1/auth/totp/confirm', { token, body: { code } })
  expect(confirmed.status).toBe(200)
  return confirmed.data.recoveryCodes as string[]
}

describe.each(['A', 'B'] as const)('a lost second factor in form %s', (form) => {
  let client: Client
  let owner: Person
  beforeAll(async () => {
    client = app.client(form)
    owner = await app.person()
  })
  const switchOff = (by: Person, userId: string): Promise<Reply> =>
    client.delete(`/a/v1/organizations/me/users/${userId}/totp`, { token: by.token })
  const logIn = ({ email, password }: Person) => client.post('/a/v1/auth/login', { body: { email, password } })

  test('is switched off by an owner, and the member gets a mail', async () => {
    const member = await app.member(owner.organisationId, 'ADMIN')
    await protect(member)
    expectRefusal(await logIn(member), 'credentials.second_factor_needed')
    const off = await switchOff(owner, member.userId)
    expect([off.status, off.data]).toEqual([200, expect.objectContaining({ id: member.userId, totpEnabled: false })])
    expect((await logIn(member)).status).toBe(200)
    const seen = await client.get('/a/v1/auth/me', { token: member.token })
    expect([seen.status, seen.data.user.totpEnabled]).toEqual([200, false])

    const mails = await app.mailTo(member.email, 2)
    const told = mails.filter(({ subject }) => subject === 'Second factor switched off')
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain(owner.email)
    const left = sql`select 1 from recovery_codes where user_id = ${member.userId}`
    expect(await app.runtime.db.rows(left)).toEqual([])
    // The second factor can be set up again.
    expect(await protect(member)).toHaveLength(10)
  })

  test('cannot be switched off by an administrator, or by a caller with fewer capabilities than the member', async () => {
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const second = await app.member(owner.organisationId, 'OWNER')
    await protect(second)
    expectRefusal(await switchOff(admin, second.userId), 'auth.capability_missing')
    const steward = await memberHolding(app, owner, 'organization.transfer_ownership')
    expectRefusal(await switchOff(steward, second.userId), 'member.above_own')
    const key = { ...owner, token: await app.key(owner.organisationId) }
    expectRefusal(await switchOff(key, second.userId), 'auth.users_only')
    expectRefusal(await logIn(second), 'credentials.second_factor_needed')
    expect((await switchOff(owner, second.userId)).status).toBe(200)
  })

  test('must belong to another member, and be on', async () => {
    const member = await app.member(owner.organisationId, 'MEMBER')
    expectRefusal(await switchOff(owner, member.userId), 'totp.not_on')
    await protect(member)
    expect((await switchOff(owner, member.userId)).status).toBe(200)
    expectRefusal(await switchOff(owner, member.userId), 'totp.not_on')
    const boss = await app.person()
    await protect(boss)
    for (const ref of ['me', boss.userId]) expectRefusal(await switchOff(boss, ref), 'member.is_you')
    for (const id of [boss.userId, randomUUID(), 'x']) expectRefusal(await switchOff(owner, id), 'resource.not_found')
    expectRefusal(await logIn(boss), 'credentials.second_factor_needed')
  })
})
