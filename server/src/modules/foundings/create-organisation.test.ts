import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { lockingRow, sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('concurrent new organisations of one person wait for each other before they write', async () => {
  const { token, userId } = await app.person()
  const body = { businessName: 'Second Ltd', email: 's@eze.ng' }
  const making = await app.runtime.db.transaction(async (tx) => {
    await tx.one(lockingRow(sql`select id from users where id = ${userId}`, 'update', `person ${userId}`))
    const requests = [1, 2, 3].map(() => app.b.post('/a/v1/organizations', { token, body }))
    await expect.poll(() => listLockWaits(app.owner, /from users .* for update|pg_advisory_xact_lock/s)).toHaveLength(3)
    return requests
  })
  for (const made of await Promise.all(making)) expect(made.status, made.text).toBe(201)
})
