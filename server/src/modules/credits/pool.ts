import type { Tenant } from '../../kernel/tenant.ts'
import { findPoolParent } from '../organisations/index.ts'
import { findMoved, lockBooks, type Move } from './credits.store.ts'
import { type LedgerContext, makeMove } from './make-move.ts'

/** One cause may be charged in one organisation and held in another of the same parent: the name says whose it is. */
const poolCause = (child: Tenant, type: string, cause: string) => `pool:${child.organisationId}:${type}:${cause}`

/**
 * Lets the parent pay what a child lacks, never below the reserve it keeps, and gives how much that was; nothing when it
 * does not, or cannot. Whoever draws locks its own books first and its parent's after them: locks are taken up the
 * family, so no two can wait for each other.
 */
export async function drawFromPool(context: LedgerContext, child: Tenant, wanted: Move): Promise<bigint | undefined> {
  const { tx } = context
  const pool = await findPoolParent(tx, child.organisationId)
  if (!pool) return undefined
  const books = await lockBooks(tx, child)
  if (!books) return undefined
  const amount = wanted.amount - books.available
  // Meanwhile somebody may have filled the child's own balance.
  if (amount <= 0n) return 0n
  const parent: Tenant = { organisationId: pool.parentId, mode: child.mode }
  const cause = poolCause(child, wanted.type, wanted.cause)
  const { action } = wanted
  const paid = await makeMove(context, parent, {
    type: 'pool_out',
    amount,
    cause,
    action,
    reserve: pool.minimumReserve,
  })
  if (!paid) return undefined
  await makeMove(context, child, { type: 'pool_in', amount, cause, action })
  return amount
}

/** What a parent paid for something that was taken back goes back to it. The child's books are locked already. */
export async function returnToPool(context: LedgerContext, child: Tenant, cause: string): Promise<void> {
  const { tx } = context
  for (const type of ['charge', 'hold']) {
    const name = poolCause(child, type, cause)
    const amount = await findMoved(tx, child, 'pool_in', name)
    if (amount === undefined) continue
    const pool = await findPoolParent(tx, child.organisationId, { evenIfEnded: true })
    if (!pool) continue
    if (!(await makeMove(context, child, { type: 'pool_return_out', amount, cause: name }, amount))) continue
    await makeMove(
      context,
      { organisationId: pool.parentId, mode: child.mode },
      { type: 'pool_return_in', amount, cause: name },
    )
  }
}
