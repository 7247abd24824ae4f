import { businessDay } from '../../../kernel/days.ts'
import type { ReceivedPayment } from '../payments/received-payment.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'

export const providerNames: Readonly<Record<CollectionProviderName, string>> = {
  sandbox: 'the sandbox bank',
  monnify: 'Monnify',
  paystack: 'Paystack',
}

/**
 * Says in words which money pays a refund. All collected money goes to the seller, so the provider takes the refund
 * from the balance of the operator, who owns the keys.
 */
export function sourceOfRefund(
  { provider }: Pick<ReceivedPayment, 'provider'>,
  settledAt: Date | undefined,
  zone: string,
): string {
  const from = `the operator’s balance at ${providerNames[provider]}`
  if (settledAt === undefined)
    return `The refund is paid from ${from}. The provider still pays this payment out to the seller`
  const day = businessDay(settledAt, zone)
  return `This payment was paid out to the seller’s bank account on ${day}, so the refund is paid from ${from}`
}
