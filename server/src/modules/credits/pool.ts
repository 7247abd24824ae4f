import type { Tenant } from '../../kernel/tenant.ts'
import { findPoolParent } from '../organisations/index.ts'
import { findMoved, lockBooks, type Move } from './credits.store.ts'
import { type LedgerContext, makeMove } from './make-move.ts'

/** Children of one parent may use the same cause, so the key contains the child. */
const poolCause = (child: Tenant, type: string, cause: string) => `pool:${child.organisationId}:${type}:${cause}`

/**
 * Lets the parent pay what a child lacks, down to the parent's reserve. Returns the amount, or undefined if the parent
 * does not or cannot pay. Locks are taken from child to parent, so no deadlock is possible.
 */
export async function drawFromPool(context: LedgerContext, child: Tenant, wanted: Move): Promise<bigint | undefined> {
  const { tx } = context
  const pool = await findPoolParent(tx, child.organisationId)
  if (!pool) return undefined
  const books = await lockBooks(tx, child)
  if (!books) return undefined
  const amount = wanted.amount - books.available
  // The child's balance may have risen meanwhile.
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

/** Returns to the parent what it paid for an action that was undone. The child's books are already locked. */
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
