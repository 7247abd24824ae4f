import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type Confirmation, principalOf } from './confirmation.ts'
import { lockConfirmation, saveConfirmed } from './confirmations.store.ts'
import { tokenHashOf } from './token-hash.ts'

/**
 * Takes a token. The first time it must be in time; it can then be repeated for a day, because the effect has the token's hash as its
 * Idempotency-Key and happens once. An unknown token, an expired one and one of another maker look the same.
 */
export const confirmAction = operation(
  { time: 'real', needs: [], refuses: ['confirmation.unknown'] },
  async (
    context: Inside<TokenCaller>,
    { token }: { readonly token: string },
  ): Promise<Confirmation & { readonly key: string }> => {
    const { tx, caller, now } = context
    const tokenHash = tokenHashOf(token)
    const found = await lockConfirmation(tx, caller.tenant, tokenHash, principalOf(caller))
    if (!found || (found.confirmedAt === null && found.expiresAt <= now)) throw refuse('confirmation.unknown')
    if (found.confirmedAt === null) await saveConfirmed(tx, caller.tenant, tokenHash, now)
    return { ...found, key: `confirm-${tokenHash}` }
  },
)
