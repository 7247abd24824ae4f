import type { UserCaller } from '../kernel/callers.ts'
import { billingOperations } from '../modules/billing/index.ts'
import { packages } from '../modules/catalogue/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import type { OutboundHttp, PublicAddresses } from '../platform/outbound/outbound-http.ts'
import { anywhere } from '../platform/outbound/public-urls.ts'
import { demoOrigin } from './seed-organisation.ts'

type PaymentOutcome = 'paid' | 'failed' | 'abandoned'

/** Presses a button of the simulated checkout page. */
const pressing = (pages: PublicAddresses) => async (url: string | null, outcome: PaymentOutcome) => {
  if (url === null) throw new Error('a demo checkout has no page')
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await pages.send({ method: 'POST', url, headers, body: `outcome=${outcome}` })
  if (status !== 200) throw new Error(`the checkout page answered ${status}`)
}

/**
 * A billing plan, and payments in several states. The demo owner creates them in live mode through the ordinary operations and the
 * simulated provider's page.
 */
export async function seedBilling(runner: Runner, owner: UserCaller, outbound: OutboundHttp): Promise<void> {
  const press = pressing(outbound.public('checkout_page', anywhere, { overallMs: 5_000 }))
  const caller: UserCaller = { ...owner, tenant: { ...owner.tenant, mode: 'live' } }
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller, origin: demoOrigin, input })
  const returnPath = undefined
  const [small, medium, large] = packages
  if (!small || !medium || !large) throw new Error('the catalogue has too few packages for the demo')

  const plan = { planCode: 'growth', interval: 'monthly', currency: 'NGN', returnPath } as const
  await press((await act(billingOperations.subscribe, plan)).payment.checkoutUrl, 'paid')
  const bought = await act(billingOperations.purchaseCredits, { packageId: medium.id, currency: 'USD', returnPath })
  await press(bought.payment.checkoutUrl, 'paid')
  const declined = await act(billingOperations.purchaseCredits, { packageId: small.id, currency: 'NGN', returnPath })
  await press(declined.payment.checkoutUrl, 'failed')
  await act(billingOperations.purchaseCredits, { packageId: large.id, currency: 'NGN', returnPath })
  await act(billingOperations.changeLowBalanceThreshold, { threshold: 100n })
}
