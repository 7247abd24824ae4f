import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())
afterEach(() => app.authority.control.misbehave(undefined))

const path = '/i/v1/sellers'
const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const make = async ({ token }: Person, taxNumber: string): Promise<string> => {
  const body = { partyName: 'Eze Transport', taxNumber, email: 't@eze.ng', phoneNumber: '0801', postalAddress }
  return (await app.b.post(path, { token, body })).data.id
}
const verify = ({ token }: Person, id: string) => app.b.post(`${path}/${id}/verify-tax-number`, { token })
const standing = async ({ token }: Person, id: string) =>
  (await app.b.get(`${path}/${id}/verification-status`, { token })).data
const ended = (person: Person, id: string) =>
  eventually(async () => {
    const now = await standing(person, id)
    expect(now.verification.status).not.toBe('pending')
    return now
  })
const failed = 'seller.tax_id_verification_failed'

test.each([
  ['62000000-0001', 'verified', null, 'seller.tax_id_verified'],
  ['62000000-9404', 'not_found', null, failed],
  ['62000000-9409', 'name_mismatch', expect.stringMatching(/\S/), failed],
  ['62000000-9503', 'unavailable', null, failed],
])('%s becomes %s, free of charge', async (number, status, registeredName, event) => {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  const id = await make(person, number)
  expect(await standing(person, id)).toEqual({ sellerId: id, taxNumberStatus: 'unverified', verification: null })
  const started = await verify(person, id)
  expect(started.status, started.text).toBe(202)
  expect(started.data).toMatchObject({ sellerId: id, verification: { status: 'pending', taxId: number } })
  expect(await ended(person, id)).toMatchObject({
    sellerId: id,
    taxNumberStatus: status,
    verification: { id: started.data.verification.id, status, registeredName, endedAt: expect.any(String) },
  })
  const { data } = await app.b.get(`${path}/${id}`, { token: person.token })
  expect(data.taxNumberStatus).toBe(status)
  const told = await eventsAbout(app, id)
  expect(told.map(({ type, mode }) => [type, mode])).toEqual([
    ['seller.created', null],
    [event, 'sandbox'],
  ])
  expect(told[1]?.data).toMatchObject({ sellerId: id, taxId: number, status, registeredName })
  const moves = sql`
    select 1 from credit_moves where organisation_id = ${person.organisationId} and mode = 'sandbox' and cause <> 'opening'`
  expect(await app.runtime.db.rows(moves)).toEqual([])
})

test('a running check is returned again', async () => {
  app.authority.control.misbehave('held')
  const person = await app.person()
  const id = await make(person, '62000000-0001')
  const replies = await Promise.all(Array.from({ length: 5 }, () => verify(person, id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 202])
  expect(new Set(replies.map(({ data }) => data.verification.id)).size).toBe(1)
  expect(await standing(person, id)).toMatchObject({ taxNumberStatus: 'pending' })
  app.authority.control.misbehave(undefined)
  expect((await ended(person, id)).taxNumberStatus).toBe('verified')
  expect(await eventsAbout(app, id)).toHaveLength(2)
})

test('the latest answer counts, even for concurrent checks', async () => {
  const person = await app.person()
  const id = await make(person, '62000000-0001')
  for (const [fault, status] of [
    ['down', 'unavailable'],
    [undefined, 'verified'],
    ['error', 'unavailable'],
    [undefined, 'verified'],
  ] as const) {
    app.authority.control.misbehave(fault)
    expect((await verify(person, id)).status).toBe(202)
    const now = await ended(person, id)
    expect([now.taxNumberStatus, now.verification.status]).toEqual([status, status])
    const { data } = await app.b.get(`${path}/${id}`, { token: person.token })
    expect(data.taxNumberStatus).toBe(status)
  }
})

test('the result of one mode does not count in the other', async () => {
  const person = await app.person()
  const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
  const id = await make(person, '62000000-0001')
  await verify(person, id)
  expect((await ended(person, id)).taxNumberStatus).toBe('verified')
  expect(await standing(live, id)).toEqual({ sellerId: id, taxNumberStatus: 'unverified', verification: null })
  expect((await verify(live, id)).status).toBe(202)
  expect((await ended(live, id)).taxNumberStatus).toBe('unavailable')
  expect((await standing(person, id)).taxNumberStatus).toBe('verified')
})

test('a number and a seller are required', async () => {
  const person = await app.person()
  const primary = await eventually(async () => {
    const { data } = await app.a.get(path, { token: person.token })
    expect(data).toHaveLength(1)
    return data[0].id as string
  })
  const refused = await verify(person, primary)
  expectRefusal(refused, 'seller.no_tax_id')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL001'])
  const foreign = await make(await app.person(), '62000000-0001')
  for (const id of [randomUUID(), 'x', foreign]) expectRefusal(await verify(person, id), 'resource.not_found')
  expect(await app.runtime.db.rows(sql`select 1 from tax_number_checks where party_id = ${foreign}`)).toEqual([])
})
