import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { lockOrganisation, lockOrganisationShared } from './organisations.store.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
})
afterAll(() => app.close())

/** In a transaction of its own, with a short lock timeout. */
const elsewhere = (body: (tx: Tx) => Promise<unknown>) =>
  app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`set local lock_timeout = '200ms'`)
    await body(tx)
  })
const lock = (tx: Tx) => lockOrganisation(tx, owner.organisationId)
const hold = (tx: Tx) => lockOrganisationShared(tx, owner.organisationId)
/** Citus does not pass on the lock timeout of a transaction, so the time limit of statements ends the wait there. */
const waited = /(lock|statement) timeout/

test('an exclusive lock of an organisation blocks exclusive and shared locks, and shared locks do not block each other', async () => {
  await app.runtime.db.transaction(async (tx) => {
    await lock(tx)
    await expect(elsewhere(lock)).rejects.toThrow(waited)
    await expect(elsewhere(hold)).rejects.toThrow(waited)
  })
  await app.runtime.db.transaction(async (tx) => {
    await hold(tx)
    await expect(elsewhere(lock)).rejects.toThrow(waited)
    await elsewhere(hold)
  })
})

test('rows that only refer to an organisation are written during its lock', async () => {
  await app.runtime.db.transaction(async (tx) => {
    await lock(tx)
    await elsewhere((other) =>
      other.run(sql`
        insert into sessions (id, user_id, organisation_id, mode, epoch, address, user_agent, created_at, last_used_at, expires_at)
        select gen_random_uuid(), user_id, organisation_id, mode, epoch, address, user_agent, created_at, last_used_at, expires_at
          from sessions where user_id = ${owner.userId} limit 1`),
    )
    const made = await app.a.post('/i/v1/buyers', { token: owner.token, body: { name: 'Ade' } })
    expect(made.status).toBe(201)
  })
})
