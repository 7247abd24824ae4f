import type { Database, Queryable } from '../../server/src/platform/database/database.ts'

/** Applies statements, inspects the database and rolls back. */
export async function whatIf<Sight>(
  db: Database,
  statements: string,
  look: (db: Queryable) => Promise<Sight>,
): Promise<Sight> {
  const seen: Sight[] = []
  const takeBack = new Error('taken back')
  try {
    await db.transaction(async (tx) => {
      await tx.run({ text: statements, values: [], name: undefined })
      seen.push(await look(tx))
      throw takeBack
    })
  } catch (error) {
    if (error !== takeBack) throw error
  }
  return seen[0] as Sight
}
