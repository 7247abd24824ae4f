import type { KeyFiles } from '../demo/seed-connection.ts'
import { simulatedKeyFiles } from '../gateways/simulated-key-files.ts'
import { simulatedNetwork } from '../gateways/simulated-network.ts'
import { type AuthorityWith, type NrsAccess, nigeria, nrsAuthorities } from '../jurisdictions/ng/index.ts'
import type { Jurisdiction, Jurisdictions } from '../jurisdictions/port.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { SimulatedNetwork } from '../modules/received-invoices/index.ts'
import type { Config } from '../platform/config.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { authoritySimulatorUrl, simulatorKeys } from './simulators.ts'

type Authorities = Partial<Record<Mode, AuthorityWith>>

/** A supported country, with its authority in each mode in which there is access to it. */
interface ServedCountry {
  readonly rules: Jurisdiction
  readonly authorities: Authorities
  /** for background work; by default the same */
  readonly forWork?: Authorities
}

export function servedBy(countries: readonly ServedCountry[]): Jurisdictions {
  const find = (code: string | undefined) => countries.find(({ rules }) => rules.country === code)
  return {
    all: countries.map(({ rules }) => rules),
    of: (code) => find(code)?.rules,
    authority: (code, mode, credentials) => find(code)?.authorities[mode]?.(credentials),
    authorityForWork: (code, mode, credentials) => {
      const served = find(code)
      return (served?.forWork ?? served?.authorities)?.[mode]?.(credentials)
    },
  }
}

/** Nigeria, with its authority in these modes. */
export const servedNigeria = (authorities: Authorities, forWork?: Authorities): ServedCountry => ({
  rules: nigeria(),
  authorities,
  ...(forWork ? { forWork } : {}),
})

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
  return servedBy([servedNigeria(by(''), by('_work'))])
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
