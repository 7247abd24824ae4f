import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ bank: true })
})
afterAll(() => app.close())

test('a transfer that the provider does not know is looked into twelve times, and leaves the queue after ninety days', async () => {
  const { db, bell } = app.machine
  await db.run(sql`
    insert into collection_notifications (provider, mode, id, subject, tries) values
      ('sandbox', 'sandbox', 'eleventh', 'nobody-knows-1', 10), ('sandbox', 'sandbox', 'twelfth', 'nobody-knows-2', 11)`)
  bell.ring(['money'])
  const kept = () =>
    db.rows<{ id: string; tries: number; waits: boolean; outcome: string | null }>(sql`
      select id, tries, due_at is not null as waits, outcome from collection_notifications order by id`)
  const why = 'the provider does not know it'
  await eventually(async () =>
    expect(await kept()).toEqual([
      { id: 'eleventh', tries: 11, waits: true, outcome: why },
      { id: 'twelfth', tries: 12, waits: false, outcome: `given up: ${why}` },
    ]),
  )
  await db.run(sql`update collection_notifications set received_at = now() - interval '91 days'`)
  await app.runJob('purge-expired')
  expect((await kept()).map(({ id }) => id)).toEqual(['eleventh'])
})
