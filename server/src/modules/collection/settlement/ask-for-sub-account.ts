import { bankWith } from '../providers/asking.ts'
import type { CollectionProvider } from '../providers/collection-provider.ts'
import { CollectionRefusal } from '../providers/provider-refusals.ts'
import type { SubAccountOrder } from '../providers/sub-accounts.ts'
import type { SettlementAccount } from './settlement-account.ts'
import type { SubAccountAnswer } from './sub-account.ts'

export type Destination = Pick<
  SettlementAccount,
  'bankCode' | 'bankNipCode' | 'bankName' | 'accountNumber' | 'currency' | 'sellerName'
> & {
  /** where the provider sends reports of settlements */
  readonly email: string
}

/** One provider that is silent does not use up the time of the others. */
const patienceMs = 9_000
const mostReason = 500

async function orderAt(
  provider: CollectionProvider,
  to: Destination,
  signal: AbortSignal,
): Promise<SubAccountOrder | undefined> {
  const banks = await provider.banks(signal)
  const bank = bankWith(banks, to.bankCode) ?? (to.bankNipCode === null ? undefined : bankWith(banks, to.bankNipCode))
  const { accountNumber, currency, sellerName, email } = to
  return bank && { bank, accountNumber, currency, name: sellerName, email }
}

/**
 * Has a provider name a sub-account for a bank account. The call that makes one is not idempotent, so the provider's own list is looked
 * through first: an earlier call may have worked although its answer got lost. A sub-account stands for one bank account and is never changed,
 * so sellers with the same bank account share it, and nobody can lead another's money elsewhere. With `create: false` nothing is made.
 */
export async function askForSubAccount(
  provider: CollectionProvider,
  to: Destination,
  { create, signal }: { readonly create: boolean; readonly signal: AbortSignal },
): Promise<SubAccountAnswer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const order = await orderAt(provider, to, within)
    if (!order) return { kind: 'refused', told: `${provider.name} does not settle to ${to.bankName} (${to.bankCode})` }
    const found = await provider.findSubAccount(order, within)
    if (found) return { kind: 'confirmed', code: found.code }
    if (!create) return { kind: 'pending', told: `${provider.name} has not been asked yet` }
    const { code } = await provider.createSubAccount(order, within)
    return { kind: 'confirmed', code }
  } catch (error) {
    if (error instanceof CollectionRefusal) return { kind: 'refused', told: error.message.slice(0, mostReason) }
    return { kind: 'pending', told: `${provider.name} did not answer` }
  }
}
