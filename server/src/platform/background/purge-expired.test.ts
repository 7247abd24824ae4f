import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { firstIdAt, newId } from '../../kernel/ids.ts'
import { purgeNotifications } from '../../modules/billing/payments/notifications.store.ts'
import { purgeCollectionNotifications } from '../../modules/collection/notifications/notifications.store.ts'
import { purgeAttemptCounters } from '../../modules/people/attempt-counters.store.ts'
import { purgeDeliveries } from '../../modules/webhooks/deliveries/purge-deliveries.ts'
import { purgeAuthChanges } from '../callers/auth-changes.store.ts'
import type { Queryable } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { purgeGivenUp } from '../jobs/jobs.store.ts'
import { purgeRateWindows } from '../limits/rate-limits.store.ts'
import { purgeExchanges, purgeIdempotencyKeys } from '../operations/purges.store.ts'

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
  await app.runtime.db.one<Record<'work' | 'messages' | 'mailbox' | 'notifications' | 'deliveries', string[]>>(sql`
    select array(select job from jobs where job in (${old}, ${young}) order by 1) as work,
           array(select cause from messages where cause in (${old}, ${young}) order by 1) as messages,
           array(select recipient from mailbox where recipient in (${old}, ${young}) order by 1) as mailbox,
           array(select type from provider_notifications where type in (${old}, ${young}) order by 1) as notifications,
           array(select type from webhook_deliveries where type in (${old}, ${young}) order by 1) as deliveries`)

test('rows past their retention leave every queue', async () => {
  const nobody = '00000000-0000-0000-0000-000000000000'
  for (const [name, days, daysOfDelivery] of ages) {
    const at = daysAgo(days)
    await app.owner.run(sql`
      insert into jobs (id, queue, organisation_id, job, payload, due_at, given_up_at)
      values (gen_random_uuid(), 'mail', ${nobody}, ${name}, '{}', ${at}, ${at})`)
    await app.owner.run(sql`
      insert into messages (id, cause, channel, recipient, created_at, sent_at)
      values (${firstIdAt(at.getTime() - 1)}, ${name}, 'email', 'ada@risiti.test', ${at}, ${at})`)
    await app.owner.run(sql`
      insert into mailbox (id, channel, recipient, created_at, sealed_body)
      values (${firstIdAt(at.getTime() - 1)}, 'email', ${name}, ${at}, '')`)
    await app.owner.run(sql`
      insert into provider_notifications (provider, id, type, received_at) values ('paystack', ${name}, ${name}, ${at})`)
    const sent = daysAgo(daysOfDelivery)
    await app.owner.run(sql`
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, created_at, closed_at)
      values (${nobody}, 'live', ${firstIdAt(sent.getTime())}, gen_random_uuid(), gen_random_uuid(), ${name}, '', 'delivered', ${sent}, ${sent})`)
  }
  // What still waits stays, however long it has.
  await app.owner.run(sql`
    insert into jobs (id, queue, organisation_id, job, payload, due_at, created_at)
    values (gen_random_uuid(), 'mail', ${nobody}, ${young}, '{}', 'infinity', now() - interval '1 year')`)
  await app.runJob('purge-expired')
  const only = [young]
  expect(await left()).toEqual({
    work: [young, young],
    messages: only,
    mailbox: only,
    notifications: only,
    deliveries: only,
  })
})

