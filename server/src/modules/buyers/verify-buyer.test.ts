import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../test/harness/ledger-faults.ts'
import { eventsAbout, buyer as liveOwner, spend } from '../../../../test/harness/purchases.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { sql } from '../../platform/database/sql.ts'
import { operation } from '../../platform/operations/operation.ts'
import { settleBuyerCheck } from './verify-buyer.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())
afterEach(async () => {
  app.authority.control.misbehave(undefined)
  await expectBooksInOrder(app)
})

const path = '/i/v1/buyers'
const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const bodies = {
  A: (name: string, taxId?: string) => ({ name, ...(taxId === undefined ? {} : { taxId }) }),
  B: (partyName: string, taxNumber?: string) => ({
    partyName,
    email: 'b@example.test',
    phoneNumber: '0801',
    postalAddress,
    ...(taxNumber === undefined ? {} : { taxNumber }),
  }),
}
async function owner(): Promise<Person> {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  return person
}
interface Balance {
  available: number
  held: number
  spent: number
}
async function balance({ organisationId }: Person, mode = 'sandbox'): Promise<Balance> {
  const row = await app.runtime.db.one<Record<keyof Balance, bigint>>(
    sql`select available, held, spent from credit_balances where organisation_id = ${organisationId} and mode = ${mode}`,
  )
  return { available: Number(row.available), held: Number(row.held), spent: Number(row.spent) }
}
const questions = () => app.authority.control.requests.filter(({ path }) => path.includes('verify-tin')).length
/** Waits until the authority was asked once more. Its answer is delayed until the test changes that. */
const hasBeenAsked = (before: number) => eventually(async () => expect(questions()).toBe(before + 1))
const typesOf = async (id: string) => (await eventsAbout(app, id)).map(({ type }) => type)
const failed = 'buyer.tax_id_verification_failed'

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const statusField = { A: 'taxIdStatus', B: 'taxNumberStatus' }[form]
  const numberField = { A: 'taxId', B: 'taxNumber' }[form]
  const make = async ({ token }: Person, number?: string, name = 'Ade Stores'): Promise<string> =>
    (await app.client(form).post(path, { token, body: bodies[form](name, number) })).data.id
  const verify = ({ token }: Person, id: string) => app.client(form).post(`${path}/${id}/verify-tax-number`, { token })
  const standing = async ({ token }: Person, id: string) =>
    (await app.client(form).get(`${path}/${id}/verification-status`, { token })).data
  const ended = (person: Person, id: string) =>
    eventually(async () => {
      const now = await standing(person, id)
      expect(now.verification.status).not.toBe('pending')
      return now
    })

  test.each([
    ['20198222-0001', 'verified', null, 'buyer.tax_id_verified'],
    ['20198222-9404', 'not_found', null, failed],
    ['20198222-9409', 'name_mismatch', expect.stringMatching(/\S/), failed],
  ])('%s becomes %s, and the answer is charged', async (number, status, registeredName, event) => {
    const person = await owner()
    const id = await make(person, number)
    expect(await standing(person, id)).toEqual({ buyerId: id, [statusField]: 'unverified', verification: null })
    const started = await verify(person, id)
    expect(started.status, started.text).toBe(202)
    expect(started.data).toMatchObject({ buyerId: id, [statusField]: 'pending' })
    expect(started.data.verification).toMatchObject({ status: 'pending', taxId: number, endedAt: null })
    const now = await ended(person, id)
    const verification = { status, registeredName, endedAt: expect.any(String), id: started.data.verification.id }
    expect(now).toMatchObject({ buyerId: id, [statusField]: status, verification })
    const buyer = await app.client(form).get(`${path}/${id}`, { token: person.token })
    expect(buyer.data[statusField]).toBe(status)
    expect(await balance(person)).toEqual({ available: 99_994, held: 0, spent: 6 })
    const told = await eventsAbout(app, id)
    expect(told.map(({ type }) => type)).toEqual(['buyer.created', event])
    expect(told[1]?.data).toEqual({
      buyerId: id,
      name: 'Ade Stores',
      taxId: number,
      taxIdType: 'national',
      taxIdStatus: status,
      registeredName,
    })
  })

  test.each(['9503', 'down', 'error', 'busy', 'nonsense', 'truncated'] as const)(
    'a missing answer (%s) is not charged, and the check can be repeated',
    async (how) => {
      if (how !== '9503') app.authority.control.misbehave(how)
      const person = await owner()
      const id = await make(person, how === '9503' ? '20198222-9503' : '20198222-0001')
      expect((await verify(person, id)).status).toBe(202)
      expect(await ended(person, id)).toMatchObject({
        [statusField]: 'unavailable',
        verification: { status: 'unavailable', registeredName: null },
      })
      expect(await balance(person)).toEqual({ available: 99_999, held: 0, spent: 1 })
      expect(await typesOf(id)).toEqual(['buyer.created', failed])
      app.authority.control.misbehave(undefined)
      if (how === '9503') return
      expect((await verify(person, id)).status).toBe(202)
      expect((await ended(person, id))[statusField]).toBe('verified')
      expect(await balance(person)).toEqual({ available: 99_994, held: 0, spent: 6 })
      expect(await typesOf(id)).toEqual(['buyer.created', failed, 'buyer.tax_id_verified'])
    },
  )

  test('a running check is returned again, and its price is held once', async () => {
    app.authority.control.misbehave('held')
    const person = await owner()
    const id = await make(person, '20198222-0001')
    const asked = questions()
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(person, id)))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(new Set(replies.map(({ data }) => data.verification.id)).size).toBe(1)
    for (const { data } of replies) expect(data[statusField]).toBe('pending')
    expect(await balance(person)).toEqual({ available: 99_994, held: 5, spent: 1 })
    await hasBeenAsked(asked)
    app.authority.control.misbehave(undefined)
    expect((await ended(person, id))[statusField]).toBe('verified')
    expect(await balance(person)).toEqual({ available: 99_994, held: 0, spent: 6 })
    expect(questions() - asked).toBe(1)
    expect(await typesOf(id)).toEqual(['buyer.created', 'buyer.tax_id_verified'])
    expect((await verify(person, id)).status).toBe(202)
    await ended(person, id)
  })

  test('a changed number is unverified, and a late answer about the old number does not count', async () => {
    app.authority.control.misbehave('held')
    const person = await owner()
    const { token } = person
    const id = await make(person, '20198222-0001')
    const asked = questions()
    await verify(person, id)
    await hasBeenAsked(asked)
    const edit = { token, body: { [numberField]: '20198222-0009' } }
    expect((await app.client(form).patch(`${path}/${id}`, edit)).data[statusField]).toBe('unverified')
    app.authority.control.misbehave(undefined)
    expect(await ended(person, id)).toMatchObject({
      [statusField]: 'unverified',
      verification: { status: 'verified', taxId: '20198222-0001' },
    })
    expect(await typesOf(id)).toEqual(['buyer.created', 'buyer.updated'])
    expect((await verify(person, id)).status).toBe(202)
    expect(await ended(person, id)).toMatchObject({
      [statusField]: 'verified',
      verification: { taxId: '20198222-0009' },
    })

    const rename = { token, body: { email: 'other@example.test', [numberField]: '201982220009' } }
    expect((await app.client(form).patch(`${path}/${id}`, rename)).data[statusField]).toBe('verified')
    const clear = { token, body: { [numberField]: null } }
    expect((await app.client(form).patch(`${path}/${id}`, clear)).data[statusField]).toBe('unverified')
  })

  test('an answer after a recorded timeout counts, and costs nothing', async () => {
    const person = await owner()
    const { organisationId } = person
    app.authority.control.misbehave('down')
    const id = await make(person, '20198222-0007')
    await verify(person, id)
    await ended(person, id)
    expect(await standing(person, id)).toMatchObject({ verification: { status: 'unavailable' } })
    const before = await balance(person)
    const { checkId } = await app.runtime.db.one<{ checkId: string }>(
      sql`select id as check_id from tax_number_checks where organisation_id = ${organisationId} and party_id = ${id}`,
    )
    const intent = { organisationId, mode: 'sandbox', checkId, country: 'NG', taxIdNormal: '20198222-0007' }
    const answer = { kind: 'not_found' }
    const settling = (late: { late?: true }) =>
      app.runner.run(
        operation({ needs: [], refuses: [] }, (context) =>
          settleBuyerCheck.settle(context, intent, { kind: 'answered', answer, ...late }),
        ),
        { caller: systemCaller, origin, input: undefined },
      )
    await settling({})
    expect(await standing(person, id)).toMatchObject({ verification: { status: 'unavailable' } })
    await settling({ late: true })
    expect(await standing(person, id)).toMatchObject({ verification: { status: 'not_found' } })
    expect(await balance(person)).toEqual(before)
  })

  test('a number is required', async () => {
    const person = await owner()
    const refused = await verify(person, await make(person))
    expectRefusal(refused, 'buyer.no_tax_id')
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VAL001'])
    expectRefusal(await verify(person, randomUUID()), 'resource.not_found')
    expectRefusal(await verify(person, 'x'), 'resource.not_found')
    expect(await balance(person)).toEqual({ available: 99_999, held: 0, spent: 1 })
  })

  test('without enough credits the authority is not asked and nothing changes', async () => {
    const person = await liveOwner(app)
    await spend(app, person.organisationId, 40)
    const id = await make(person, '20198222-0001')
    for (let i = 0; i < 5; i++) await make(person)
    expect(await balance(person, 'live')).toMatchObject({ available: 4, held: 0 })
    const asked = questions()
    const refused = await verify(person, id)
    expectRefusal(refused, 'credits.insufficient')
    expect([refused.status, refused.body.error.code]).toEqual([{ A: 402, B: 400 }[form], 'BIZ001'])
    expect(await standing(person, id)).toMatchObject({ [statusField]: 'unverified', verification: null })
    expect([questions(), await typesOf(id)]).toEqual([asked, ['buyer.created']])
  })

  test('a mode without an authority gets no answer and is not charged', async () => {
    const person = await liveOwner(app)
    const id = await make(person, '20198222-0001')
    expect((await verify(person, id)).status).toBe(202)
    expect((await ended(person, id))[statusField]).toBe('unavailable')
    expect(await balance(person, 'live')).toMatchObject({ available: 49, held: 0 })
  })
})

