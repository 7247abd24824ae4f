import { type RefusalName, refuse } from '../../kernel/refusals.ts'
import type { Tx } from '../database/database.ts'
import { addToWindow } from './rate-limits.store.ts'
import type { RateLimit } from './rate-limits.ts'

/**
 * Counts one more of what may be done only so often, in the transaction that does it: what is refused or fails was not done, and
 * does not count. Whoever counts holds the row until the end, so it is exact over all nodes; for what is rare enough to take turns.
 */
export async function countWithin(
  context: { tx: Tx; now: Date },
  limit: RateLimit,
  refusal: RefusalName,
): Promise<void> {
  const { hasRoom, retryAfterSeconds } = await addWithin(context, limit)
  if (!hasRoom) throw refuse(refusal, { retryAfterSeconds })
}

/** The same for whoever has an answer even without room. */
export async function addWithin(
  { tx, now }: { tx: Tx; now: Date },
  { subject, perWindow, windowSeconds }: RateLimit,
): Promise<{ readonly hasRoom: boolean; readonly retryAfterSeconds: number }> {
  const length = windowSeconds * 1000
  const end = (Math.floor(now.getTime() / length) + 1) * length
  const used = await addToWindow(tx, `${subject} ${windowSeconds}`, new Date(end), 1)
  return { hasRoom: used <= perWindow, retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) }
}
