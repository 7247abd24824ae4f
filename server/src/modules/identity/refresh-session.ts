import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findPerson, sendSecurityNotice } from '../people/index.ts'
import { hashRefreshToken, issueTokens, leaveClosedOrganisation, sessionSubject } from './session.ts'
import { endSession, lockLiveSession, lockRefreshToken } from './sessions.store.ts'

/** A token that is used twice was copied. Either side may be the thief, so the session ends. */
export const refreshSession = operation(
  { time: 'real', needs: [], refuses: ['session.ended'] },
  async (context: Inside<PublicCaller>, input: { refreshToken: string }) => {
    const token = await lockRefreshToken(context.tx, hashRefreshToken(input.refreshToken))
    const session = token && (await lockLiveSession(context.tx, token.sessionId, context.now))
    if (!session) throw refuse('session.ended')
    if (token.usedAt) {
      await endSession(context.tx, session.userId, session.id, context.now)
      context.authChanged(sessionSubject(session.id))
      const person = await findPerson(context.tx, session.userId)
      if (person)
        await sendSecurityNotice(
          context,
          person,
          'A Risiti session was ended',
          'A refresh token was used twice, so it may have been copied. We ended that session.',
        )
      return refuse('session.ended')
    }
    return await issueTokens(context, await leaveClosedOrganisation(context, session))
  },
)
