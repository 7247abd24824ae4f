import { afterAll, expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { launch, makeKeyFile, withoutDemo } from '../harness/processes.ts'

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

test('every consumer that a worker starts can be told to skip, also one that a lane brings along', async () => {
  const app = await startTestApp()
  endings.push(() => app.close())
  const env = { DATABASE_URL: app.database.url, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }
  const skip = async (consumer: string, eventId: string) => {
    const command = await launch({
      env,
      args: [consumer, eventId, 'its', 'endpoint', 'is', 'gone'],
      command: 'skip-event',
    })
    return { ...(await command.ended), said: command.output() }
  }
  const started = [...app.machine.consumerCounts.keys()].toSorted()
  expect(started).toContain('webhooks')
  await eventually(async () =>
    expect((await app.owner.rows(sql`select from event_places where consumer = any (${started})`)).length).toBe(
      started.length,
    ),
  )
  await app.stopWork()
  const eventId = '01933e2b-7b1e-7000-8000-000000000001'
  await app.owner.run(sql`
    insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    values (gen_random_uuid(), ${eventId}, 'invoice.sent', gen_random_uuid(), '{}', 'system', 'test', '', '', 'test', now())`)
  await app.owner.run(sql`
    update event_places set failures = 3, failing_event = ${eventId}, reason = 'TypeError' where consumer = 'webhooks'`)

  const [unknown, skipped] = await Promise.all([skip('nobody', eventId), skip('webhooks', eventId)])
  expect(unknown.code).toBe(1)
  const [, listed = ''] = /no consumer is called nobody; there are (.*)/.exec(unknown.said) ?? []
  expect(listed.split(', ').toSorted()).toEqual(started)
  expect([skipped.code, skipped.said]).toEqual([0, expect.stringContaining(`webhooks goes on behind ${eventId}`)])
  expect(await app.owner.rows(sql`select consumer, event_id, reason, failure from skipped_events`)).toEqual([
    { consumer: 'webhooks', eventId, reason: 'its endpoint is gone', failure: 'TypeError' },
  ])
})
