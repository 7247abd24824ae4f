import type { TestApp } from './app.ts'

/** While `during` runs, the database refuses rows of the table that match `what`. */
export async function whileRefusing(
  { owner: { pool } }: Pick<TestApp, 'owner'>,
  table: string,
  what: string,
  during: () => Promise<void>,
): Promise<void> {
  await pool.query(`alter table ${table} add constraint refusing check (not (${what})) not valid`)
  try {
    await during()
  } finally {
    await pool.query(`alter table ${table} drop constraint refusing`)
  }
}
