import type { UserCaller } from '../../../kernel/callers.ts'
import { type Capability, missingFrom } from '../../../kernel/capabilities.ts'
import type { OrganisationId, UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { holdOrganisation } from '../organisations.store.ts'
import { heldBy } from '../roles/role.ts'
import { findMember } from './members.store.ts'

/** What a person may do in an organisation at this moment; nothing when they are not an active member. */
export async function heldNow(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<ReadonlySet<Capability>> {
  const member = await findMember(tx, organisationId, userId)
  return member?.status === 'active' ? heldBy(member.role, member.extraCapabilities) : new Set()
}

/**
 * Asked before something is made that outlives its maker, such as a key or an invitation. A node may take somebody for a
 * member for a second after they were removed or lowered elsewhere; what they made in that second would be their way back.
 */
export async function requireStanding({ tx, caller }: Inside<UserCaller>): Promise<void> {
  const { organisationId } = caller.tenant
  await holdOrganisation(tx, organisationId)
  if (missingFrom(await heldNow(tx, organisationId, caller.userId), caller.capabilities).length > 0)
    throw refuse('auth.token_outdated')
}
