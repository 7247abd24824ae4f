import type { SettlementPayload } from '../../../kernel/event-payloads.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { SettlementAccount } from './settlement-account.ts'

const nothingPaidOut = { settlementId: null, amountMinor: null, feeMinor: null, settledAt: null }

/** Payload of `collection.settlement_updated`: a bank account, its state at a provider, or a payout. */
export const settlementPayload = (
  account: Pick<SettlementAccount, 'sellerId' | 'bankCode' | 'bankName' | 'accountNumber' | 'currency'>,
  more: Pick<SettlementPayload, 'change' | 'provider' | 'status'> &
    Partial<Pick<SettlementPayload, 'settlementId' | 'amountMinor' | 'feeMinor' | 'settledAt'>>,
): SettlementPayload => ({
  sellerId: account.sellerId,
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountEnding: account.accountNumber.slice(-4),
  currency: account.currency,
  ...nothingPaidOut,
  ...more,
})

export const aboutSettlement = (tenant: Tenant, { id }: Pick<SettlementAccount, 'id'>) => ({ ...tenant, objectId: id })
