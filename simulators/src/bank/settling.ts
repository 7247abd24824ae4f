import type { Records, SettledTransfer, Settlement, Transfer, VirtualAccount } from './state.ts'

/** Half a percent, and ₦500 at most. */
const feeOf = (amountMinor: number): number => Math.min(Math.floor((amountMinor * 5) / 1_000), 50_000)

const settled = (transfer: Transfer, { feeBearer }: VirtualAccount): SettledTransfer => {
  const feeMinor = feeBearer === 'seller' ? feeOf(transfer.amountMinor) : 0
  const { reference, accountReference, amountMinor } = transfer
  return { reference, accountReference, amountMinor: amountMinor - feeMinor, feeMinor }
}

/**
 * What is to be paid out now: one settlement for each sub-account, with everything that came into its accounts before this moment and was
 * neither paid out nor taken back. Money of an account without a sub-account is paid out to nobody.
 */
export function settlementsDue(records: Records, now: Date, olderThanMs: number): Settlement[] {
  const due = new Map<string, SettledTransfer[]>()
  for (const transfer of records.transfers) {
    const account = records.accounts.get(transfer.accountReference)
    const isDue = transfer.settlement === null && transfer.reversedAt === null
    if (!isDue || !account?.subAccount || Date.parse(transfer.receivedAt) + olderThanMs > now.getTime()) continue
    due.set(account.subAccount, [...(due.get(account.subAccount) ?? []), settled(transfer, account)])
  }
  return [...due].map(([subAccount, transfers], nth) => ({
    reference: `RTS-${String(records.settlements.length + nth + 1).padStart(9, '0')}`,
    subAccount,
    amountMinor: transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    currency: 'NGN',
    settledAt: now.toISOString(),
    transfers,
  }))
}
