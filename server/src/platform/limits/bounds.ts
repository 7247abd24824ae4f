import { type RefusalName, refuse } from '../../kernel/refusals.ts'
import type { Tx } from '../database/database.ts'
import { addToWindow } from './rate-limits.store.ts'
import type { RateLimit } from './rate-limits.ts'

/**
 * Counts one use of a limited action, in the action's own transaction: a refused or failed action does not count. The row stays locked
 * until the end, so the count is exact over all nodes. Only for actions that are rare enough to wait for each other.
 */
export async function countWithin(
  context: { tx: Tx; realNow: Date },
  limit: RateLimit,
  refusal: RefusalName,
): Promise<void> {
  const { hasRoom, retryAfterSeconds } = await addWithin(context, limit)
  if (!hasRoom) throw refuse(refusal, { retryAfterSeconds })
}

/** The same for callers that continue without room. */
export async function addWithin(
  { tx, realNow: now }: { tx: Tx; realNow: Date },
  { subject, perWindow, windowSeconds }: RateLimit,
): Promise<{ readonly hasRoom: boolean; readonly retryAfterSeconds: number }> {
  const length = windowSeconds * 1000
  const end = (Math.floor(now.getTime() / length) + 1) * length
  const used = await addToWindow(tx, `${subject} ${windowSeconds}`, new Date(end), 1)
  return { hasRoom: used <= perWindow, retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) }
}
