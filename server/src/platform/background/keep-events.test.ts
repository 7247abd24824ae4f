import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { idAt, newId } from '../../kernel/ids.ts'
import { readConfig } from '../config.ts'
import { sql } from '../database/sql.ts'

test('events are kept for as many whole months as the operator has set, and partitions of coming months are created', async () => {
  const { settings } = readConfig({ EVENT_MONTHS: '5' }, [])
  const app = await startTestApp({ settings: { eventMonths: settings.eventMonths } })
  try {
    /** The months that have a partition, counted from this one. */
    const months = async () =>
      (
        await app.owner.rows<{ month: number }>(sql`
          select (extract(year from age) * 12 + extract(month from age))::int as month
            from pg_inherits join pg_class on pg_class.oid = inhrelid
           cross join lateral age(to_date(right(relname, 7), 'YYYY_MM'), date_trunc('month', now())::date) as age
           where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by 1`)
      ).map(({ month }) => month)
    await app.owner.run(
      sql`select make_event_month(month::date) from generate_series(now() - interval '8 months', now(), interval '1 month') as month`,
    )
    expect(await months()).toEqual(expect.arrayContaining([-8, -7, -6, -5, -4, -3, -2, -1, 0]))
    await app.runJob('keep-events')
    expect(await months()).toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3])
  } finally {
    await app.close()
  }
})

describe('a missing monthly partition', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ settings: { eventMonths: 24 } })
    // A worker makes missing months when it starts: here it is done when the test says so.
    await app.stopWork()
  })
  afterAll(() => app.close())

  const nextMonths = () =>
    app.owner.rows<{ month: string; name: string }>(sql`
      select month::date::text as month, 'events_' || to_char(month, 'YYYY_MM') as name
        from generate_series(date_trunc('month', now()), now() + interval '3 months', interval '1 month') as month order by month`)
  const partitions = async () =>
    (
      await app.owner.rows<{ name: string }>(sql`
        select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass`)
    ).map(({ name }) => name)
  const drop = async (name: string) => void (await app.owner.pool.query(`drop table ${name}`))
  let made = 0
  /** An event as if it had happened within a month. */
  async function happened(month: string): Promise<string> {
    const id = idAt(Date.parse(`${month}T12:00:00Z`), ++made)
    await app.owner.run(sql`
      insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
      values (${newId()}, ${id}, 'invoice.sent', ${id}, '{}', 'system', 'test', '', '', 'test', now())`)
    return id
  }
  /** The partition of an event, on Citus without the number of its shard. */
  const whereIs = async (id: string) =>
    (
      await app.owner.one<{ place: string }>(
        sql`select regexp_replace(tableoid::regclass::text, '_\\d{6,}$', '') as place from events where id = ${id}`,
      )
    ).place
  const elsewhen = async () =>
    (await app.owner.one<{ count: number }>(sql`select count(*)::int as count from events_elsewhen`)).count

  test('is created, and takes its events unchanged from the default partition', async () => {
    const [, , late] = (await nextMonths()) as { month: string; name: string }[]
    if (!late) throw new Error('there are months to come')
    await drop(late.name)
    const ids = [await happened(late.month), await happened(late.month)]
    const rows = () => app.owner.rows(sql`select * from events where id = any (${ids}::uuid[]) order by seq`)
    const before = await rows()
    expect(await Promise.all(ids.map(whereIs))).toEqual(['events_elsewhen', 'events_elsewhen'])
    await app.runJob('keep-events')
    expect(await Promise.all(ids.map(whereIs))).toEqual([late.name, late.name])
    expect(await rows()).toEqual(before)
    expect(await elsewhen()).toBe(0)
    for (const text of [`delete from ${late.name}`, `truncate ${late.name}`])
      await expect(app.owner.pool.query(text)).rejects.toThrow('append-only')
    // The default partition refuses as before, too.
    const far = await happened('2099-01-15')
    expect(await whereIs(far)).toBe('events_elsewhen')
    await expect(app.owner.pool.query('delete from events_elsewhen')).rejects.toThrow('append-only')
    await app.runJob('keep-events')
    expect(await whereIs(far), 'no partition is made for what is out of all bounds').toBe('events_elsewhen')
  })

  test('that cannot be created stops neither the creation of others nor the drop of old ones', async () => {
    const [, , bad, good] = (await nextMonths()) as { month: string; name: string }[]
    if (!bad || !good) throw new Error('there are months to come')
    await drop(bad.name)
    await drop(good.name)
    await app.owner.run(sql`select make_event_month((now() - interval '60 months')::date)`)
    // A type of the same name is in the way of the table.
    await app.owner.pool.query(`create type ${bad.name} as enum ('in the way')`)
    await expect(app.runJob('keep-events')).rejects.toThrow('1 months could not be made')
    const names = await partitions()
    expect([names.includes(bad.name), names.includes(good.name)]).toEqual([false, true])
    expect(names.filter((name) => name < 'events_2025_01')).toEqual([])
    expect(
      await app.owner.rows(sql`select problem, item from failing_items where problem = 'events.month_not_made'`),
    ).toEqual([{ problem: 'events.month_not_made', item: bad.month }])
    await app.owner.pool.query(`drop type ${bad.name}`)
    await app.runJob('keep-events')
    expect(await partitions()).toContain(bad.name)
    expect(await app.owner.rows(sql`select from failing_items`)).toEqual([])
  })

  test('is created as soon as a worker starts', async () => {
    const [, , , last] = (await nextMonths()) as { month: string; name: string }[]
    if (!last) throw new Error('there are months to come')
    await drop(last.name)
    await app.startWork()
    await eventually(async () => expect(await partitions()).toContain(last.name))
  })
})
