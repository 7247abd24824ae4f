import type { KeyFiles } from '../demo/seed-connection.ts'
import { simulatedKeyFiles } from '../gateways/simulated-key-files.ts'
import { simulatedNetwork } from '../gateways/simulated-network.ts'
import { type AuthorityWith, type NrsAccess, nigeria, nrsAuthorities } from '../jurisdictions/ng/index.ts'
import type { Jurisdictions } from '../jurisdictions/port.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { SimulatedNetwork } from '../modules/received-invoices/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { authoritySimulatorUrl, simulatorKeys } from './simulators.ts'

type Authorities = Partial<Record<Mode, AuthorityWith>>

/** The supported countries, each with its authority in each mode, if there is access to it. */
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

/** The settings give every value of `NrsAccess`, or none. */
const nrsAccess = ({ authorities }: Config): Partial<Record<Mode, NrsAccess>> =>
  (authorities.NG ?? {}) as Partial<Record<Mode, NrsAccess>>

/** Live uses the real authority. The sandbox uses its test system or, in a playground, the simulator. */
export function jurisdictions(config: Config, outbound: OutboundHttp): Jurisdictions {
  const { playground, dataDir } = config
  const { live, sandbox } = nrsAccess(config)
  const simulated = playground && {
    baseUrl: () => authoritySimulatorUrl(dataDir),
    apiKey: simulatorKeys.nrs,
    apiSecret: simulatorKeys.nrsSecret,
    // The simulator replies at once, or never on request: short limits show the result of that quickly.
    overallMs: 4_000,
  }
  const tryOut = sandbox ?? (simulated || undefined)
  const by = (way: string): Authorities => ({
    ...(live ? { live: nrsAuthorities({ ...live, outbound, name: `nrs${way}` }) } : {}),
    ...(tryOut ? { sandbox: nrsAuthorities({ ...tryOut, outbound, name: `nrs_sandbox${way}` }) } : {}),
  })
  return servedBy(by(''), by('_work'))
}

/** If the sandbox uses the simulator: its address and credentials. */
function simulatorOf(config: Config, outbound: OutboundHttp) {
  const { playground, dataDir } = config
  if (nrsAccess(config).sandbox !== undefined || !playground) return undefined
  const baseUrl = () => authoritySimulatorUrl(dataDir)
  return { outbound, baseUrl, apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret }
}

/** If the sandbox uses the simulator, other businesses can be made to send an invoice. */
export function simulatedNetworkOf(config: Config, outbound: OutboundHttp): SimulatedNetwork | undefined {
  const simulator = simulatorOf(config, outbound)
  return simulator && simulatedNetwork(simulator)
}

/** If the sandbox uses the simulator, a business gets its authority key file without a person who fetches it. */
export function simulatedKeyFilesOf(config: Config, outbound: OutboundHttp): KeyFiles | undefined {
  const simulator = simulatorOf(config, outbound)
  return simulator && simulatedKeyFiles(simulator)
}
