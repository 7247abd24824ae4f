import type { PublicCaller } from '../../kernel/callers.ts'
import type { ProgramId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { readAccessToken } from '../../platform/callers/access-token.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { RequestParameters } from './asked-rights.ts'
import { endProgram } from './end-program.ts'
import { hashOfSecret } from './issue-tokens.ts'
import { findProgramToken, lockLiveProgram } from './programs.store.ts'

async function programOf({ tx, vault, now }: Inside<PublicCaller>, token: string): Promise<ProgramId | undefined> {
  if (!token.includes('.')) return (await findProgramToken(tx, hashOfSecret(token)))?.programId
  try {
    const { claims } = await readAccessToken(vault, token, now)
    return claims.kind === 'program' ? claims.programId : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** A program gives back its access, with either of its tokens (RFC 7009). A token that does not work needs no answer of its own. */
export const signOutProgram = operation(
  { time: 'real', needs: [], refuses: [] },
  async (context: Inside<PublicCaller>, { token = '', client_id: clientId }: RequestParameters): Promise<void> => {
    const id = await programOf(context, token)
    const program = id && (await lockLiveProgram(context.tx, id, context.now))
    if (program && program.clientId === clientId) await endProgram(context, program, 'signed_out')
  },
)
