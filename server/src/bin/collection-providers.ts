import { monnify } from '../gateways/monnify.ts'
import { paystackAccounts } from '../gateways/paystack-accounts.ts'
import { sandboxBank, sandboxPayers } from '../gateways/sandbox-bank.ts'
import { modes } from '../kernel/tenant.ts'
import { type CollectionProviders, type collectionPort, routedProviders } from '../modules/collection/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { bankSimulatorUrl, simulatorKeys } from './simulators.ts'

const access = ({ dataDir }: Config, outbound: OutboundHttp) => ({
  outbound,
  baseUrl: () => bankSimulatorUrl(dataDir),
  apiKey: simulatorKeys.bank,
  webhookSecret: simulatorKeys.bankWebhook,
})

/** The collection providers with configured keys. In a playground the simulated bank comes first. */
export function collectionProviders(config: Config, outbound: OutboundHttp): CollectionProviders {
  const { providers, paystackCustomerDomain: customerDomain } = config
  return routedProviders([
    ...(config.playground ? [sandboxBank(access(config, outbound))] : []),
    ...modes.flatMap((mode) => {
      const keys = config.monnify[mode]
      return keys ? [monnify({ ...keys, mode, outbound })] : []
    }),
    ...(providers.paystack ? [paystackAccounts({ ...providers.paystack, customerDomain, outbound })] : []),
  ])
}

/** If the sandbox uses the simulated bank, tests can simulate payments. */
export const simulatedPayersOf = (
  config: Config,
  outbound: OutboundHttp,
): collectionPort.SimulatedPayers | undefined =>
  config.playground ? sandboxPayers(access(config, outbound)) : undefined
