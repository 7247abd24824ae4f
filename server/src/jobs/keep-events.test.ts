import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/harness/app.ts'
import { readConfig } from '../platform/config.ts'
import { sql } from '../platform/database/sql.ts'

test('as many whole months of events are kept as the operator has set, and months to come are made', async () => {
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
    await app.owner.run(sql`select keep_event_partitions((now() - interval '8 months')::date, 0, 1200)`)
    expect(await months()).toEqual(expect.arrayContaining([-8, -7, -6, -5, -4, -3, -2, -1, 0]))
    await app.runJob('keep-events')
    expect(await months()).toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3])
  } finally {
    await app.close()
  }
})