/** Of each kind: twenty-five that are a year old, one that is young, and how they are removed. */
const aYearAgo = sql`now() - interval '1 year' + nth * interval '1 second'`
const made = sql`generate_series(1, 25) as nth`
const kinds: readonly (readonly [string, Sql, (db: Queryable, before: Date, limit: number) => Promise<number>])[] = [
  [
    'idempotency_keys',
    sql`insert into idempotency_keys (organisation_id, mode, key, target, body_mac, created_at, expires_at)
        select gen_random_uuid(), 'live', nth::text, '', '', now(), ${aYearAgo} from ${made}
        union all select gen_random_uuid(), 'live', 'young', '', '', now(), now() + interval '1 day'`,
    purgeIdempotencyKeys,
  ],
  [
    'exchanges',
    sql`insert into exchanges (id, name, caller, intent, abandoned_after, settled_at, outcome)
        select gen_random_uuid(), 'old', '{}'::jsonb, '{}'::jsonb, 'infinity'::timestamptz, ${aYearAgo}, 'answered' from ${made}
        union all select gen_random_uuid(), 'young', '{}', '{}', 'infinity', null, null`,
    purgeExchanges,
  ],
  [
    'rate_windows',
    sql`insert into rate_windows (subject, window_end, used)
        select nth::text, ${aYearAgo}, 1 from ${made} union all select 'young', now() + interval '1 day', 1`,
    purgeRateWindows,
  ],
  [
    'provider_notifications',
    sql`insert into provider_notifications (provider, id, type, received_at)
        select 'many', nth::text, '', ${aYearAgo} from ${made} union all select 'many', 'young', '', now()`,
    purgeNotifications,
  ],
  [
    // Those that were not heard yet are older than all others, and stay.
    'collection_notifications',
    sql`insert into collection_notifications (provider, mode, id, subject, received_at, due_at)
        select 'many', 'live', nth::text, '', ${aYearAgo}, null::timestamptz from ${made}
        union all select 'many', 'live', 'unheard ' || nth, '', ${aYearAgo} - interval '1 year', now() + interval '1 day' from ${made}`,
    purgeCollectionNotifications,
  ],
  [
    'auth_changes',
    sql`insert into auth_changes (subject, changed_at) select 'old', ${aYearAgo} from ${made} union all select 'young', now()`,
    purgeAuthChanges,
  ],
  [
    // Of what was closed for long, nothing goes while it is.
    'attempt_counters',
    sql`insert into attempt_counters (purpose, account_mac, network, wrong, began_at, lockouts, locked_until)
        select 'many', nth::text, '', 1, ${aYearAgo}, 0, null::timestamptz from ${made}
        union all select 'many', 'closed', '', 1, now() - interval '1 year', 1, now() + interval '1 day'`,
    purgeAttemptCounters,
  ],
  [
    'jobs',
    sql`insert into jobs (id, queue, organisation_id, job, payload, due_at, given_up_at)
        select gen_random_uuid(), 'mail', gen_random_uuid(), 'many', '{}'::jsonb, now(), ${aYearAgo} from ${made}
        union all select gen_random_uuid(), 'mail', gen_random_uuid(), 'many', '{}', 'infinity', null`,
    purgeGivenUp,
  ],
]

test.each(kinds)('a purge of %s removes few rows at a time', async (_, inserting, purge) => {
  const { db } = app.runtime
  const before = daysAgo(300)
  await app.owner.run(inserting)
  const rounds: number[] = []
  for (let round = 0; round < 4; round++) rounds.push(await purge(db, before, 10))
  expect(rounds).toEqual([10, 10, 5, 0])
})

test('deliveries are purged tenant by tenant, in batches of any size', async () => {
  const sent = daysAgo(40)
  const type = 'stepwise'
  const counts = () =>
    app.runtime.db.one<{ closed: number; open: number; recent: number }>(sql`
      select count(*) filter (where closed_at is not null and created_at < ${daysAgo(35)})::int as closed,
             count(*) filter (where closed_at is null)::int as open,
             count(*) filter (where created_at > ${daysAgo(35)})::int as recent from webhook_deliveries where type = ${type}`)
  for (const steps of [
    { most: 2, mostTenants: 1 },
    { most: 3, mostTenants: 2 },
    { most: 100, mostTenants: 100 },
  ]) {
    // Five old ones of each of six tenants, one of them still open, and one that is not old.
    for (const organisationId of [newId(), newId(), newId()])
      for (const mode of ['live', 'sandbox'])
        for (const [nth, at] of [sent, sent, sent, sent, sent, daysAgo(1)].entries())
          await app.owner.run(sql`
            insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, created_at, closed_at)
            values (${organisationId}, ${mode}, ${firstIdAt(at.getTime() - nth)}, gen_random_uuid(), gen_random_uuid(), ${type}, '',
                    ${nth === 2 ? 'retrying' : 'delivered'}, ${at}, ${nth === 2 ? null : at})`)
    const before = await counts()
    expect(before.closed).toBe(24)
    expect(await purgeDeliveries(app.runtime.db, daysAgo(35), steps)).toBe(24)
    expect(await counts()).toEqual({ ...before, closed: 0 })
  }
})

test('a purge that fails is reported, and the purges after it still run', async () => {
  const id = newId()
  await app.owner.run(sql`
    insert into exchanges (id, name, caller, intent, abandoned_after, settled_at, outcome)
    values (${id}, 'x', '{}', '{}', ${daysAgo(40)}, ${daysAgo(40)}, 'unknown')`)
  const recipient = `${newId()}@example.test`
  await app.owner.run(sql`
    insert into mailbox (id, channel, recipient, created_at, sealed_body)
    values (${firstIdAt(daysAgo(91).getTime())}, 'email', ${recipient}, ${daysAgo(91)}, '')`)
  const heal = await poison(app, 'exchanges', `old.id = '${id}'`, 'delete')
  await expect(app.runJob('purge-expired')).rejects.toThrow('1 purges failed')
  expect(await app.owner.rows(sql`select from mailbox where recipient = ${recipient}`)).toEqual([])
  const failing = () => app.owner.rows(sql`select item from failing_items where problem = 'purge.failed'`)
  expect(await failing()).toEqual([{ item: 'exchanges' }])
  await heal()
  await app.runJob('purge-expired')
  expect(await failing()).toEqual([])
  expect(await app.owner.rows(sql`select from exchanges where id = ${id}`)).toEqual([])
})
