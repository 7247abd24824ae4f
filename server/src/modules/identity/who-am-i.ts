import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { programAccess } from '../programs/index.ts'

/** The caller, and for a connected program what its person sees of it. Authentication has read everything else already. */
export const whoAmI = reading(
  { time: 'real', needs: [], refuses: ['auth.token_invalid'] },
  async ({ db, caller, ports, now }: Outside<TokenCaller>) => {
    if (caller.kind !== 'program') return { caller, program: undefined }
    const program = await programAccess.findShownProgram(db, caller.programId, ports, now)
    if (!program) throw refuse('auth.token_invalid')
    return { caller, program }
  },
)
