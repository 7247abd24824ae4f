import { sandboxBank, sandboxPayers } from '../gateways/sandbox-bank.ts'
import { type CollectionProviders, routedProviders, type SimulatedPayers } from '../modules/collection/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { bankSimulatorUrl, simulatorKeys } from './simulators.ts'

const access = ({ dataDir }: Config, outbound: OutboundHttp) => ({
  outbound,
  baseUrl: () => bankSimulatorUrl(dataDir),
  apiKey: simulatorKeys.bank,
  webhookSecret: simulatorKeys.bankWebhook,
})

/** Who keeps accounts that buyers pay into: in a playground, the simulated bank. */
export const collectionProviders = (config: Config, outbound: OutboundHttp): CollectionProviders =>
  routedProviders(config.playground ? [sandboxBank(access(config, outbound))] : [])

/** Where the sandbox is the simulated bank, people can be made to pay. */
export const simulatedPayersOf = (config: Config, outbound: OutboundHttp): SimulatedPayers | undefined =>
  config.playground ? sandboxPayers(access(config, outbound)) : undefined
