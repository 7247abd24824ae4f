import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'

/** Live mode has the real time. */
export function requireSandbox({ tenant }: TokenCaller): void {
  if (tenant.mode !== 'sandbox') throw refuse('test_clock.live_mode')
}
