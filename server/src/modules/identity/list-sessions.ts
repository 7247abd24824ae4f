import type { UserCaller } from '../../kernel/callers.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { listLiveSessions } from './sessions.store.ts'

export const listSessions = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ db, caller, now }: Outside<UserCaller>) => {
    const sessions = await listLiveSessions(db, caller.userId, now)
    return sessions.map((session) => ({ ...session, current: session.id === caller.sessionId }))
  },
)
