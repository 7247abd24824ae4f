import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { lockPerson, newTotpSecret, savePendingTotp, totpSecretPlace, totpUri } from '../people/index.ts'

/** Makes a secret for the caller's app. It counts for nothing until a code of it is confirmed. */
export const enrolTotp = operation(
  { needs: [], refuses: ['totp.already_on'] },
  async ({ tx, caller, vault, now }: Inside<UserCaller>) => {
    const person = await lockPerson(tx, caller.userId)
    if (person.totpEnabledAt) throw refuse('totp.already_on')
    const secret = newTotpSecret()
    await savePendingTotp(tx, person.id, vault.seal(secret, totpSecretPlace(person.id)), now)
    return { secret, uri: totpUri(secret, person.email) }
  },
)
