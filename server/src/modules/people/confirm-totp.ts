import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { lockPerson, saveTotpOn } from './people.store.ts'
import { personSubject } from './person.ts'
import { confirmSecondFactor, issueRecoveryCodes } from './second-factor.ts'
import { sendSecurityNotice } from './security-notice.ts'

/** Switches the second factor on, once a code shows that the app has the secret. The recovery codes are shown once. */
export const confirmTotp = preparedOperation(
  { time: 'real', needs: [], refuses: ['totp.already_on', 'totp.not_enrolled', 'credentials.wrong'] },
  async ({ throttle, caller }: Outside<UserCaller>, _input: { code: string }) => await throttle('totp', caller.userId),
  async (context: Inside<UserCaller>, input: { code: string }) => {
    const { tx, now, caller } = context
    const person = await lockPerson(tx, caller.userId)
    if (person.totpEnabledAt) throw refuse('totp.already_on')
    if (!person.totpPending) throw refuse('totp.not_enrolled')
    const step = await confirmSecondFactor(context, person, person.totpPending, input.code)
    if (step === undefined) return refuse('credentials.wrong')
    await saveTotpOn(tx, person.id, person.totpPending, step, now)
    const recoveryCodes = await issueRecoveryCodes(context, person.id)
    context.authChanged(personSubject(person.id))
    await sendSecurityNotice(
      context,
      person,
      'Second factor switched on',
      'The second factor of your account was switched on.',
    )
    return { recoveryCodes }
  },
)
