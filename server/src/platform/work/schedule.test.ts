import { afterAll, beforeAll, expect, test } from 'vitest'
import { capturedLog } from '../../../../test/harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { handler, job } from './jobs.ts'
import { startSchedule } from './schedule.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.url })
})
afterAll(() => db.end())

test('what time called for and does not end has failed after its deadline, and its own next one does not wait for it', async () => {
  const { log, text } = capturedLog()
  const begun: string[] = []
  const probe = job<{ name: string }>('probe', 'upkeep')
  const handle = async ({ name }: { name: string }) => {
    begun.push(name)
    if (name === 'endless') await new Promise(() => {})
  }
  // As the crontab does: each kind has a queue of its own, in which one is done at a time.
  for (const name of ['endless', 'next'])
    await db.run(sql`
      select graphile_worker.add_job('probe', ${JSON.stringify({ name })}::json, queue_name => 'probe')`)
  const schedule = await startSchedule({ connection: database.url }, [handler(probe, handle)], log, 100)
  try {
    await eventually(async () => expect(begun).toEqual(['endless', 'next']))
    expect(text()).toContain('probe took longer than 100 ms')
    await eventually(async () =>
      expect(await db.rows(sql`select attempts, locked_at from graphile_worker.jobs`)).toEqual([
        { attempts: 1, lockedAt: null },
      ]),
    )
  } finally {
    await schedule.stop()
  }
})
