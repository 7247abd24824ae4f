import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { invalid } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { billingZone } from '../../catalogue/index.ts'
import { changeOfBalance, ledgerEntries, type MoveType } from '../../credits/index.ts'
import { boundsOf, type Days, firstOfMonth, spanOf, thirtyDaysEndingOn } from './ledger-days.ts'
import { getOwnAccount, ledgerOf } from './own-account.ts'
import type { LedgerQuery } from './read-account.ts'

const refuses = ['billing.not_provisioned', 'billing.mode_not_own', 'resource.not_found'] as const

/**
 * A statement of account is built in one go and blocks the process: 10,000 entries take a few hundredths of a second.
 */
const mostStatementEntries = 10_000

export const readLedger = reading(
  { needs: ['billing.ledger.read'], refuses },
  async (
    { db, caller }: Outside<TokenCaller>,
    input: LedgerQuery & Days & { type: MoveType | undefined; action: string | undefined; page: PageRequest },
  ) => {
    const tenant = ledgerOf(caller, input.mode)
    await getOwnAccount(db, caller, input.account)
    const { type, action } = input
    return await ledgerEntries.listEntries(db, tenant, { type, action, ...boundsOf(input) }, input.page)
  },
)

export const readUsage = reading(
  { needs: ['billing.usage.read'], refuses },
  async ({ db, caller, now }: Outside<TokenCaller>, input: LedgerQuery & Days) => {
    const tenant = ledgerOf(caller, input.mode)
    await getOwnAccount(db, caller, input.account)
    const { days, span } = spanOf(input, now, thirtyDaysEndingOn)
    return { mode: tenant.mode, days, usage: await ledgerEntries.listUsage(db, tenant, span, billingZone) }
  },
)

export const readStatement = reading(
  { needs: ['billing.statement.read'], refuses },
  async ({ db, caller, now }: Outside<TokenCaller>, input: LedgerQuery & Days) => {
    const tenant = ledgerOf(caller, input.mode)
    const { id } = await getOwnAccount(db, caller, input.account)
    const { days, span } = spanOf(input, now, firstOfMonth)
    const entries = await ledgerEntries.listEntriesWithin(db, tenant, span, mostStatementEntries + 1)
    if (entries.length > mostStatementEntries)
      throw invalid([
        {
          path: 'from',
          rule: 'size',
          message: `must leave at most ${mostStatementEntries} entries; choose fewer days, or read the ledger page by page`,
        },
      ])
    const openingBalance = await ledgerEntries.findBalanceBefore(db, tenant, span.from)
    const closingBalance = entries.reduce(
      (sum, { type, amount }) => sum + changeOfBalance(type, amount),
      openingBalance,
    )
    return { accountId: id, mode: tenant.mode, days, openingBalance, closingBalance, entries }
  },
)
