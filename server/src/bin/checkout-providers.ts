import { paystackProvider } from '../gateways/paystack.ts'
import { stripeProvider } from '../gateways/stripe.ts'
import type { CheckoutProviders, checkoutPort, ProviderName } from '../modules/billing/index.ts'
import type { Currency } from '../modules/catalogue/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { checkoutSimulatorUrl, simulatorKeys } from './simulators.ts'

/** The payment provider of each currency. */
export const routes: Readonly<Record<Currency, ProviderName>> = { NGN: 'paystack', USD: 'stripe' }

export function routed(providers: Partial<Record<ProviderName, checkoutPort.CheckoutProvider>>): CheckoutProviders {
  const forCurrency = (currency: Currency) => {
    const name = routes[currency]
    return name && providers[name]
  }
  return { forCurrency, named: (name) => providers[name] }
}

/** The providers with configured keys; in a playground, the simulator stands in for the others. */
export function checkoutProviders(config: Config, outbound: OutboundHttp): CheckoutProviders {
  const { providers, playground, dataDir } = config
  const simulator = () => checkoutSimulatorUrl(dataDir)
  const paystack = providers.paystack
    ? paystackProvider({ ...providers.paystack, outbound })
    : playground &&
      paystackProvider({ secretKey: simulatorKeys.paystack, outbound, baseUrl: () => `${simulator()}/paystack` })
  const stripe = providers.stripe
    ? stripeProvider({ ...providers.stripe, outbound })
    : playground &&
      stripeProvider({
        secretKey: simulatorKeys.stripe,
        webhookSecret: simulatorKeys.stripeWebhook,
        outbound,
        baseUrl: simulator,
      })
  return routed({ ...(paystack ? { paystack } : {}), ...(stripe ? { stripe } : {}) })
}