describe('kinds of numbers', () => {
  const make = async ({ token }: Person, body: object) =>
    (await app.a.post(path, { token, body: { name: 'Ade Stores', ...body } })).data.id as string
  const status = async ({ token }: Person, id: string) => (await app.a.get(`${path}/${id}`, { token })).data.taxIdStatus

  test('the authority is not asked about numbers of other countries', async () => {
    const person = await owner()
    const id = await make(person, { taxId: 'GB123456789', taxIdType: 'foreign' })
    const asked = questions()
    const refused = await app.a.post(`${path}/${id}/verify-tax-number`, { token: person.token })
    expectRefusal(refused, 'tax_id.not_checkable')
    expect(refused.status).toBe(422)
    expect([questions(), await balance(person)]).toEqual([asked, { available: 99_999, held: 0, spent: 1 }])
  })

  test('a registration number can be asked about', async () => {
    const person = await owner()
    const id = await make(person, { taxId: 'RC1401999', taxIdType: 'rn' })
    await app.a.post(`${path}/${id}/verify-tax-number`, { token: person.token })
    await eventually(async () => expect(await status(person, id)).toBe('verified'))
  })

  test('a late answer about a national number does not count for a foreign number with the same digits', async () => {
    app.authority.control.misbehave('held')
    const person = await owner()
    const { token } = person
    const id = await make(person, { taxId: '20198222-0001' })
    const asked = questions()
    await app.a.post(`${path}/${id}/verify-tax-number`, { token })
    await hasBeenAsked(asked)
    const changed = await app.a.patch(`${path}/${id}`, { token, body: { taxIdType: 'foreign' } })
    expect(changed.data).toMatchObject({ taxId: '20198222-0001', taxIdType: 'foreign', taxIdStatus: 'unverified' })
    app.authority.control.misbehave(undefined)
    await eventually(async () => expect((await balance(person)).held).toBe(0))
    expect(await status(person, id)).toBe('unverified')
  })

  test('a buyer that is deleted during the check stays deleted, and the answer is charged', async () => {
    app.authority.control.misbehave('held')
    const person = await owner()
    const { token } = person
    const id = await make(person, { taxId: '20198222-0001' })
    const asked = questions()
    await app.a.post(`${path}/${id}/verify-tax-number`, { token })
    await hasBeenAsked(asked)
    await app.a.delete(`${path}/${id}`, { token })
    app.authority.control.misbehave(undefined)
    await eventually(async () => expect(await balance(person)).toEqual({ available: 99_994, held: 0, spent: 6 }))
    expect(await typesOf(id)).toEqual(['buyer.created', 'buyer.deleted'])
    expectRefusal(await app.a.get(`${path}/${id}/verification-status`, { token }), 'resource.not_found')
  })
})
