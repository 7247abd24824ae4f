import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import {
  hashPassword,
  lockPerson,
  refuseWrongPassword,
  requireGoodPassword,
  savePassword,
  sendSecurityNotice,
  tryOwnPassword,
} from '../people/index.ts'
import { programAccess } from '../programs/index.ts'
import { sessionSubject } from './session.ts'
import { endSessionsOf } from './sessions.store.ts'

interface Change {
  readonly currentPassword: string
  readonly newPassword: string
}

/** Sets a new password with the old one, and ends every other session and the person's programs. */
export const changePassword = preparedOperation(
  { time: 'real', needs: [], refuses: ['credentials.wrong'] },
  async (outside: Outside<UserCaller>, input: Change) => {
    requireGoodPassword(input.newPassword, outside.caller.email, 'newPassword')
    const tried = await tryOwnPassword(outside, 'change-password', input.currentPassword)
    return { tried, passwordHash: tried.provenHash && (await hashPassword(input.newPassword)) }
  },
  async (context: Inside<UserCaller>, _input: Change, { tried, passwordHash }) => {
    const { tx, caller, now } = context
    if (passwordHash === undefined) return await refuseWrongPassword(context, tried)
    const person = await lockPerson(tx, caller.userId)
    if (person.passwordHash !== tried.provenHash) throw refuse('credentials.wrong')
    await savePassword(tx, person.id, passwordHash, now)
    const ended = await endSessionsOf(tx, person.id, caller.sessionId, now)
    context.authChanged(...ended.map(sessionSubject))
    await programAccess.endProgramsOf(context, person.id)
    await sendSecurityNotice(
      context,
      person,
      'Password changed',
      'The password of your account was changed. Your other sessions and your connected programs were ended.',
    )
    return { passwordChanged: true as const, sessionsEnded: ended.length }
  },
)
