import type { Capability } from '../../../kernel/capabilities.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { heldBy } from '../roles/role.ts'
import type { Member } from './member.ts'
import { listActiveMembers } from './members.store.ts'

/** Upper limit of mails about one matter. */
const most = 500

/** Active members who have the capability to deal with a matter. */
export async function listMembersHolding(
  db: Queryable,
  organisationId: OrganisationId,
  capability: Capability,
): Promise<Member[]> {
  const members = await listActiveMembers(db, organisationId, most)
  return members.filter(({ role, extraCapabilities }) => [...heldBy(role, extraCapabilities)].includes(capability))
}
