import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { whileRefusing } from '../../../../../test/harness/refusing.ts'
import { sql } from '../../../platform/database/sql.ts'
import { announceExpired } from '../background.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const mine = '/a/v1/organizations/me/invitations'
const invite = async (token: string, email = `e${randomBytes(6).toString('hex')}@example.test`) => {
  const { status, data } = await app.a.post(mine, { token, body: { email, fullName: 'Ada Obi' } })
  expect(status).toBe(201)
  return { id: data.id as string, email }
}
const tokenAnew = async ({ refreshToken }: Person) =>
  (await app.a.post('/a/v1/auth/refresh', { body: { refreshToken } })).data.accessToken as string

const announce = () => announceExpired(app.runtime, app.runner).handle({}, { number: 1, last: true })
const expiredEvents = (id: string) =>
  app.runtime.db.rows<{ data: object; actorKind: string; organisationId: string }>(
    sql`select data, actor_kind, organisation_id from events where object_id = ${id} and type = 'invitation.expired'`,
  )

describe('after seven days', () => {
  test.each(['A', 'B'] as const)('form %s shows the expiry exactly at its time', async (form) => {
    const client = app.client(form)
    const owner = await app.person()
    const { id } = await invite(owner.token)
    app.clock.advance({ days: 6, hours: 23, minutes: 59, seconds: 59 })
    const token = await tokenAnew(owner)
    const listed = async (status: string) =>
      (await client.get(`${mine}?status=${status}`, { token })).data.map((one: { id: string }) => one.id)
    expect((await client.get(`${mine}/${id}`, { token })).data.status).toBe('pending')
    expect([await listed('pending'), await listed('expired')]).toEqual([[id], []])

    app.clock.advance({ seconds: 1 })
    expect((await client.get(`${mine}/${id}`, { token })).data.status).toBe('expired')
    expect([await listed('pending'), await listed('expired')]).toEqual([[], [id]])
    expectRefusal(await client.post(`${mine}/${id}/resend`, { token }), 'invitation.not_pending')
    expectRefusal(await client.delete(`${mine}/${id}`, { token }), 'invitation.not_pending')
  })

  test('counts from the last sending', async () => {
    const owner = await app.person()
    const { id } = await invite(owner.token)
    app.clock.advance({ days: 6 })
    let token = await tokenAnew(owner)
    const resent = await app.a.post(`${mine}/${id}/resend`, { token })
    app.clock.advance({ days: 6, hours: 23 })
    token = (await app.a.post('/a/v1/auth/login', { body: { email: owner.email, password: owner.password } })).data
      .accessToken
    expect((await app.a.get(`${mine}/${id}`, { token })).data).toEqual(resent.data)
    app.clock.advance({ hours: 1 })
    token = (await app.a.post('/a/v1/auth/login', { body: { email: owner.email, password: owner.password } })).data
      .accessToken
    expect((await app.a.get(`${mine}/${id}`, { token })).data.status).toBe('expired')
  })

  test('emits exactly one event, even for concurrent jobs', async () => {
    const owner = await app.person()
    const [late, later, withdrawn] = [await invite(owner.token), await invite(owner.token), await invite(owner.token)]
    await app.a.delete(`${mine}/${withdrawn.id}`, { token: owner.token })
    app.clock.advance({ days: 6, hours: 23 })
    const timely = await invite(await tokenAnew(owner))
    await announce()
    expect(await expiredEvents(late.id)).toEqual([])

    app.clock.advance({ hours: 1 })
    await Promise.all([announce(), announce(), announce()])
    await announce()
    for (const { id, email } of [late, later])
      expect(await expiredEvents(id)).toEqual([
        { data: { email }, actorKind: 'system', organisationId: owner.organisationId },
      ])
    for (const { id } of [withdrawn, timely]) expect(await expiredEvents(id)).toEqual([])
  })

  test('emits the event even if invitations of another organisation are locked or fail', async () => {
    const [held, failing, sound] = [await app.person(), await app.person(), await app.person()]
    const made: string[] = []
    for (const owner of [held, failing, sound]) made.push((await invite(owner.token)).id)
    const told = () => Promise.all(made.map(async (id) => (await expiredEvents(id)).length))
    app.clock.advance({ days: 7 })
    const expired = `organisation_id = '${failing.organisationId}' and status = 'expired'`
    await whileRefusing(app, 'invitations', expired, () =>
      app.runtime.db.transaction(async (tx) => {
        await tx.run(sql`
          select from invitations where organisation_id = ${held.organisationId} and id = ${made[0]} for no key update`)
        await expect(announce()).rejects.toThrow('not announced for 1 organisations')
      }),
    )
    expect(await told()).toEqual([0, 0, 1])
    await announce()
    expect(await told()).toEqual([1, 1, 1])
  })

  test('one run handles several batches', async () => {
    const owner = await app.person()
    await app.runtime.db.run(sql`
      insert into invitations (organisation_id, id, email, full_name, role_id, code_mac, code_hash, invited_by, created_at, expires_at)
      select ${owner.organisationId}, gen_random_uuid(), 'many' || n || '@example.test', 'Many', '00000000-0000-7000-8000-000000000004', 'x' || n, 'x',
             ${owner.userId}, ${app.clock.now()}, ${app.clock.now()} from generate_series(1, 450) n`)
    await Promise.all([announce(), announce()])
    await announce()
    const told = await app.runtime.db.one(sql`
      select count(*)::int as events, count(distinct object_id)::int as invitations from events
       where organisation_id = ${owner.organisationId} and type = 'invitation.expired'`)
    expect(told).toEqual({ events: 450, invitations: 450 })
  })

  test('the address can be invited again at once, and the old invitation still emits its event', async () => {
    const owner = await app.person()
    const before = await invite(owner.token)
    app.clock.advance({ days: 7 })
    const token = await tokenAnew(owner)
    const after = await invite(token, before.email)
    await announce()
    expect(await expiredEvents(before.id)).toMatchObject([{ data: { email: before.email } }])
    expect(await expiredEvents(after.id)).toEqual([])
    const status = async (id: string) => (await app.a.get(`${mine}/${id}`, { token })).data.status
    expect([await status(before.id), await status(after.id)]).toEqual(['expired', 'pending'])
  })
})
