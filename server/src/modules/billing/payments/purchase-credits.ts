import type { UserCaller } from '../../../kernel/callers.ts'
import { exchange, type Inside } from '../../../platform/operations/operation.ts'
import { type Currency, packageFor } from '../../catalogue/index.ts'
import { lockAccount } from '../accounts/accounts.store.ts'
import { ensureAccount } from '../accounts/open-account.ts'
import { findOpenPurchase } from './payments.store.ts'
import {
  askForCheckout,
  type CheckoutIntent,
  checkoutDeadlineMs,
  giveAgain,
  inquireAboutCheckout,
  noteCheckout,
  openPayment,
  providerFor,
} from './start-checkout.ts'

export interface Purchase {
  readonly packageId: string
  readonly currency: Currency
  readonly returnPath: string | undefined
}

/** Starts a checkout for one package. The credits are granted when the provider confirms the payment. */
export const purchaseCredits = exchange(
  {
    time: 'real',
    needs: ['billing.credits.purchase'],
    refuses: ['resource.not_found', 'checkout.currency_not_routed', 'state.changed', 'dependency.unavailable'],
    liveOnly: true,
  },
  {
    name: 'purchase-credits',
    deadlineMs: checkoutDeadlineMs,
    intend: async (
      context: Inside<UserCaller>,
      { packageId, currency, returnPath }: Purchase,
    ): Promise<CheckoutIntent> => {
      const { tx, caller, ports, now } = context
      const { organisationId } = caller.tenant
      const { name, credits, prices } = packageFor(packageId)
      const provider = providerFor(ports, currency)
      const price = prices.find((candidate) => candidate.currency === currency)
      if (!price) throw new Error(`the package ${packageId} has no price in ${currency}`)
      await ensureAccount(context, organisationId)
      await lockAccount(tx, organisationId)
      const open = await findOpenPurchase(tx, organisationId, { packageId, currency }, now)
      if (open) return giveAgain(open, returnPath)
      const { id } = await openPayment(context, {
        organisationId,
        kind: 'credit_purchase',
        provider: provider.name,
        amountMinor: price.amountMinor,
        currency,
        description: `Risiti: ${name}`,
        email: caller.email,
        packageId,
        credits,
        createdBy: caller.userId,
      })
      return { organisationId, paymentId: id, again: false, returnPath }
    },
    call: askForCheckout,
    inquire: inquireAboutCheckout,
    settle: noteCheckout,
  },
)
