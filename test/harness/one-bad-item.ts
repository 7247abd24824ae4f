import { describe, expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { poison } from './poison.ts'

/** What belongs to one organisation and is due. */
export interface Due {
  readonly organisationId: string
  /** what names it in the table of its trouble */
  readonly item: string
}

export interface Row {
  /** something due, of an organisation of its own */
  make(): Promise<Due>
  /** has the database, or somebody outside, refuse this one */
  spoil(due: Due): Promise<() => Promise<void>>
  /** until all that can be done is done; whether it throws in the end does not matter */
  run(due: readonly Due[]): Promise<unknown>
  isDone(due: Due): Promise<boolean>
  /** where an operator sees it */
  isReported(due: Due): Promise<boolean>
  /** `isReported` tells of the failure without naming the item */
  readonly isReportedForAll?: boolean
}

/** One test for each row: of three items of three organisations, the one in the middle fails. */
export function testRows(rows: Readonly<Record<string, Row>>): void {
  describe.each(Object.entries(rows))('%s', (_, row) => {
    test('one that fails is reported, and those before and behind it are done', async () => {
      const due = [await row.make(), await row.make(), await row.make()]
      // The second in the order of ids, which most of them go by.
      const [first, bad, last] = due.toSorted((one, other) => (one.item < other.item ? -1 : 1)) as [Due, Due, Due]
      const heal = await row.spoil(bad)
      try {
        await row.run(due)
        await eventually(async () => {
          expect([await row.isDone(first), await row.isDone(last)]).toEqual([true, true])
          expect(await row.isReported(bad)).toBe(true)
        }, 40_000)
        expect(await row.isDone(bad)).toBe(false)
        expect([await row.isReported(first), await row.isReported(last)].filter(Boolean)).toHaveLength(
          row.isReportedForAll ? 2 : 0,
        )
      } finally {
        await heal()
      }
    }, 60_000)
  })
}

/** How rows look at and spoil things. The app is there by the time one of these is called. */
export function badItems(appOf: () => TestApp) {
  const exists = async (query: ReturnType<typeof sql>) => (await appOf().owner.rows(query)).length > 0
  return {
    exists,
    isFailing: (problem: string) => (due: Due) =>
      exists(sql`select from failing_items where problem = ${problem} and item = ${due.item}`),
    runJob: (name: string) => () =>
      appOf()
        .runJob(name)
        .catch((error: unknown) => error),
    /** A trigger that refuses writes to rows of this organisation. */
    refusing:
      (table: string, on?: Parameters<typeof poison>[3], more = '') =>
      ({ organisationId }: Due) =>
        poison(appOf(), table, `${on === 'delete' ? 'old' : 'new'}.organisation_id = '${organisationId}' ${more}`, on),
  }
}
