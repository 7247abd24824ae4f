import type { Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/**
 * Runs a part of a transaction that may fail alone: then its rows are rolled back, and the failure is thrown. One name
 * is enough: a nested savepoint hides the outer one until it is released.
 */
export async function inSavepoint<Result>(tx: Tx, part: () => Promise<Result>): Promise<Result> {
  const release = () => tx.run(sql`release savepoint before_attempt`)
  await tx.run(sql`savepoint before_attempt`)
  try {
    const result = await part()
    await release()
    return result
  } catch (failure) {
    // If the connection is gone, the whole transaction has failed, and the first failure says why.
    await tx.run(sql`rollback to savepoint before_attempt`).then(release, () => {})
    throw failure
  }
}
