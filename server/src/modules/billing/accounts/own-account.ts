import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type BillingAccount, findAccount } from './accounts.store.ts'

/** Finds the caller's own account by its id or as `me`. Accounts of other organisations are not found. */
export async function getOwnAccount(db: Queryable, caller: TokenCaller, ref = 'me'): Promise<BillingAccount> {
  const account = await findAccount(db, caller.tenant.organisationId)
  if (!account) throw refuse('billing.not_provisioned')
  if (ref !== 'me' && ref.toLowerCase() !== account.id) throw refuse('resource.not_found')
  return account
}

/** A user may read the ledgers of both modes, an API key or program only that of its own mode. */
export function ledgerOf(caller: TokenCaller, mode: Mode = caller.tenant.mode): Tenant {
  if (caller.kind !== 'user' && mode !== caller.tenant.mode) throw refuse('billing.mode_not_own')
  return { organisationId: caller.tenant.organisationId, mode }
}

/**
 * Payments and subscriptions are real money, so they belong to live mode. A user sees them from either mode. A sandbox
 * key never sees them.
 */
export const seesRealMoney = (caller: TokenCaller): boolean => caller.kind === 'user' || caller.tenant.mode === 'live'
