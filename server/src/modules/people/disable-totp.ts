import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { lockPerson, saveTotpOff } from './people.store.ts'
import { personSubject } from './person.ts'
import { refuseWrongPassword, tryOwnPassword } from './prove-password.ts'
import { passSecondFactor } from './second-factor.ts'
import { sendSecurityNotice } from './security-notice.ts'

/** Needs both factors. */
export const disableTotp = preparedOperation(
  { time: 'real', needs: [], refuses: ['totp.not_on', 'credentials.wrong'] },
  async (outside: Outside<UserCaller>, input: { password: string; code: string }) =>
    await tryOwnPassword(outside, 'totp', input.password),
  async (context: Inside<UserCaller>, input: { password: string; code: string }, tried) => {
    const person = await lockPerson(context.tx, context.caller.userId)
    if (!person.totpEnabledAt) throw refuse('totp.not_on')
    if (tried.provenHash !== person.passwordHash) return await refuseWrongPassword(context, tried)
    if (!(await passSecondFactor(context, person, input.code))) return refuse('credentials.wrong')
    await saveTotpOff(context.tx, person.id, context.now)
    context.authChanged(personSubject(person.id))
    await sendSecurityNotice(
      context,
      person,
      'Second factor switched off',
      'The second factor of your account was switched off.',
    )
    return { totpEnabled: false as const }
  },
)
