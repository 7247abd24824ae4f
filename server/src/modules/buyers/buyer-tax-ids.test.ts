import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { expectBooksInOrder } from '../../../../test/harness/ledger-faults.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
afterEach(() => expectBooksInOrder(app))

const path = '/i/v1/buyers'
const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const bodies = {
  A: (name: string, taxId: string) => ({ name, taxId }),
  B: (partyName: string, taxNumber: string) => ({
    partyName,
    taxNumber,
    email: 'b@example.test',
    phoneNumber: '0801',
    postalAddress,
  }),
}
async function owner(): Promise<Person> {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  return person
}
const spent = async ({ organisationId }: Person) =>
  100_000 -
  Number(
    (
      await app.runtime.db.one<{ available: bigint }>(
        sql`select available from credit_balances where organisation_id = ${organisationId} and mode = 'sandbox'`,
      )
    ).available,
  )
const buyersOf = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.one<{ n: number }>(
      sql`select count(*)::int as n from buyers where organisation_id = ${organisationId}`,
    )
  ).n

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const field = { A: 'taxId', B: 'taxNumber' }[form]
  const make = ({ token }: { token: string }, number: string, name = 'Ade') =>
    app.client(form).post(path, { token, body: bodies[form](name, number) })
  const change = ({ token }: Person, id: string, body: object) =>
    app.client(form).patch(`${path}/${id}`, { token, body })

  test('a tax number is the same in another spelling', async () => {
    const person = await owner()
    const { id } = (await make(person, '20198222-0002')).data
    for (const spelling of ['20198222-0002', '201982220002', ' 20198222-0002 ', '2019 8222 0002']) {
      const refused = await make(person, spelling)
      expectRefusal(refused, 'buyer.tax_id_taken')
      expect([refused.status, refused.body.error.code]).toEqual([409, 'RES002'])
    }
    const other = (await make(person, '20198222-0003')).data.id as string
    expectRefusal(await change(person, other, { [field]: '201982220002' }), 'buyer.tax_id_taken')
    const same = await change(person, id, { [field]: '201982220002' })
    expect([same.status, same.data[field]]).toEqual([200, '201982220002'])
    expect([await spent(person), await buyersOf(person)]).toEqual([3, 2])
  })

  test('of twenty concurrent creations with one number, one succeeds and is charged', async () => {
    const person = await owner()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => make(person, i % 2 ? '20198222-0004' : '201982220004', `Ade ${i}`)),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) expectRefusal(reply, 'buyer.tax_id_taken')
    expect([await spent(person), await buyersOf(person)]).toEqual([1, 1])
  })

  test('of ten concurrent changes to one number, one succeeds and is charged', async () => {
    const person = await owner()
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push((await make(person, `20198223-000${i}`)).data.id)
    const replies = await Promise.all(ids.map((id) => change(person, id, { [field]: '20198224-0001' })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) expectRefusal(reply, 'buyer.tax_id_taken')
    expect(await spent(person)).toBe(11)
  })

  test('a number is free again after its buyer is deleted or gets another', async () => {
    const person = await owner()
    const { token } = person
    const { id } = (await make(person, '20198222-0005')).data
    expect((await app.client(form).delete(`${path}/${id}`, { token })).status).toBe(200)
    const second = await make(person, '20198222-0005')
    expect(second.status).toBe(201)
    expect((await change(person, second.data.id, { [field]: null })).status).toBe(200)
    expect((await make(person, '20198222-0005')).status).toBe(201)
  })

  test('every organisation and mode has separate numbers', async () => {
    const person = await owner()
    const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
    for (const one of [person, live, await owner()]) expect((await make(one, '20198222-0006')).status).toBe(201)
    for (const one of [person, live]) expectRefusal(await make(one, '20198222-0006'), 'buyer.tax_id_taken')
  })
})

test('several buyers may have no number', async () => {
  const { token } = await owner()
  for (let i = 0; i < 3; i++)
    expect((await app.a.post(path, { token, body: { name: 'Cash sale', taxId: null } })).status).toBe(201)
})
