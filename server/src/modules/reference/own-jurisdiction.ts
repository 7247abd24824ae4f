import type { Jurisdiction } from '../../jurisdictions/port.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Ports } from '../../platform/operations/ports.ts'

/** The country whose rules apply to the caller's organisation. */
export function jurisdictionOf(ports: Pick<Ports, 'jurisdictions'>, { country }: TokenCaller): Jurisdiction {
  const found = country === undefined ? undefined : ports.jurisdictions.of(country)
  if (!found) throw refuse('jurisdiction.unsupported')
  return found
}
