import { bankWith } from '../providers/asking.ts'
import type { CollectionProvider } from '../providers/collection-provider.ts'
import { CollectionRefusal } from '../providers/provider-refusals.ts'
import type { SubAccountOrder } from '../providers/sub-accounts.ts'
import type { SettlementAccount } from './settlement-account.ts'
import type { SubAccountAnswer } from './sub-account.ts'

export type Destination = Pick<
  SettlementAccount,
  'bankCode' | 'bankNetworkCode' | 'bankName' | 'accountNumber' | 'currency' | 'sellerName'
> & {
  /** Where the provider sends settlement reports. */
  readonly email: string
}

/** A silent provider must not use up the time of the others. */
const patienceMs = 9_000
const mostReason = 500

async function orderAt(
  provider: CollectionProvider,
  to: Destination,
  signal: AbortSignal,
): Promise<SubAccountOrder | undefined> {
  const banks = await provider.banks(signal)
  const bank =
    bankWith(banks, to.bankCode) ?? (to.bankNetworkCode === null ? undefined : bankWith(banks, to.bankNetworkCode))
  const { accountNumber, currency, sellerName, email } = to
  return bank && { bank, accountNumber, currency, name: sellerName, email }
}

/**
 * Gets a sub-account for a bank account. Creating one is not idempotent, so the provider's list is searched first: an
 * earlier call may have worked although its answer was lost. A sub-account stands for one bank account and never
 * changes, so sellers with the same bank account share it safely. With `create: false` none is created.
 */
export async function askForSubAccount(
  provider: CollectionProvider,
  to: Destination,
  { create, signal }: { readonly create: boolean; readonly signal: AbortSignal },
): Promise<SubAccountAnswer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const order = await orderAt(provider, to, within)
    if (!order)
      return { kind: 'refused', reason: `${provider.name} does not settle to ${to.bankName} (${to.bankCode})` }
    const found = await provider.findSubAccount(order, within)
    if (found) return { kind: 'confirmed', code: found.code }
    if (!create) return { kind: 'pending', reason: `${provider.name} has not been asked yet` }
    const { code } = await provider.createSubAccount(order, within)
    return { kind: 'confirmed', code }
  } catch (error) {
    if (error instanceof CollectionRefusal) return { kind: 'refused', reason: error.message.slice(0, mostReason) }
    return { kind: 'pending', reason: `${provider.name} did not answer` }
  }
}
