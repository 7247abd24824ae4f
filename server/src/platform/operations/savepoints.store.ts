import type { Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** One name is enough: a nested savepoint hides the outer one until it is released. */
export const setSavepoint = (tx: Tx): Promise<number> => tx.run(sql`savepoint before_attempt`)
export const releaseSavepoint = (tx: Tx): Promise<number> => tx.run(sql`release savepoint before_attempt`)
export async function returnToSavepoint(tx: Tx): Promise<void> {
  await tx.run(sql`rollback to savepoint before_attempt`)
  await tx.run(sql`release savepoint before_attempt`)
}

/** Runs a part of a transaction that may fail alone: then its rows are rolled back, and the failure is thrown. */
export async function inSavepoint<Result>(tx: Tx, part: () => Promise<Result>): Promise<Result> {
  await setSavepoint(tx)
  try {
    const result = await part()
    await releaseSavepoint(tx)
    return result
  } catch (failure) {
    await returnToSavepoint(tx)
    throw failure
  }
}
