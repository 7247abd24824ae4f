import type { Tenant } from '../../kernel/tenant.ts'
import { type BillableAction, costs } from '../catalogue/index.ts'
import { shareOut, takeBack } from './books.ts'
import { type AfterMove, findBooks, findMoved, lockBooks } from './credits.store.ts'
import { accountNotOpen, insufficientCredits } from './insufficient-credits.ts'
import { type LedgerContext, makeMove } from './make-move.ts'
import { drawFromPool, returnToPool } from './pool.ts'

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
  const books = await findBooks(context.tx, tenant)
  if (!books) throw accountNotOpen()
  // The account may have been opened or refilled since the first attempt.
  if (books.available >= made.amount && (await makeMove(context, tenant, made))) return
  throw insufficientCredits(action, tenant.mode, books.available, context.now)
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
  await lockBooks(tx, tenant)
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
  await lockBooks(tx, tenant)
  const amount = await findMoved(tx, tenant, 'charge', cause)
  if (amount === undefined || (await findMoved(tx, tenant, 'refund', cause)) !== undefined) return
  await makeMove(context, tenant, { type: 'refund', amount, cause, action })
  await returnToPool(context, tenant, cause)
}

/** Emits an event if the balance changed for another reason than the organisation's own actions. */
function emitNewBalance(
  { emit }: LedgerContext,
  tenant: Tenant,
  change: bigint,
  { available, version }: AfterMove,
): void {
  emit(
    'billing.balance.updated',
    { ...tenant, objectId: tenant.organisationId, version },
    { change: Number(change), creditBalance: Number(available) },
  )
}

/** Issues credits once per cause; debts are settled first. Returns how many became available. */
export async function issue(
  context: LedgerContext,
  tenant: Tenant,
  type: 'grant' | 'purchase',
  amount: bigint,
  cause: string,
): Promise<bigint> {
  const { tx } = context
  const books = await lockBooks(tx, tenant)
  if (!books) throw new Error('credits were issued to a tenant without books')
  if ((await findMoved(tx, tenant, type, cause)) ?? (await findMoved(tx, tenant, 'settlement', cause))) return 0n
  const { settlement, rest } = shareOut(books, amount)
  if (settlement > 0n) await makeMove(context, tenant, { type: 'settlement', amount: settlement, cause })
  const after = rest > 0n ? await makeMove(context, tenant, { type, amount: rest, cause }) : undefined
  if (after) emitNewBalance(context, tenant, rest, after)
  return rest
}

/** Takes credits back once per cause. Credits that are already spent become a debt. */
export async function revoke(context: LedgerContext, tenant: Tenant, amount: bigint, cause: string): Promise<void> {
  const { tx } = context
  const books = await lockBooks(tx, tenant)
  if (!books) throw new Error('credits were taken back from a tenant without books')
  if ((await findMoved(tx, tenant, 'reversal', cause)) ?? (await findMoved(tx, tenant, 'debt', cause))) return
  const { reversal, debt } = takeBack(books, amount)
  const after =
    reversal > 0n ? await makeMove(context, tenant, { type: 'reversal', amount: reversal, cause }) : undefined
  if (debt > 0n) await makeMove(context, tenant, { type: 'debt', amount: debt, cause })
  if (after) emitNewBalance(context, tenant, -reversal, after)
}
