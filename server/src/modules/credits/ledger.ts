import type { Caller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operation.ts'
import { shareOut, takeBack } from './books.ts'
import { type BillableAction, costs } from './costs.ts'
import { hasMoved, lockBooks, moveCredits } from './credits.store.ts'

type Context = Pick<Inside<Caller>, 'tx' | 'now'>

const insufficient = (action: BillableAction) =>
  refuse('credits.insufficient', {
    message: `This needs ${costs[action].credits} credits, and fewer are left; buy credits or wait for the next allocation.`,
  })

/** Charges an action in the transaction of its effect: both happen, or neither. */
export async function charge(
  { tx, now }: Context,
  tenant: Tenant,
  action: BillableAction,
  cause: string,
): Promise<void> {
  const left = await moveCredits(tx, tenant, { type: 'charge', amount: costs[action].credits, cause, action }, now)
  if (left === undefined) throw insufficient(action)
}

/** Sets credits aside while an outside party is asked; `capture` or `release` ends it. */
export async function hold({ tx, now }: Context, tenant: Tenant, action: BillableAction, cause: string): Promise<void> {
  const left = await moveCredits(tx, tenant, { type: 'hold', amount: costs[action].credits, cause, action }, now)
  if (left === undefined) throw insufficient(action)
}

/** The answer came: what was held is spent. A second answer to the same question moves nothing. */
export const capture = (context: Context, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  endHold(context, tenant, 'capture', action, cause)

/** No answer came: what was held is available again. */
export const release = (context: Context, tenant: Tenant, action: BillableAction, cause: string): Promise<void> =>
  endHold(context, tenant, 'release', action, cause)

async function endHold(
  { tx, now }: Context,
  tenant: Tenant,
  type: 'capture' | 'release',
  action: BillableAction,
  cause: string,
): Promise<void> {
  await lockBooks(tx, tenant)
  const wasHeld = await hasMoved(tx, tenant, 'hold', cause)
  const ended = (await hasMoved(tx, tenant, 'capture', cause)) || (await hasMoved(tx, tenant, 'release', cause))
  if (!wasHeld || ended) return
  const left = await moveCredits(tx, tenant, { type, amount: costs[action].credits, cause, action }, now)
  if (left === undefined) throw new Error(`the hold of ${cause} cannot be ended: less is held than was set aside`)
}

/** Gives back a charge whose effect was taken back; once, and only if it was charged. */
export async function refund(
  { tx, now }: Context,
  tenant: Tenant,
  action: BillableAction,
  cause: string,
): Promise<void> {
  await lockBooks(tx, tenant)
  if (!(await hasMoved(tx, tenant, 'charge', cause)) || (await hasMoved(tx, tenant, 'refund', cause))) return
  await moveCredits(tx, tenant, { type: 'refund', amount: costs[action].credits, cause, action }, now)
}

/** Credits come in, once per cause: debts are settled first. Gives how many became available. */
export async function issue(
  { tx, now }: Context,
  tenant: Tenant,
  type: 'grant' | 'purchase',
  amount: bigint,
  cause: string,
): Promise<bigint> {
  const books = await lockBooks(tx, tenant)
  if (!books) throw new Error('credits were issued to a tenant without books')
  if ((await hasMoved(tx, tenant, type, cause)) || (await hasMoved(tx, tenant, 'settlement', cause))) return 0n
  const { settlement, rest } = shareOut(books, amount)
  if (settlement > 0n) await moveCredits(tx, tenant, { type: 'settlement', amount: settlement, cause }, now)
  if (rest > 0n) await moveCredits(tx, tenant, { type, amount: rest, cause }, now)
  return rest
}

/** Credits are taken back, once per cause: what was spent already is owed. */
export async function revoke({ tx, now }: Context, tenant: Tenant, amount: bigint, cause: string): Promise<void> {
  const books = await lockBooks(tx, tenant)
  if (!books) throw new Error('credits were taken back from a tenant without books')
  if ((await hasMoved(tx, tenant, 'reversal', cause)) || (await hasMoved(tx, tenant, 'debt', cause))) return
  const { reversal, debt } = takeBack(books, amount)
  if (reversal > 0n) await moveCredits(tx, tenant, { type: 'reversal', amount: reversal, cause }, now)
  if (debt > 0n) await moveCredits(tx, tenant, { type: 'debt', amount: debt, cause }, now)
}
