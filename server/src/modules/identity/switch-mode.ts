import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { issueTokens, sessionSubject } from './session.ts'
import { lockLiveSession, saveSessionPlace } from './sessions.store.ts'

/** Old tokens stop working, so that no request lands in the wrong mode. */
export const switchMode = operation(
  { time: 'real', needs: [], refuses: ['session.ended'] },
  async (context: Inside<UserCaller>, input: { mode: Mode }) => {
    const session = await lockLiveSession(context.tx, context.caller.sessionId, context.now)
    if (!session) throw refuse('session.ended')
    const moved = await saveSessionPlace(context.tx, session.id, session.organisationId, input.mode)
    context.authChanged(sessionSubject(session.id))
    return await issueTokens(context, moved)
  },
)
