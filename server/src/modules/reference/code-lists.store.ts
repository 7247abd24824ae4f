import type { CodeList } from '../../jurisdictions/port.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

type LoadedList = Omit<CodeList, 'source'> & { readonly source: 'import' | 'authority'; readonly country: string }

/** Loading a version again replaces it. */
export async function saveCodeList(tx: Tx, country: string, list: CodeList, now: Date): Promise<void> {
  const { type, version, source, effectiveFrom, entries } = list
  await tx.run(sql`
    insert into code_lists (country, type, version, source, effective_from, entries, loaded_at)
    values (${country}, ${type}, ${version}, ${source}, ${effectiveFrom}, ${JSON.stringify(entries)}::jsonb, ${now})
    on conflict (country, type, version) do update
      set source = excluded.source, effective_from = excluded.effective_from, entries = excluded.entries, loaded_at = excluded.loaded_at`)
}

/** Latest list of each type that is in force on the current day of its country. */
export function listCurrentLists(
  db: Queryable,
  days: readonly { readonly country: string; readonly day: string }[],
): Promise<LoadedList[]> {
  return db.rows(sql`
    select distinct on (country, type) country, type, version, source, effective_from, entries
      from code_lists join json_to_recordset(${JSON.stringify(days)}::json) as today (country text, day date) using (country)
     where effective_from <= day order by country, type, effective_from desc, loaded_at desc`)
}

/**
 * Changes with every loaded list and is cheap to read. `xmin` names the last writer of a row; times would miss a list
 * that a node with a slow clock replaces.
 */
export async function findListsMark(db: Queryable): Promise<string> {
  const { mark } = await db.one<{ mark: string }>(
    sql`select coalesce(string_agg(xmin::text, ' ' order by country, type, version), '') as mark from code_lists`,
  )
  return mark
}
