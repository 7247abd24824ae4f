import type { UserCaller } from '../../kernel/callers.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { sessionSubject } from './session.ts'
import { endSession } from './sessions.store.ts'

export const logOut = operation(
  { time: 'real', needs: [], refuses: [] },
  async ({ tx, caller, now, authChanged }: Inside<UserCaller>) => {
    await endSession(tx, caller.userId, caller.sessionId, now)
    authChanged(sessionSubject(caller.sessionId))
    return { ended: true as const }
  },
)
