import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  findPersonByEmail,
  hashPassword,
  normaliseEmail,
  personSubject,
  redeemCode,
  savePassword,
  saveTotpOff,
  saveVerified,
} from '../people/index.ts'
import { sendSecurityNotice } from './security-letters.ts'
import { sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

interface Reset {
  readonly email: string
  readonly code: string
  readonly password: string
}

/** Sets a new password with a mailed code, and ends every session. The second factor stays as it is. */
export const resetPassword = preparedOperation(
  { needs: [], refuses: ['code.wrong'] },
  async ({ throttle }: Outside<PublicCaller>, input: Reset) => {
    await throttle('reset-password', normaliseEmail(input.email))
    return { passwordHash: await hashPassword(input.password) }
  },
  async (context: Inside<PublicCaller>, input: Reset, { passwordHash }) => {
    const person = await findPersonByEmail(context.tx, normaliseEmail(input.email))
    const redeemed = person && (await redeemCode(context, person.id, 'reset_password', input.code))
    if (!redeemed) return refuse('code.wrong')
    await savePassword(context.tx, person.id, passwordHash, context.now)
    // The code came by mail, so the address is proven too; a second factor set up before that may be a stranger's.
    if (!person.emailVerifiedAt) await saveTotpOff(context.tx, person.id, context.now)
    await saveVerified(context.tx, person.id, context.now)
    const ended = await endSessionsOf(context.tx, person.id, null, context.now)
    context.authChanged(personSubject(person.id), ...ended.map(sessionSubject))
    await sendSecurityNotice(
      context,
      person,
      'Password changed',
      'The password of your account was changed with a code from your mail. All sessions were ended.',
    )
    return { passwordChanged: true as const }
  },
)
