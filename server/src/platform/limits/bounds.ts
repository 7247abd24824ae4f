import { type RefusalName, refuse } from '../../kernel/refusals.ts'
import type { Tx } from '../database/database.ts'
import { addToWindow } from './rate-limits.store.ts'
import type { RateLimit } from './rate-limits.ts'

/**
 * Counts one more of what may be done only so often, in the transaction that does it: what is refused or fails was not done, and
 * does not count. Whoever counts holds the row until the end, so it is exact over all nodes; for what is rare enough to take turns.
 */
export async function countWithin(
  { tx, now }: { tx: Tx; now: Date },
  { subject, perWindow, windowSeconds }: RateLimit,
  refusal: RefusalName,
): Promise<void> {
  const length = windowSeconds * 1000
  const end = (Math.floor(now.getTime() / length) + 1) * length
  const used = await addToWindow(tx, `${subject} ${windowSeconds}`, new Date(end), 1)
  if (used > perWindow) throw refuse(refusal, { retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) })
}
