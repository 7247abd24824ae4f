import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  attemptLimits,
  findPersonByEmail,
  forgetDevices,
  hashPassword,
  lockPerson,
  normaliseEmail,
  oneTimeCodes,
  personSubject,
  requireGoodPassword,
  savePassword,
  saveTotpOff,
  saveVerified,
  sendSecurityNotice,
} from '../people/index.ts'
import { programAccess } from '../programs/index.ts'
import { endRegistrationsOf } from './registrations.ts'
import { sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

interface Reset {
  readonly email: string
  readonly code: string
  readonly password: string
}

/** Ends every session and the person's programs. The second factor stays on. */
export const resetPassword = preparedOperation(
  { time: 'real', needs: [], refuses: ['code.wrong'] },
  async (outside: Outside<PublicCaller>, input: Reset) => {
    requireGoodPassword(input.password, input.email)
    const account = normaliseEmail(input.email)
    const network = await attemptLimits.networkOf(outside, account)
    await outside.throttle('reset-password', account, { known: network.known })
    await attemptLimits.requireNotLockedOut(outside, { kind: 'reset_password', account, network })
    return { passwordHash: await hashPassword(input.password) }
  },
  async (context: Inside<PublicCaller>, input: Reset, { passwordHash }) => {
    const { tx, now } = context
    const account = normaliseEmail(input.email)
    const found = await findPersonByEmail(tx, account)
    const person = found && (await lockPerson(tx, found.id))
    const redeemed = await oneTimeCodes.redeemCode(context, { purpose: 'reset_password', account, person }, input.code)
    if (!person || !redeemed) return refuse('code.wrong')
    await savePassword(tx, person.id, passwordHash, now)
    // The code came by mail, so the address is proved too. A second factor, devices and registrations from before may belong to a stranger.
    if (!person.emailVerifiedAt) {
      await saveTotpOff(tx, person.id, now)
      await forgetDevices(tx, person.id)
      await endRegistrationsOf(context, person.id)
    }
    await saveVerified(tx, person.id, now)
    const ended = await endSessionsOf(tx, person.id, null, now)
    context.authChanged(personSubject(person.id), ...ended.map(sessionSubject))
    await programAccess.endProgramsOf(context, person.id)
    await sendSecurityNotice(
      context,
      person,
      'Password changed',
      'The password of your account was changed with a code from your mail. All sessions and connected programs were ended.',
    )
    return { passwordChanged: true as const }
  },
)
