import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { firstIdAt } from '../kernel/ids.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const old = 'old'
const young = 'young'
/** In days, where most stay for ninety and deliveries for thirty-one. */
const ages = [
  [old, 91, 32],
  [young, 89, 30],
] as const
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** What is left of what was put into each queue. */
const left = async () =>
  await app.machine.db.one<
    Record<'work' | 'messages' | 'mailbox' | 'schedule' | 'notifications' | 'deliveries', string[]>
  >(sql`
    select array(select job from work where job in (${old}, ${young}) order by 1) as work,
           array(select cause from messages where cause in (${old}, ${young}) order by 1) as messages,
           array(select recipient from mailbox where recipient in (${old}, ${young}) order by 1) as mailbox,
           array(select task_identifier from graphile_worker.jobs where task_identifier in (${old}, ${young}) order by 1) as schedule,
           array(select type from provider_notifications where type in (${old}, ${young}) order by 1) as notifications,
           array(select type from webhook_deliveries where type in (${old}, ${young}) order by 1) as deliveries`)

test('what nobody does or looks at any more leaves every queue', async () => {
  const nobody = '00000000-0000-0000-0000-000000000000'
  for (const [name, days, daysOfDelivery] of ages) {
    const at = daysAgo(days)
    await app.owner.run(sql`
      insert into work (id, lane, organisation_id, job, payload, due_at, given_up_at)
      values (gen_random_uuid(), 'mail', ${nobody}, ${name}, '{}', ${at}, ${at})`)
    await app.owner.run(sql`
      insert into messages (id, cause, channel, recipient, created_at, sent_at)
      values (${firstIdAt(at.getTime() - 1)}, ${name}, 'email', 'ada@risiti.test', ${at}, ${at})`)
    await app.owner.run(sql`
      insert into mailbox (id, channel, recipient, created_at, sealed_body)
      values (${firstIdAt(at.getTime() - 1)}, 'email', ${name}, ${at}, '')`)
    await app.owner.run(sql`
      select graphile_worker.permanently_fail_jobs(array[(graphile_worker.add_job(${name}, '{}', run_at := ${at})).id])`)
    await app.owner.run(sql`
      insert into provider_notifications (provider, id, type, received_at) values ('paystack', ${name}, ${name}, ${at})`)
    const sent = daysAgo(daysOfDelivery)
    await app.owner.run(sql`
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, created_at, closed_at)
      values (${nobody}, 'live', ${firstIdAt(sent.getTime())}, gen_random_uuid(), gen_random_uuid(), ${name}, '', 'delivered', ${sent}, ${sent})`)
  }
  // What still waits stays, however long it has.
  await app.owner.run(sql`
    insert into work (id, lane, organisation_id, job, payload, due_at, created_at)
    values (gen_random_uuid(), 'mail', ${nobody}, ${young}, '{}', 'infinity', now() - interval '1 year')`)
  await app.runJob('purge-expired')
  const only = [young]
  expect(await left()).toEqual({
    work: [young, young],
    messages: only,
    mailbox: only,
    schedule: only,
    notifications: only,
    deliveries: only,
  })
})
