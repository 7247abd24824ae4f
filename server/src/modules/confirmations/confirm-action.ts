import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { programAccess } from '../programs/index.ts'
import { type Confirmation, principalOf } from './confirmation.ts'
import { lockConfirmation, saveConfirmed } from './confirmations.store.ts'
import { tokenHashOf } from './token-hash.ts'

/**
 * Takes a token, which must be in time. If it was taken in time before, the caller gets it for a day: the effect has the token's hash as its
 * Idempotency-Key, so one that happened is answered again. One that was refused must not begin after `isInTime`: nobody expects it hours
 * later. An unknown token, an expired one and one of another maker look the same.
 */
export const confirmAction = operation(
  { time: 'real', needs: [], refuses: ['confirmation.unknown', 'program.limit_reached', 'auth.token_invalid'] },
  async (
    context: Inside<TokenCaller>,
    { token }: { readonly token: string },
  ): Promise<Confirmation & { readonly key: string; readonly isInTime: boolean }> => {
    const { tx, caller, now } = context
    const tokenHash = tokenHashOf(token)
    const found = await lockConfirmation(tx, caller.tenant, tokenHash, principalOf(caller))
    if (!found) throw refuse('confirmation.unknown')
    const isInTime = found.expiresAt > now
    if (found.confirmedAt === null && !isInTime) throw refuse('confirmation.unknown')
    if (found.confirmedAt === null) {
      if (caller.kind === 'program') await programAccess.countSpending(context, caller, found.spending)
      await saveConfirmed(tx, caller.tenant, tokenHash, now)
    }
    return { ...found, key: `confirm-${tokenHash}`, isInTime }
  },
)
