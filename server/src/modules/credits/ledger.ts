import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type BillableAction, costs } from '../catalogue/index.ts'
import { findPoolParent } from '../organisations/index.ts'
import { changeOfBalance } from './credit-balances.ts'
import { type AfterMove, findBalances, findMoved, lockBalances, type Move, moveCredits } from './credits.store.ts'
import { accountNotOpen, insufficientCredits } from './insufficient-credits.ts'

export type LedgerContext = Pick<Inside<Caller>, 'tx' | 'now' | 'emit'>

/**
 * Makes a move and emits an event if it took the balance below the threshold, once per crossing. Credits that a parent
 * lent for this move do not count as a balance above the threshold.
 */
export async function makeMove(
  context: LedgerContext,
  tenant: Tenant,
  move: Move,
  passedThrough = 0n,
): Promise<AfterMove | undefined> {
  const after = await moveCredits(context.tx, tenant, move, context.now)
  if (!after) return undefined
  const { available, lowBalanceThreshold } = after
  const before = available - changeOfBalance(move.type, move.amount) - passedThrough
  if (before >= lowBalanceThreshold && available < lowBalanceThreshold)
    context.emit(
      'billing.balance.low',
      { ...tenant, objectId: tenant.organisationId, version: after.version },
      { creditBalance: Number(available), threshold: Number(lowBalanceThreshold) },
    )
  return after
}

/** Children of one parent may use the same cause, so the key contains the child. */
const poolCause = (child: Tenant, type: string, cause: string) => `pool:${child.organisationId}:${type}:${cause}`

/**
 * Lets the parent pay what a child lacks, down to the parent's reserve. Returns the amount, or undefined if the parent
 * does not or cannot pay. Locks are taken from child to parent, so no deadlock is possible.
 */
async function drawFromPool(context: LedgerContext, child: Tenant, wanted: Move): Promise<bigint | undefined> {
  const { tx } = context
  const pool = await findPoolParent(tx, child.organisationId)
  if (!pool) return undefined
  const balances = await lockBalances(tx, child)
  if (!balances) return undefined
  const amount = wanted.amount - balances.available
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

/** Returns to the parent what it paid for an action that was undone. The child's balances are already locked. */
async function returnToPool(context: LedgerContext, child: Tenant, cause: string): Promise<void> {
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

/** Charges or holds credits. If the organisation's own credits are short, a parent that agreed to it pays the rest. */
async function draw(
  context: LedgerContext,
  tenant: Tenant,
  type: 'charge' | 'hold',
  action: BillableAction,
  cause: string,
): Promise<void> {
  const made = { type, amount: costs[action].credits, cause, action }
  if (await makeMove(context, tenant, made)) return
  const lent = await drawFromPool(context, tenant, made)
  if (lent !== undefined && (await makeMove(context, tenant, made, lent))) return
  const balances = await findBalances(context.tx, tenant)
  if (!balances) throw accountNotOpen()
  // The account may have been opened or refilled since the first attempt.
  if (balances.available >= made.amount && (await makeMove(context, tenant, made))) return
  throw insufficientCredits(action, tenant.mode, balances.available, context.now)
}

/** Charges an action in the transaction of its effect, so that both happen or neither. */
export const charge = (context: LedgerContext, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  draw(context, tenant, 'charge', action, cause)

/** Holds credits during a call to an outside party. `capture` or `release` ends the hold. */
export const hold = (context: LedgerContext, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  draw(context, tenant, 'hold', action, cause)

/** An answer arrived, so the held credits are spent. Idempotent. */
export const capture = (context: LedgerContext, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  endHold(context, tenant, 'capture', action, cause)

/** No answer arrived, so the held credits return to their source. */
export const release = (context: LedgerContext, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  endHold(context, tenant, 'release', action, cause)

async function endHold(
  context: LedgerContext,
  tenant: Tenant,
  type: 'capture' | 'release',
  action: BillableAction,
  cause: string,
): Promise<void> {
  const { tx } = context
  await lockBalances(tx, tenant)
  const amount = await findMoved(tx, tenant, 'hold', cause)
  if (amount === undefined) return
  if ((await findMoved(tx, tenant, 'capture', cause)) ?? (await findMoved(tx, tenant, 'release', cause))) return
  if (!(await makeMove(context, tenant, { type, amount, cause, action })))
    throw new Error(`the hold of ${cause} cannot be ended: less is held than was set aside`)
  if (type === 'release') await returnToPool(context, tenant, cause)
}

/** Refunds a charge whose effect was undone. Idempotent, and only if it was charged. */
export async function refund(
  context: LedgerContext,
  tenant: Tenant,
  action: BillableAction,
  cause: string,
): Promise<void> {
  const { tx } = context
  await lockBalances(tx, tenant)
  const amount = await findMoved(tx, tenant, 'charge', cause)
  if (amount === undefined || (await findMoved(tx, tenant, 'refund', cause)) !== undefined) return
  await makeMove(context, tenant, { type: 'refund', amount, cause, action })
  await returnToPool(context, tenant, cause)
}
