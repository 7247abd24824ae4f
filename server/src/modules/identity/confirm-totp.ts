import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { issueRecoveryCodes, lockPerson, openTotpSecret, personSubject, saveTotpOn, totpStep } from '../people/index.ts'
import { sendSecurityNotice } from './security-letters.ts'

/** Switches the second factor on, once a code shows that the app has the secret. The recovery codes are shown once. */
export const confirmTotp = preparedOperation(
  { needs: [], refuses: ['totp.already_on', 'totp.not_enrolled', 'credentials.wrong'] },
  async ({ throttle, caller }: Outside<UserCaller>, _input: { code: string }) => await throttle('totp', caller.userId),
  async (context: Inside<UserCaller>, input: { code: string }) => {
    const { tx, vault, now, caller } = context
    const person = await lockPerson(tx, caller.userId)
    if (person.totpEnabledAt) throw refuse('totp.already_on')
    if (!person.totpPending) throw refuse('totp.not_enrolled')
    const step = totpStep(openTotpSecret(vault, person.id, person.totpPending), input.code, now)
    if (step === undefined) throw refuse('credentials.wrong')
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
