import type { UserCaller } from '../../../kernel/callers.ts'
import { type Capability, missingFrom } from '../../../kernel/capabilities.ts'
import type { OrganisationId, UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { lockOrganisationShared } from '../organisations.store.ts'
import { capabilitiesWith } from '../roles/role.ts'
import { findMember } from './members.store.ts'

/** Capabilities of a person in an organisation now. Empty if they are not an active member. */
export async function findCapabilities(
  tx: Tx,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<ReadonlySet<Capability>> {
  const member = await findMember(tx, organisationId, userId)
  return member?.status === 'active' ? capabilitiesWith(member.role, member.extraCapabilities) : new Set()
}

/**
 * Checked before creating what outlives its maker, such as a key or an invitation. For up to a second a node may not
 * know that a person was removed elsewhere, and a key made in that second would let them back in.
 */
export async function requireCurrentCapabilities({ tx, caller }: Inside<UserCaller>): Promise<void> {
  const { organisationId } = caller.tenant
  await lockOrganisationShared(tx, organisationId)
  if (missingFrom(await findCapabilities(tx, organisationId, caller.userId), caller.capabilities).length > 0)
    throw refuse('auth.token_outdated')
}
