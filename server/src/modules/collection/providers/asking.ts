import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import type { Bank } from './bank.ts'
import type { AccountContext, CollectionProvider, CollectionProviderName } from './collection-provider.ts'
import { CollectionRefusal, ProviderNotSetUp } from './provider-refusals.ts'

const patienceMs = 10_000
export const inTime = (): AbortSignal => AbortSignal.timeout(patienceMs)

export function routeTo({ collectionProviders }: Ports, place: AccountContext): CollectionProvider {
  const provider = collectionProviders.route(place)
  if (!provider) throw refuse('collection.not_routed')
  return provider
}

/** The provider that holds an account. Its keys may have been removed from the configuration since. */
export function keeperOf(
  { collectionProviders }: Ports,
  { mode }: Pick<Tenant, 'mode'>,
  name: CollectionProviderName,
): CollectionProvider {
  const provider = collectionProviders.named(name, mode)
  if (!provider) throw new Error(`no collection provider is called ${name}`)
  return provider
}

export const refusedBy = (reason: string): Refusal =>
  refuse('collection.provider_refused', { message: `The collection provider refused this request: ${reason}` })

/** The end of an outage is unknown; 30 seconds spare both sides. */
export const providerAway = (): Refusal => refuse('collection.provider_away', { retryAfterSeconds: 30 })

/** Only the operator can fix this, so a quick retry is pointless. */
export const notSetUp = (message: string): Refusal =>
  refuse('collection.provider_away', { message, retryAfterSeconds: 3_600 })

/** Wraps a read-only call: a provider that does not answer counts as unavailable. */
export async function asking<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof ProviderNotSetUp) throw notSetUp(error.message)
    if (error instanceof CollectionRefusal) throw refusedBy(error.message)
    throw providerAway()
  }
}

/** Finds a bank by its central bank code or its code in the payment network. */
export const bankWith = (banks: readonly Bank[], code: string): Bank | undefined =>
  banks.find((bank) => bank.code === code) ?? banks.find((bank) => bank.networkCode === code)
