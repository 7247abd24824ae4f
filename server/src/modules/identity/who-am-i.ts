import type { TokenCaller } from '../../kernel/callers.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'

/** Authentication has read everything already. */
export const whoAmI = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ caller }: Outside<TokenCaller>) => caller,
)
