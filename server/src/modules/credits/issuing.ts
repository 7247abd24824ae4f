import type { Tenant } from '../../kernel/tenant.ts'
import { shareOut, takeBack } from './credit-balances.ts'
import { type AfterMove, findMoved, lockBalances } from './credits.store.ts'
import { type LedgerContext, makeMove } from './ledger.ts'

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
  const balances = await lockBalances(tx, tenant)
  if (!balances) throw new Error('credits were issued to a tenant without balances')
  if ((await findMoved(tx, tenant, type, cause)) ?? (await findMoved(tx, tenant, 'settlement', cause))) return 0n
  const { settlement, rest } = shareOut(balances, amount)
  if (settlement > 0n) await makeMove(context, tenant, { type: 'settlement', amount: settlement, cause })
  const after = rest > 0n ? await makeMove(context, tenant, { type, amount: rest, cause }) : undefined
  if (after) emitNewBalance(context, tenant, rest, after)
  return rest
}

/** Takes credits back once per cause. Credits that are already spent become a debt. */
export async function revoke(context: LedgerContext, tenant: Tenant, amount: bigint, cause: string): Promise<void> {
  const { tx } = context
  const balances = await lockBalances(tx, tenant)
  if (!balances) throw new Error('credits were taken back from a tenant without balances')
  if ((await findMoved(tx, tenant, 'reversal', cause)) ?? (await findMoved(tx, tenant, 'debt', cause))) return
  const { reversal, debt } = takeBack(balances, amount)
  const after =
    reversal > 0n ? await makeMove(context, tenant, { type: 'reversal', amount: reversal, cause }) : undefined
  if (debt > 0n) await makeMove(context, tenant, { type: 'debt', amount: debt, cause })
  if (after) emitNewBalance(context, tenant, -reversal, after)
}
