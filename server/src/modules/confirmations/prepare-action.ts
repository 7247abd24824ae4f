import { randomBytes } from 'node:crypto'
import type { TokenCaller } from '../../kernel/callers.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { programAccess } from '../programs/index.ts'
import { confirmWithinMs, mostContentBytes, mostOpen, type PreparedAction, principalOf } from './confirmation.ts'
import { insertConfirmation } from './confirmations.store.ts'
import { tokenHashOf } from './token-hash.ts'

/**
 * Stores the exact action, and makes the token that confirms it, with what the spending limits of a connected program leave. An action over a limit gets a token too: the person may raise the limit
 * before it is confirmed.
 */
export const prepareAction = operation(
  { time: 'real', needs: [], refuses: ['confirmation.too_many', 'request.invalid', 'auth.token_invalid'] },
  async (context: Inside<TokenCaller>, prepared: PreparedAction) => {
    const { tx, caller, now } = context
    if (Buffer.byteLength(JSON.stringify(prepared.content)) > mostContentBytes)
      throw invalid([{ path: '', rule: 'maxLength', message: 'is too large to confirm in one step: send fewer lines' }])
    const token = `confirm_${randomBytes(24).toString('base64url')}`
    const expiresAt = new Date(now.getTime() + confirmWithinMs)
    const bounds = { now, expiresAt, most: mostOpen }
    if (!(await insertConfirmation(tx, caller.tenant, tokenHashOf(token), principalOf(caller), prepared, bounds)))
      throw refuse('confirmation.too_many')
    const limits =
      caller.kind === 'program' ? await programAccess.forecastSpending(context, caller, prepared.spending) : undefined
    return { token, expiresAt, limits }
  },
)
