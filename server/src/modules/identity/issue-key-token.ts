import type { KeyCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { accessTokenSeconds, signAccessToken } from '../../platform/callers/access-token.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findUsableKey } from '../api-keys/index.ts'

/** For places where the key itself must not be stored. Only the key can request a token. */
export const issueKeyToken = reading(
  // Authentication uses the primary.
  { time: 'real', needs: [], refuses: ['auth.keys_only', 'auth.token_invalid'], usesPrimary: true },
  async ({ db, caller, vault, now }: Outside<KeyCaller>) => {
    if (!caller.itself)
      throw refuse('auth.keys_only', { message: 'A token cannot request another token. Send the API key itself.' })
    const { organisationId, mode } = caller.tenant
    const key = await findUsableKey(db, organisationId, caller.keyId, now)
    if (!key) throw refuse('auth.token_invalid')
    const accessToken = await signAccessToken(
      vault,
      { kind: 'key', keyId: caller.keyId, keyEpoch: key.epoch, organisationId, mode },
      now,
    )
    return { accessToken, expiresIn: accessTokenSeconds, organisationId, mode }
  },
)
