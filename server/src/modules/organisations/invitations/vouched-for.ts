import { missingFrom } from '../../../kernel/capabilities.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { heldNow } from '../members/standing.ts'
import type { Invitation } from './invitation.ts'

/**
 * Whether its sender could send it today. Someone who was removed or lowered since has no way back, nor a way for a friend,
 * in a code that was mailed before.
 */
export async function isVouchedFor(
  tx: Tx,
  { organisationId, invitedBy, role, extraCapabilities }: Invitation,
): Promise<boolean> {
  const held = await heldNow(tx, organisationId, invitedBy)
  return missingFrom(held, ['invitation.create', ...role.capabilities, ...extraCapabilities]).length === 0
}
