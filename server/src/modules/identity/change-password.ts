import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { findPerson, hashPassword, lockPerson, nobodysHash, passwordMatches, savePassword } from '../people/index.ts'
import { sendSecurityNotice } from './security-letters.ts'
import { sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

interface Change {
  readonly currentPassword: string
  readonly newPassword: string
}

/** Sets a new password with the old one, and ends every other session. */
export const changePassword = preparedOperation(
  { needs: [], refuses: ['credentials.wrong'] },
  async ({ throttle, db, caller }: Outside<UserCaller>, input: Change) => {
    await throttle('change-password', caller.userId)
    const person = await findPerson(db, caller.userId)
    if (!(await passwordMatches(input.currentPassword, person?.passwordHash ?? nobodysHash)))
      throw refuse('credentials.wrong')
    return { provenHash: person?.passwordHash, passwordHash: await hashPassword(input.newPassword) }
  },
  async (context: Inside<UserCaller>, _input: Change, { provenHash, passwordHash }) => {
    const { tx, caller, now } = context
    const person = await lockPerson(tx, caller.userId)
    if (person.passwordHash !== provenHash) throw refuse('credentials.wrong')
    await savePassword(tx, person.id, passwordHash, now)
    const ended = await endSessionsOf(tx, person.id, caller.sessionId, now)
    context.authChanged(...ended.map(sessionSubject))
    await sendSecurityNotice(
      context,
      person,
      'Password changed',
      'The password of your account was changed. Your other sessions were ended.',
    )
    return { passwordChanged: true as const, sessionsEnded: ended.length }
  },
)
