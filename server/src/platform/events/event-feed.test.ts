import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { listFeedAfter } from './event-feed.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
})
afterAll(() => app.close())

test('events that were rare when counted, and frequent when read, are listed from the first one', async () => {
  const { organisationId } = await app.person()
  const { db } = app.runtime
  const tell = (count: number) =>
    db.run(sql`
      insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
      select ${organisationId}, id, 'sandbox', 'item.updated', '', '{}', 'system', '', '', '', 'test', now()
        from unnest(${Array.from({ length: count }, () => newId())}::uuid[]) as id`)
  await tell(1_999)
  let hasGrown = false
  const growing: Queryable = {
    rows: (statement) => db.rows(statement),
    maybe: (statement) => db.maybe(statement),
    run: (statement) => db.run(statement),
    one: async (statement) => {
      const found = await db.one(statement)
      if (!hasGrown) await tell(10)
      hasGrown = true
      return found as never
    },
  }
  const { rows } = await listFeedAfter(
    growing,
    { organisationId, mode: 'sandbox' },
    { types: ['item.updated'], from: new Date(Date.now() - 3600_000) },
    0,
    { page: 1, limit: 1 },
  )
  const { oldest } = await db.one<{ oldest: string }>(sql`
    select id as oldest from events where organisation_id = ${organisationId} and type = 'item.updated' order by id limit 1`)
  expect(rows.map(({ id }) => id)).toEqual([oldest])
})
