import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { invoicesPath, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import type { RefusalName } from '../../kernel/refusals.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
const limits = { document: 2, invitations: 3, hourly: 6 }
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:10:00Z', settings: { mailLimits: limits } })
})
afterAll(() => app.close())

const invitations = '/a/v1/organizations/me/invitations'
const untilTheHour = 50 * 60
const untilMidnight = 15 * 3600 - 10 * 60

function expectBound(reply: Reply, name: RefusalName, seconds: number): void {
  expectRefusal(reply, name)
  expect([reply.status, reply.body.error.code]).toEqual([429, 'RATE001'])
  expect(Number(reply.headers.get('retry-after'))).toBe(seconds)
}
const send = (client: Client, { token }: Person, id: string) => client.post(`${invoicesPath}/${id}/send`, { token })
const invite = (client: Client, { token }: Person, email = `g${randomUUID()}@example.test`) =>
  client.post(invitations, { token, body: { email, fullName: 'Ada Obi' } })
const issued = async (own: Issuer, email = 'one@chidi.test') => {
  const life = lifeOf(app, own)
  return (await life.issued({ buyerId: await life.buyer({ email }) })).id as string
}
const countEvents = async ({ organisationId }: Person, type: string) =>
  (await app.runtime.db.rows(sql`select 1 from events where organisation_id = ${organisationId} and type = ${type}`))
    .length

/** An organisation at a later time, with a valid session. */
async function later<P extends Person>(person: P, hours: number, body: (person: P) => Promise<void>): Promise<void> {
  const before = app.clock.now()
  app.clock.advance({ hours })
  await body(await sessionAgain(app, person, 'sandbox'))
  app.clock.set(before)
}

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('the mails of a document to one address are limited per day', async () => {
    const own = await issuer(app)
    const id = await issued(own)
    for (let time = 0; time < limits.document; time++) ok(await send(client, own, id))
    const before = await lifeOf(app, own).get(id)
    expectBound(await send(client, own, id), 'limit.document_mails', untilMidnight)
    // The refusal left no event, no mail and no new version.
    expect(await countEvents(own, 'invoice.sent')).toBe(limits.document)
    expect(await lifeOf(app, own).get(id)).toEqual(before)
    // Another document can go there, and this document to another address.
    ok(await send(client, own, await issued(own)))
    const email = 'two@chidi.test'
    await app.runtime.db.run(sql`update buyers set email = ${email} where id = ${before.buyerId}`)
    ok(await send(client, own, id))
    // The case of letters does not make another address.
    await app.runtime.db.run(sql`update buyers set email = 'ONE@Chidi.test' where id = ${before.buyerId}`)
    expectBound(await send(client, own, id), 'limit.document_mails', untilMidnight)
    await later(own, 15, async (tomorrow) => void ok(await send(client, tomorrow, id)))
  })

  test('the invitations of an organisation are limited per day, repeated ones included', async () => {
    const owner = await app.person()
    const first = await invite(client, owner)
    expect(first.status).toBe(201)
    // A request that is refused for another reason does not count.
    expectRefusal(await invite(client, owner, first.data.email), 'invitation.exists')
    expectRefusal(await invite(client, owner, owner.email), 'member.exists')
    const resend = (id: string) => client.post(`${invitations}/${id}/resend`, { token: owner.token })
    expect((await resend(first.data.id)).status).toBe(200)
    expect((await invite(client, owner)).status).toBe(201)
    expectBound(await invite(client, owner), 'limit.invitations', untilMidnight)
    expectBound(await resend(first.data.id), 'limit.invitations', untilMidnight)
    const listed = await client.get(invitations, { token: owner.token })
    expect(listed.body.meta.pagination.total).toBe(2)
    expect([await countEvents(owner, 'invitation.created'), await countEvents(owner, 'invitation.resent')]).toEqual([
      2, 1,
    ])
    await later(owner, 15, async (tomorrow) => expect((await invite(client, tomorrow)).status).toBe(201))
  })

  test('the mails of an organisation are limited per hour', async () => {
    const own = await issuer(app)
    const id = await issued(own)
    for (let time = 0; time < 2; time++) ok(await send(client, own, id))
    for (let time = 0; time < 3; time++) expect((await invite(client, own)).status).toBe(201)
    const [second, third] = [await issued(own), await issued(own)]
    ok(await send(client, own, second))
    expectBound(await send(client, own, third), 'limit.mails', untilTheHour)
    await later(own, 1, async (then) => void ok(await send(client, then, third)))
    // Notices about people's own accounts are not limited, and other organisations are not affected.
    const bankDetails = { bankName: 'Harmattan Bank', accountName: 'Eze', accountNumber: '0123456789' }
    ok(await client.patch('/a/v1/organizations/me', { token: own.token, body: { bankDetails } }))
    expect((await app.mailTo(own.email))[0]?.subject).toBe('Your bank details were changed')
    expect((await invite(client, await app.person())).status).toBe(201)
  })
})

test('concurrent mails are sent up to the limit', async () => {
  const own = await issuer(app)
  const id = await issued(own)
  const sent = await Promise.all(Array.from({ length: 8 }, (_, at) => send(at % 2 ? app.a : app.b, own, id)))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(limits.document)
  expect(await countEvents(own, 'invoice.sent')).toBe(limits.document)
  const asked = await Promise.all(Array.from({ length: 8 }, () => invite(app.a, own)))
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(limits.invitations)
})

test('the invitations of a person are limited over all organisations', async () => {
  const person = await app.person()
  for (let time = 0; time < 2; time++) expect((await invite(app.a, person)).status).toBe(201)
  const body = { businessName: 'Another shop', email: 'shop@eze.ng' }
  const { id } = (await app.b.post('/a/v1/organizations', { token: person.token, body })).data
  const switched = await app.b.post('/a/v1/organizations/switch', {
    token: person.token,
    body: { organizationId: id },
  })
  const there = { ...person, token: switched.data.accessToken as string }
  expect((await invite(app.b, there)).status).toBe(201)
  expectBound(await invite(app.b, there), 'limit.invitations', untilMidnight)
  // Another member of the same organisation can still invite.
  expect((await invite(app.b, await app.member(person.organisationId, 'ADMIN'))).status).toBe(201)
})

test('an API key counts like a person', async () => {
  const own = await issuer(app)
  const [key, id] = [await app.key(own.organisationId), await issued(own)]
  for (let time = 0; time < 2; time++) ok(await app.b.post(`${invoicesPath}/${id}/send`, { token: key }))
  expectBound(await app.a.post(`${invoicesPath}/${id}/send`, { token: key }), 'limit.document_mails', untilMidnight)
})
