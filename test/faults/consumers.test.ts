import { afterAll, expect, test } from 'vitest'
import { newId } from '../../server/src/kernel/ids.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from '../harness/app.ts'
import { openEventStorm } from '../harness/event-storm.ts'
import { eventually } from '../harness/eventually.ts'
import { launch, makeKeyFile, until, withoutDemo } from '../harness/processes.ts'

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

test('the operator can skip an event of every consumer, even of one that belongs to a queue', async () => {
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
  const started = [...app.runtime.consumerCounts.keys()].toSorted()
  expect(started).toContain('webhooks')
  await eventually(async () =>
    expect((await app.owner.rows(sql`select from consumers where consumer = any (${started})`)).length).toBe(
      started.length,
    ),
  )
  await app.stopWork()
  const eventId = '01933e2b-7b1e-7000-8000-000000000001'
  const organisationId = newId()
  await app.owner.run(sql`
    insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    values (${organisationId}, ${eventId}, 'invoice.sent', gen_random_uuid(), '{}', 'system', 'test', '', '', 'test', now())`)
  await app.owner.run(sql`
    insert into consumer_cursors (organisation_id, consumer, position, failures, failing_event, reason)
    values (${organisationId}, 'webhooks', 0, 3, ${eventId}, 'TypeError')`)

  const [unknown, skipped] = await Promise.all([skip('nobody', eventId), skip('webhooks', eventId)])
  expect(unknown.code).toBe(1)
  const [, listed = ''] = /no consumer is called nobody; the consumers are (.*)/.exec(unknown.said) ?? []
  expect(listed.split(', ').toSorted()).toEqual(started)
  expect([skipped.code, skipped.said]).toEqual([0, expect.stringContaining(`webhooks goes on behind ${eventId}`)])
  expect(await app.owner.rows(sql`select consumer, event_id, reason, failure from skipped_events`)).toEqual([
    { consumer: 'webhooks', eventId, reason: 'its endpoint is gone', failure: 'TypeError' },
  ])
})

test('two versions side by side, each with a consumer that the other lacks, process every event exactly once', async () => {
  const storm = await openEventStorm()
  endings.push(() => storm.close())
  const [ofOld, ofNew, shared] = ['known-to-the-old', 'known-to-the-new', 'known-to-both']
  const start = (name: 'old' | 'new', consumers: Readonly<Record<string, number>>) =>
    storm.start({ name, consumers, tellsUntil: 0, seed: 1, falls: 0 })
  const startOld = () => start('old', { [ofOld]: 37, [shared]: 7 })
  const startNew = () => start('new', { [ofNew]: 7, [shared]: 37 })
  const inOld = [['old', ofOld] as const, ['old', shared] as const]
  const inNew = [['new', ofNew] as const, ['new', shared] as const]
  /** Waits until each of these consumers has had a new effect. */
  const goOn = async (followed: readonly (readonly [version: string, consumer: string])[]) => {
    const seen = () => Promise.all(followed.map(([version, consumer]) => storm.seenBy(version, consumer)))
    const before = await seen()
    const haveMoved = async () => (await seen()).every((many, at) => many > (before[at] ?? 0))
    await until(haveMoved, `an effect on each of ${followed.join('; ')}`)
  }

  const told = new AbortController()
  endings.push(() => told.abort())
  const telling = Promise.all([1, 2, 3].map((seed) => storm.tell(seed, told.signal)))
  const old = await startOld()
  await goOn(inOld)
  await startNew()
  await goOn([...inOld, ...inNew])
  await old.kill()
  // Only the old version knows this consumer. Its events wait, and the new version does not move its cursor.
  await goOn(inNew)
  await startOld()
  await goOn([...inOld, ...inNew])
  told.abort()
  await telling

  const takeAll = () =>
    until(async () => {
      const { told, seen, counted } = await storm.counts()
      return seen >= told * 3 && counted >= told
    }, 'an effect of each event on each consumer')
  await takeAll()
  // A repeated effect, which would be a fault, comes before the effect of a later event.
  await storm.tellOne()
  await takeAll()
  const counts = await storm.counts()
  const once = { seen: counts.told, different: counts.told, unknown: 0, disordered: 0 }
  expect(await storm.effects()).toEqual([shared, ofNew, ofOld].map((consumer) => ({ consumer, ...once })))
  expect(counts.counted).toBe(counts.told)
})
