import type { KeyFiles } from '../demo/seed-connection.ts'
import { simulatedKeyFiles } from '../gateways/simulated-key-files.ts'
import { simulatedNetwork } from '../gateways/simulated-network.ts'
import { type AuthorityWith, nigeria, nrsAuthorities } from '../jurisdictions/ng/index.ts'
import type { Jurisdictions } from '../jurisdictions/port.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { SimulatedNetwork } from '../modules/received-invoices/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { authoritySimulatorUrl, simulatorKeys } from './simulators.ts'

type Authorities = Partial<Record<Mode, AuthorityWith>>

/** The countries that we serve, each with its authority in each mode, as far as there is access to it. */
export function servedBy(authorities: Authorities, forWork: Authorities = authorities): Jurisdictions {
  const country = nigeria()
  const among =
    (some: Authorities): Jurisdictions['authority'] =>
    (code, mode, credentials) =>
      code === country.country ? some[mode]?.(credentials) : undefined
  return {
    all: [country],
    of: (code) => (code === country.country ? country : undefined),
    authority: among(authorities),
    authorityForWork: among(forWork),
  }
}

/** Live speaks to the real authority, the sandbox to its test system or, in a playground, to the simulator. */
export function jurisdictions({ nrs, playground, dataDir }: Config, outbound: OutboundHttp): Jurisdictions {
  const { live, sandbox } = nrs
  const simulated = playground && {
    baseUrl: () => authoritySimulatorUrl(dataDir),
    apiKey: simulatorKeys.nrs,
    apiSecret: simulatorKeys.nrsSecret,
    // It answers at once or, when it is told to, never: nobody has to wait long to see what comes of that.
    overallMs: 4_000,
  }
  const tryOut = sandbox ?? (simulated || undefined)
  const by = (way: string): Authorities => ({
    ...(live ? { live: nrsAuthorities({ ...live, outbound, name: `nrs${way}` }) } : {}),
    ...(tryOut ? { sandbox: nrsAuthorities({ ...tryOut, outbound, name: `nrs_sandbox${way}` }) } : {}),
  })
  return servedBy(by(''), by('_work'))
}

/** Where the sandbox is the simulator, and by which words. */
function simulatorOf({ nrs, playground, dataDir }: Config, outbound: OutboundHttp) {
  if (nrs.sandbox !== undefined || !playground) return undefined
  const baseUrl = () => authoritySimulatorUrl(dataDir)
  return { outbound, baseUrl, apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret }
}

/** Where the sandbox is the simulator, other businesses can be made to send something. */
export function simulatedNetworkOf(config: Config, outbound: OutboundHttp): SimulatedNetwork | undefined {
  const simulator = simulatorOf(config, outbound)
  return simulator && simulatedNetwork(simulator)
}

/** Where the sandbox is the simulator, the key file of a business can be had without a person who fetches it. */
export function simulatedKeyFilesOf(config: Config, outbound: OutboundHttp): KeyFiles | undefined {
  const simulator = simulatorOf(config, outbound)
  return simulator && simulatedKeyFiles(simulator)
}
