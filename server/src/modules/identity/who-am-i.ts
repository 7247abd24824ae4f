import type { TokenCaller } from '../../kernel/callers.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'

/** The caller as we know it; nothing is read, since authentication has read it already. */
export const whoAmI = reading({ needs: [], refuses: [] }, async ({ caller }: Outside<TokenCaller>) => caller)
