import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { type ProviderName, ProviderRefusal } from './checkout-provider.ts'
import type { PaymentId } from './payment.ts'
import { findPayment, savePayment } from './payments.store.ts'

interface Return {
  readonly organisationId: OrganisationId
  readonly paymentId: PaymentId
}

export const returnMoneyJob = job<Return>('return-money', 'money')

/** One waiting job covers all requests to return the same payment. */
export const askToReturn = (
  { enqueue }: Pick<Inside<Caller>, 'enqueue'>,
  { organisationId, paymentId }: Return,
): void => enqueue(returnMoneyJob, { organisationId, paymentId }, { key: `return-money:${paymentId}` })

interface ReturnIntent extends Return {
  readonly provider: ProviderName
  readonly handle: string
  readonly amountMinor: string
}

/**
 * Returns money that paid for nothing: a period paid twice, or a plan that had ended. The payment's id is the
 * provider's idempotency key.
 */
export const returnMoney = exchange(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  {
    name: 'return-money',
    deadlineMs: 20_000,
    intend: async ({ tx }: Inside<Caller>, { organisationId, paymentId }: Return): Promise<ReturnIntent | Refusal> => {
      const payment = await findPayment(tx, organisationId, paymentId)
      if (!payment?.handle) return refuse('resource.not_found')
      const { provider, handle, amountMinor, refundedMinor } = payment
      const left = amountMinor - refundedMinor
      if (left === 0n) return refuse('resource.not_found')
      return { organisationId, paymentId, provider, handle, amountMinor: String(left) }
    },
    call: async ({ ports, signal }: Outside<Caller> & { signal: AbortSignal }, intent: ReturnIntent) => {
      const provider = ports.checkoutProviders.named(intent.provider)
      if (!provider) throw new Error(`no provider is called ${intent.provider}`)
      const refund = { amountMinor: BigInt(intent.amountMinor), key: `return:${intent.paymentId}` }
      try {
        await provider.refund(intent.handle, refund, signal)
        return 'asked' as const
      } catch (error) {
        if (error instanceof ProviderRefusal) return 'refused' as const
        throw error
      }
    },
    // The key prevents a second refund. The payment itself shows whether the first was requested.
    inquire: async (
      { ports, signal }: Outside<Caller> & { signal: AbortSignal },
      { provider, handle }: ReturnIntent,
    ) => {
      const view = await ports.checkoutProviders.named(provider)?.look(handle, signal)
      if (!view || view.refundedMinor === 0n) throw new Error('the money is not on its way back')
      return 'asked' as const
    },
    settle: async (
      { tx, now, log }: Inside<Caller>,
      { organisationId, paymentId }: ReturnIntent,
      outcome: CallOutcome<'asked' | 'refused'>,
    ): Promise<{ returned: boolean }> => {
      if (outcome.kind === 'unknown') return { returned: false }
      if (outcome.answer === 'refused')
        log.error('payment.not_returned', {
          organisationId,
          reference: paymentId,
          reason: 'the payment provider refused to return the money; return it by hand',
        })
      await lockAccount(tx, organisationId)
      const payment = await findPayment(tx, organisationId, paymentId)
      if (payment) await savePayment(tx, organisationId, { ...payment, lookAt: now })
      return { returned: true }
    },
  },
)
