import { missingFrom } from '../../../kernel/capabilities.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { findCapabilities } from '../members/current-capabilities.ts'
import type { Invitation } from './invitation.ts'

/**
 * True if the sender could send the invitation today. Otherwise a person who was removed or demoted could come back, or
 * bring a friend, with an old code.
 */
export async function isVouchedFor(
  tx: Tx,
  { organisationId, invitedBy, role, extraCapabilities }: Invitation,
): Promise<boolean> {
  const held = await findCapabilities(tx, organisationId, invitedBy)
  return missingFrom(held, ['invitation.create', ...role.capabilities, ...extraCapabilities]).length === 0
}
