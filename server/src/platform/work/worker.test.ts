import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../database/sql.ts'
import { handler, job } from './jobs.ts'
import { lanePlans } from './lanes.ts'
import { insertWork } from './work.store.ts'
import { startWorker } from './worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
})
afterAll(() => app.close())

test('a lane that holds all of its connections takes none from another', async () => {
  const release = Promise.withResolvers<void>()
  let held = 0
  const done: string[] = []
  const hold = job<object>('hold a connection', 'money')
  const read = job<object>('read something', 'mail')
  const { connections } = lanePlans.money
  const worker = await startWorker(
    app.machine,
    { connection: app.database.url },
    {
      handlers: ({ db }) => [
        handler(hold, () =>
          db.transaction(async (tx) => {
            await tx.run(sql`select 1`)
            held++
            await release.promise
          }),
        ),
        handler(read, async () => {
          await db.run(sql`select 1`)
          done.push(read.name)
        }),
      ],
      consumers: [],
    },
  )
  const ask = (of: typeof hold, pieces: number) =>
    app.machine.db.transaction((tx) =>
      insertWork(
        tx,
        Array.from({ length: pieces }, () => ({
          lane: of.lane,
          organisationId: newId<'organisation'>() as OrganisationId,
          job: of.name,
          key: null,
          payload: {},
          dueAt: null,
        })),
      ),
    )
  try {
    await ask(hold, connections)
    await eventually(async () => expect(held).toBe(connections))
    await ask(read, 1)
    await eventually(async () => expect(done).toEqual([read.name]))
    // Nothing of the first lane has given a connection back meanwhile.
    expect(await app.machine.db.one(sql`select count(*)::int as left from work where job = ${hold.name}`)).toEqual({
      left: connections,
    })
  } finally {
    release.resolve()
    await worker.stop()
  }
})
