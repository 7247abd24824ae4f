import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../database/sql.ts'
import { insertingJobs } from '../jobs/jobs.store.ts'
import { job } from '../jobs/jobs.ts'
import { operation } from '../operations/operation.ts'
import type { Consumer } from './consumer.ts'
import { handler } from './handlers.ts'
import { queuePlans } from './queues.ts'
import { startWorker } from './worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
})
afterAll(() => app.close())

test('a queue that uses all of its own connections takes none from another queue', async () => {
  const release = Promise.withResolvers<void>()
  let held = 0
  const done: string[] = []
  const hold = job<object>('hold a connection', 'money')
  const read = job<object>('read something', 'mail')
  const { connections } = queuePlans.money
  const worker = startWorker(
    app.runtime,
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
    app.runtime.db.run(
      insertingJobs(
        Array.from({ length: pieces }, () => ({
          queue: of.queue,
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
    // Nothing of the first queue has given a connection back meanwhile.
    expect(await app.runtime.db.one(sql`select count(*)::int as left from jobs where job = ${hold.name}`)).toEqual({
      left: connections,
    })
  } finally {
    release.resolve()
    await worker.stop()
  }
})

test('consumers of the pool "lists" that use all of its connections delay neither webhooks nor other work', async () => {
  const { organisationId } = await app.person()
  const release = Promise.withResolvers<void>()
  const took: string[] = []
  const consumer = (queue: Consumer['pool'], nth = 1): Consumer => ({
    name: `${queue} ${nth}`,
    on: ['role.deleted'],
    pool: queue,
    startsAt: 'now',
    batchSize: 10,
    restMs: 1,
    take: async () => {
      took.push(`${queue} ${nth}`)
      if (queue === 'lists') await release.promise
    },
  })
  const consumers = [1, 2, 3].map((nth) => consumer('lists', nth))
  const worker = startWorker(
    app.runtime,
    { connection: app.database.url },
    { handlers: () => [], consumers: [...consumers, consumer('webhooks'), consumer('work')] },
  )
  const begun = () =>
    app.runtime.db.one<{ places: number }>(sql`
      select count(*)::int as places from consumers where consumer like 'lists _' or consumer in ('webhooks 1', 'work 1')`)
  const telling = operation({ needs: [], refuses: [] }, async ({ emit }) => {
    emit('role.deleted', { organisationId, objectId: newId() }, { name: 'Clerk' })
  })
  try {
    await eventually(async () => expect(await begun()).toEqual({ places: 5 }))
    await app.runner.run(telling, { caller: systemCaller, origin, input: undefined })
    await eventually(async () => expect(took).toEqual(expect.arrayContaining(['webhooks 1', 'work 1'])))
    // There are two connections for three of them.
    await eventually(async () => expect(took.filter((name) => name.startsWith('lists'))).toHaveLength(2))
  } finally {
    release.resolve()
    await worker.stop()
  }
})
