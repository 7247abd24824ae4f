import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import type { RoleId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockCustomRole, lockRole, lockRoleToDelete } from './roles.store.ts'

let app: TestApp
let owner: Person
let id: RoleId
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  const body = { name: 'till', displayName: 'Till', permissions: ['invoice.read'] }
  id = (await app.b.post('/a/v1/organizations/me/roles', { token: owner.token, body })).data.id
})
afterAll(() => app.close())

/** In a transaction of its own with a short lock timeout, which is rolled back. */
async function elsewhere(body: (tx: Tx) => Promise<unknown>): Promise<void> {
  const done = new Error('done')
  const tried = app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`set local lock_timeout = '200ms'`)
    await tx.run(sql`set local statement_timeout = '3s'`)
    await body(tx)
    throw done
  })
  await tried.catch((error: unknown) => {
    if (error !== done) throw error
  })
}
const give = (tx: Tx) => lockRole(tx, owner.organisationId, id)
/** As an invitation does: without locking the role first. */
const join = (tx: Tx) =>
  tx.run(sql`
    update memberships set role_id = ${id} where organisation_id = ${owner.organisationId} and user_id = ${owner.userId}`)
/** Citus does not pass on the lock timeout of a transaction, so the time limit of statements ends the wait there. */
const waited = /(lock|statement) timeout/

test('a change of a role blocks its assignment, but not new holders', async () => {
  await app.runtime.db.transaction(async (tx) => {
    expect(await lockCustomRole(tx, owner.organisationId, id)).toMatchObject({ id })
    await expect(elsewhere(give)).rejects.toThrow(waited)
    await elsewhere(join)
  })
})

test('a deletion of a role blocks both, and waits for both', async () => {
  const remove = (tx: Tx) => lockRoleToDelete(tx, owner.organisationId, id)
  await app.runtime.db.transaction(async (tx) => {
    expect(await remove(tx)).toMatchObject({ id })
    await expect(elsewhere(give)).rejects.toThrow(waited)
    await expect(elsewhere(join)).rejects.toThrow(waited)
  })
  await elsewhere(async (tx) => {
    await join(tx)
    await expect(elsewhere(remove)).rejects.toThrow(waited)
  })
})
