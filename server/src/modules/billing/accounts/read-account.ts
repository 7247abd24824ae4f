import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Mode, modes, type Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { billingZone } from '../../catalogue/index.ts'
import { findBalances, ledgerEntries, type StoredBalances } from '../../credits/index.ts'
import { getOwnAccount, ledgerOf, seesRealMoney } from './own-account.ts'

const facts = {
  needs: ['billing.account.read'],
  refuses: ['billing.not_provisioned', 'billing.mode_not_own', 'resource.not_found'],
} as const

export interface LedgerQuery {
  readonly account?: string
  readonly mode?: Mode | undefined
}

async function getBalances(db: Queryable, tenant: Tenant): Promise<StoredBalances> {
  const balances = await findBalances(db, tenant)
  if (!balances) throw new Error('an account has no balances')
  return balances
}

export const getBillingAccount = reading(facts, async ({ db, caller }: Outside<TokenCaller>, { mode }: LedgerQuery) => {
  const tenant = ledgerOf(caller, mode)
  const account = await getOwnAccount(db, caller)
  const seen = caller.kind === 'user' ? modes : [tenant.mode]
  const balances = await Promise.all(
    seen.map(async (one) => ({ mode: one, credits: await getBalances(db, { ...tenant, mode: one }) })),
  )
  // Only the live ledger has a threshold, so a sandbox key gets 0.
  const { lowBalanceThreshold } = seesRealMoney(caller)
    ? await getBalances(db, { ...tenant, mode: 'live' })
    : { lowBalanceThreshold: 0n }
  return { account, mode: tenant.mode, balances, lowBalanceThreshold }
})

/** Advisory: another request may spend the credits first. */
export const checkBalance = reading(
  facts,
  async ({ db, caller }: Outside<TokenCaller>, { account, mode, credits }: LedgerQuery & { credits: bigint }) => {
    const tenant = ledgerOf(caller, mode)
    await getOwnAccount(db, caller, account)
    const { available } = await getBalances(db, tenant)
    return { mode: tenant.mode, credits, available, sufficient: available >= credits }
  },
)

const thirtyDaysMs = 30 * 86_400_000

export const getStats = reading(
  facts,
  async ({ db, caller, now }: Outside<TokenCaller>, { account, mode }: LedgerQuery) => {
    const tenant = ledgerOf(caller, mode)
    await getOwnAccount(db, caller, account)
    const span = { from: new Date(now.getTime() - thirtyDaysMs), to: new Date(now.getTime() + 1) }
    const [balances, incoming, usage] = await Promise.all([
      getBalances(db, tenant),
      ledgerEntries.sumIncoming(db, tenant),
      ledgerEntries.listUsage(db, tenant, span, billingZone),
    ])
    return { mode: tenant.mode, balances, incoming, usage, span }
  },
)
