import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Collector, collector } from '../../../../../test/harness/collection.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CollectionProvider, Transfer } from '../providers/collection-provider.ts'
import { collectionMetrics } from './collection-metrics.ts'

let app: TestApp
let own: Collector
/** The largest number of statement entries held at once. */
let mostHeld = 0

/** A provider with one transfer per page, so that hundreds of transfers need hundreds of pages. */
const onePerPage = (bank: CollectionProvider): CollectionProvider => {
  let read: readonly Transfer[] = []
  return {
    ...bank,
    async statement({ after, ...asked }, signal) {
      if (after === null) {
        const first = await bank.statement({ ...asked, after }, signal)
        const second = first.next === null ? undefined : await bank.statement({ ...asked, after: first.next }, signal)
        if (second && second.next !== null) throw new Error('two pages of the bank hold all of it')
        read = [...first.transfers, ...(second?.transfers ?? [])]
      }
      const at = Number(after ?? 0)
      mostHeld = Math.max(mostHeld, at + 1)
      return { transfers: read.slice(at, at + 1), unreadable: [], next: at + 1 < read.length ? String(at + 1) : null }
    },
  }
}

beforeAll(async () => {
  app = await startTestApp({ bank: true, bankThrough: onePerPage, now: '2026-11-17T00:30:00Z' })
  own = await collector(app)
})
afterAll(() => app.close())

const days = () =>
  app.runtime.db.rows(
    sql`select day::text as day, is_whole, transfers, problem from collection_reconciliations where provider = 'sandbox' order by day`,
  )
const reconciledAt = async () =>
  (await app.runtime.db.maybe<{ at: Date | null }>(sql`select reconciled_at as at from collection_feeds`))?.at ?? null
const recorded = async () =>
  (await app.runtime.db.one<{ count: number }>(sql`select count(*)::int as count from received_payments`)).count

test('a day with many pages is compared completely, in parts', async () => {
  const { accountNumber } = await own.open()
  const receive = (amountMinor: number) =>
    app.bank.control.receive({ accountNumber, amountMinor, narration: '#lost' }) as { amountMinor: number }
  // 205 transfers in 14 hours, of which 200 pages are read at once, and a few a day later.
  const came = Array.from({ length: 205 }, (_, at) => {
    app.clock.advance({ minutes: 4 })
    return receive(1_000 + at)
  })
  app.clock.advance({ hours: 24 })
  receive(9_999)
  app.clock.advance({ minutes: 30 })
  await app.runJob('reconcile-collection')
  expect(await recorded()).toBe(206)
  const last = came.at(-1) as { amountMinor: number }
  last.amountMinor = 77
  await app.runJob('reconcile-collection')
  expect(
    await app.runtime.db.rows(sql`select kind, theirs_minor from collection_differences where settled_at is null`),
  ).toEqual([{ kind: 'amount', theirsMinor: 77n }])
  expect(await days()).toEqual(
    expect.arrayContaining([
      { day: '2026-11-17', isWhole: true, transfers: 205, problem: null },
      { day: '2026-11-18', isWhole: true, transfers: 1, problem: null },
    ]),
  )
  expect(mostHeld).toBeLessThanOrEqual(200)
  expect(await reconciledAt()).toEqual(app.clock.now())
})

test('an incomplete comparison shows in the day, in the metrics and as a failed job', async () => {
  const before = await reconciledAt()
  app.clock.advance({ hours: 24 })
  own = await collector(app)
  const { accountNumber } = await own.open()
  for (let nth = 0; nth < 201; nth++)
    app.bank.control.receive({ accountNumber, amountMinor: 100 + nth, narration: '#lost' })
  app.clock.advance({ minutes: 30 })
  await expect(app.runJob('reconcile-collection')).rejects.toThrow('not compared as a whole: sandbox sandbox')
  const problem = expect.stringContaining('more transfers')
  expect(await days()).toContainEqual({ day: '2026-11-19', isWhole: false, transfers: 200, problem })
  // The earlier days are compared anyway, and what was read of the last one is recorded.
  expect(await days()).toContainEqual({ day: '2026-11-17', isWhole: true, transfers: 205, problem: null })
  expect(await recorded()).toBe(406)
  expect(await collectionMetrics(app.runtime.db)).toContain('risiti_collection_unreconciled_days{provider="sandbox"} 1')
  expect(await reconciledAt()).toEqual(before)
  // An unavailable provider is reported too.
  app.bank.control.behave({ outage: true })
  await expect(app.runJob('reconcile-collection')).rejects.toThrow('not compared as a whole')
  app.bank.control.behave({})
  const withinReach = (await days()).slice(-5)
  expect(withinReach.map((day) => (day as { isWhole: boolean }).isWhole)).toEqual([false, false, false, false, false])
})
