import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { lockPerson, savePendingTotp } from './people.store.ts'
import { refuseWrongPassword, tryOwnPassword } from './prove-password.ts'
import { totpSecretPlace } from './second-factor.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/**
 * The secret has no effect until a code of it is confirmed. The password is needed because a thief with an open session
 * could otherwise lock out the owner.
 */
export const enrolTotp = preparedOperation(
  { time: 'real', needs: [], refuses: ['totp.already_on', 'credentials.wrong'] },
  async (outside: Outside<UserCaller>, input: { password: string }) =>
    await tryOwnPassword(outside, 'totp', input.password),
  async (context: Inside<UserCaller>, _input: { password: string }, tried) => {
    const { tx, caller, vault, now } = context
    const person = await lockPerson(tx, caller.userId)
    if (person.totpEnabledAt) throw refuse('totp.already_on')
    if (tried.provenHash !== person.passwordHash) return await refuseWrongPassword(context, tried)
    const secret = newTotpSecret()
    await savePendingTotp(tx, person.id, vault.seal(secret, totpSecretPlace(person.id)), now)
    return { secret, uri: totpUri(secret, person.email) }
  },
)
