import { halvesOf } from '../halves.ts'
import { isPassingFailure } from './database.ts'

/** If nearly every row fails, the table itself is the problem: more writes than this would tell nothing new. */
const mostWrites = 200

/**
 * Writes rows of several owners together. If the database refuses them, their halves are written, until the rows at fault are known: one
 * bad row does not stop the others. Returns the refused rows with the first reason. Throws if the database is unreachable.
 */
export async function writeAllButRefused<Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<unknown>,
): Promise<{ readonly refused: readonly Row[]; readonly error: unknown }> {
  const refused: Row[] = []
  let error: unknown
  const waiting: (readonly Row[])[] = [rows]
  for (let writes = 0; waiting.length > 0; writes++) {
    const some = waiting.pop() ?? []
    if (some.length === 0) continue
    try {
      if (writes >= mostWrites) throw error
      await write(some)
    } catch (failure) {
      if (isPassingFailure(failure)) throw failure
      error ??= failure
      if (some.length === 1 || writes >= mostWrites) refused.push(...some)
      else waiting.push(...halvesOf(some).toReversed())
    }
  }
  return { refused, error }
}
