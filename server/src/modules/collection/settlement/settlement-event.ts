import type { SettlementTold } from '../../../kernel/event-payloads.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { SettlementAccount } from './settlement-account.ts'

const nothingPaidOut = { settlementId: null, amountMinor: null, feeMinor: null, settledAt: null }

/** What `collection.settlement_updated` tells: of a bank account, of what a provider makes of it, or of money that was paid out. */
export const settlementTold = (
  account: Pick<SettlementAccount, 'sellerId' | 'bankCode' | 'bankName' | 'accountNumber' | 'currency'>,
  more: Pick<SettlementTold, 'change' | 'provider' | 'status'> &
    Partial<Pick<SettlementTold, 'settlementId' | 'amountMinor' | 'feeMinor' | 'settledAt'>>,
): SettlementTold => ({
  sellerId: account.sellerId,
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountEnding: account.accountNumber.slice(-4),
  currency: account.currency,
  ...nothingPaidOut,
  ...more,
})

export const aboutSettlement = (tenant: Tenant, { id }: Pick<SettlementAccount, 'id'>) => ({ ...tenant, objectId: id })
