import { describe, expect, test } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { poison } from './poison.ts'

/** A due item of one organisation. */
export interface Due {
  readonly organisationId: string
  /** the item's id in the table of failures */
  readonly item: string
}

export interface Row {
  /** creates a due item in its own organisation */
  make(): Promise<Due>
  /** makes the database or an outside party refuse this item; returns the undo function */
  spoil(due: Due): Promise<() => Promise<void>>
  /** runs until all possible work is done; its own error is ignored */
  run(due: readonly Due[]): Promise<unknown>
  isDone(due: Due): Promise<boolean>
  /** whether an operator can see the failure */
  isReported(due: Due): Promise<boolean>
  /** `isReported` shows the failure without the item's id */
  readonly isReportedForAll?: boolean
}

/** One test per row: of three items in three organisations, the middle one fails. */
export function testRows(rows: Readonly<Record<string, Row>>): void {
  describe.each(Object.entries(rows))('%s', (_, row) => {
    test('one that fails is reported, and those before and behind it are done', async () => {
      const due = await Promise.all([row.make(), row.make(), row.make()])
      // The second by id, because most jobs work in the order of ids.
      const [first, bad, last] = due.toSorted((one, other) => (one.item < other.item ? -1 : 1)) as [Due, Due, Due]
      const heal = await row.spoil(bad)
      try {
        await row.run(due)
        await eventually(async () => {
          expect([await row.isDone(first), await row.isDone(last)]).toEqual([true, true])
          expect(await row.isReported(bad)).toBe(true)
        })
        expect(await row.isDone(bad)).toBe(false)
        expect([await row.isReported(first), await row.isReported(last)].filter(Boolean)).toHaveLength(
          row.isReportedForAll ? 2 : 0,
        )
      } finally {
        await heal()
      }
    })
  })
}

/** Helpers for rows to inspect and break items. `appOf` is called only after the app has started. */
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
