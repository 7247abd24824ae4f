import { isPassingFailure } from './database.ts'

/** Where nearly every row is at fault, somebody changed the table: more writes than this find nothing out. */
const mostWrites = 200

/**
 * Writes rows of several owners together. Where the database refuses them, their halves are written, until it is clear which rows are at fault: one bad
 * row does not cost the others their place. Returns those that were refused, with the first reason. Throws where the database is away.
 */
export async function writeApart<Row>(
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
      else waiting.push(some.slice(Math.ceil(some.length / 2)), some.slice(0, Math.ceil(some.length / 2)))
    }
  }
  return { refused, error }
}
