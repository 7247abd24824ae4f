import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { changeOfBalance } from './books.ts'
import { type AfterMove, type Move, moveCredits } from './credits.store.ts'

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
