import type { UserCaller } from '../../kernel/callers.ts'
import type { SessionId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { sessionSubject } from './session.ts'
import { endSession } from './sessions.store.ts'

export const endOneSession = operation(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  async ({ tx, caller, now, authChanged }: Inside<UserCaller>, input: { id: SessionId }) => {
    if (!(await endSession(tx, caller.userId, input.id, now))) throw refuse('resource.not_found')
    authChanged(sessionSubject(input.id))
    return { id: input.id, ended: true as const }
  },
)
