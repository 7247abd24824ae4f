import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { createReferringTable } from '../../../../test/harness/cluster.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { sql } from '../../platform/database/sql.ts'
import type { BuyerId } from './buyer.ts'
import { lockBuyer, lockBuyerToDelete } from './buyers.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
  // A row that refers to a buyer, as invoices do.
  await createReferringTable(app.owner, 'refers_to_buyers', ['organisation_id', 'mode', 'buyer_id'], 'buyers')
})
afterAll(async () => {
  await app.owner.run(sql`drop table refers_to_buyers`)
  await app.close()
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
const refer = ({ organisationId }: Person, id: string) =>
  app.runtime.db.run(sql`insert into refers_to_buyers values (${organisationId}, 'sandbox', ${id})`)

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const client = () => app.client(form)
  const make = async ({ token }: Person, name = 'Ade', number?: string): Promise<string> =>
    (await client().post(path, { token, body: bodies[form](name, number) })).data.id
  const remove = ({ token }: Person, id: string) => client().delete(`${path}/${id}`, { token })
  const removeMany = ({ token }: Person, ids: unknown) => client().delete(`${path}/bulk`, { token, body: { ids } })

  test('a buyer without references is deleted', async () => {
    const person = await owner()
    const id = await make(person)
    const deleted = await remove(person, id)
    expect([deleted.status, deleted.data]).toEqual([200, { id, outcome: 'deleted' }])
    expectRefusal(await client().get(`${path}/${id}`, { token: person.token }), 'resource.not_found')
    expectRefusal(await remove(person, id), 'resource.not_found')
    expect((await eventsAbout(app, id)).map(({ type }) => type)).toEqual(['buyer.created', 'buyer.deleted'])
    expect(await app.runtime.db.rows(sql`select 1 from buyers where id = ${id}`)).toEqual([])
  })

  test('a buyer with references is archived, and can only be read', async () => {
    const person = await owner()
    const { token } = person
    const id = await make(person, 'Adebayo', '20198222-0002')
    await refer(person, id)
    app.clock.advance({ seconds: 5 })
    expect((await remove(person, id)).data).toEqual({ id, outcome: 'archived' })
    const archived = await client().get(`${path}/${id}`, { token })
    expect(archived.data).toMatchObject({ id, archivedAt: app.clock.now().toISOString() })
    expect((await client().get(path, { token })).body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
    expect((await client().get(`${path}/search?q=adebayo`, { token })).data).toEqual([])
    expect((await client().get(`${path}/${id}/verification-status`, { token })).status).toBe(200)

    const name = { A: 'name', B: 'partyName' }[form]
    const refusals = [
      await client().patch(`${path}/${id}`, { token, body: { [name]: 'Other' } }),
      await client().patch(`${path}/${id}`, { token, body: {} }),
      await client().post(`${path}/${id}/verify-tax-number`, { token }),
    ]
    for (const refused of refusals) {
      expectRefusal(refused, 'buyer.archived')
      expect(refused.status).toBe(409)
    }
    expectRefusal(await remove(person, id), 'resource.not_found')
    expect((await client().get(`${path}/${id}`, { token })).data).toEqual(archived.data)
    // The number is free again, and only the buyers that were created are charged.
    expect(await make(person, 'Adebayo', '201982220002')).toEqual(expect.any(String))
    const account = await client().get('/b/v1/billing-accounts/me', { token })
    expect(account.data.creditBalance).toBe(99_998)
    const told = await eventsAbout(app, id)
    expect(told.map(({ type }) => type)).toEqual(['buyer.created', 'buyer.archived'])
    expect(told[1]?.data).toMatchObject({ buyerId: id, name: 'Adebayo', taxId: '20198222-0002' })
  })

  test('the reply for several buyers has a result for each, in order', async () => {
    const [person, stranger] = [await owner(), await owner()]
    const ids = {
      first: await make(person),
      used: await make(person),
      archived: await make(person),
      last: await make(person),
    }
    const [foreign, unknown] = [await make(stranger), randomUUID()]
    for (const id of [ids.used, ids.archived]) await refer(person, id)
    await remove(person, ids.archived)
    const reply = await removeMany(person, [ids.last, unknown, ids.used, foreign, ids.first, ids.archived])
    expect(reply.status, reply.text).toBe(200)
    expect(reply.data).toEqual({
      deleted: [ids.last, ids.first],
      archived: [ids.used],
      notFound: [unknown, foreign, ids.archived],
    })
    expect((await client().get(`${path}/${foreign}`, { token: stranger.token })).status).toBe(200)
    expect((await client().get(path, { token: person.token })).data).toEqual([])
  })

  test('one to a hundred distinct ids are accepted', async () => {
    const person = await owner()
    const id = await make(person)
    const many = (count: number) => Array.from({ length: count }, () => randomUUID())
    for (const ids of [[], many(101), [id, id], ['x'], [7], 'x', undefined, null]) {
      const refused = await removeMany(person, ids)
      expectRefusal(refused, 'request.invalid')
      for (const fault of faultPaths(refused)) expect(fault).toMatch(/^ids/)
    }
    expect((await client().get(`${path}/${id}`, { token: person.token })).status).toBe(200)
    const hundred = [...many(99), id]
    expect((await removeMany(person, hundred)).data).toEqual({
      deleted: [id],
      archived: [],
      notFound: hundred.slice(0, 99),
    })
  })

  test('two concurrent deletions of the same buyers delete each once', async () => {
    const person = await owner()
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push(await make(person))
    const replies = await Promise.all([removeMany(person, ids), removeMany(person, ids.toReversed())])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.flatMap(({ data }) => data.deleted).sort()).toEqual(ids.toSorted())
    expect(replies.flatMap(({ data }) => data.notFound).sort()).toEqual(ids.toSorted())
    for (const id of ids) expect(await eventsAbout(app, id)).toHaveLength(2)
  })
})

test('a new reference to a buyer waits for its deletion, but not for its change', async () => {
  const person = await owner()
  const tenant = { organisationId: person.organisationId, mode: 'sandbox' } as const
  const id: BuyerId = (await app.a.post(path, { token: person.token, body: bodies.A('Ade') })).data.id
  const referElsewhere = () =>
    app.runtime.db.transaction(async (tx) => {
      await tx.run(sql`set local lock_timeout = '200ms'`)
      await tx.run(sql`set local statement_timeout = '3s'`)
      await tx.run(sql`insert into refers_to_buyers values (${tenant.organisationId}, ${tenant.mode}, ${id})`)
    })
  await app.runtime.db.transaction(async (tx) => {
    expect(await lockBuyer(tx, tenant, id)).toMatchObject({ id })
    await referElsewhere()
  })
  await app.runtime.db.transaction(async (tx) => {
    expect(await lockBuyerToDelete(tx, tenant, id)).toMatchObject({ id })
    await expect(referElsewhere()).rejects.toThrow(/(lock|statement) timeout/)
  })
})
