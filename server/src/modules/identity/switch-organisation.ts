import type { UserCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findMembershipEpoch } from '../organisations/index.ts'
import { issueTokens, sessionSubject } from './session.ts'
import { lockLiveSession, saveSessionPlace } from './sessions.store.ts'

interface SwitchInput {
  readonly organisationId: OrganisationId
  readonly mode?: Mode | undefined
}

/** Tokens of the previous organisation stop working. */
export const switchOrganisation = operation(
  { time: 'real', needs: [], refuses: ['resource.not_found', 'session.ended'] },
  async (context: Inside<UserCaller>, { organisationId, mode }: SwitchInput) => {
    const { tx, caller, now, authChanged } = context
    const session = await lockLiveSession(tx, caller.sessionId, now)
    if (!session) throw refuse('session.ended')
    if ((await findMembershipEpoch(tx, organisationId, caller.userId)) === undefined) throw refuse('resource.not_found')
    const moved = await saveSessionPlace(tx, session.id, organisationId, mode ?? session.mode)
    authChanged(sessionSubject(session.id))
    return await issueTokens(context, moved)
  },
)
