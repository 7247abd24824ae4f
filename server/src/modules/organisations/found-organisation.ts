import type { Caller } from '../../kernel/callers.ts'
import { newId, type OrganisationId, type UserId } from '../../kernel/ids.ts'
import { systemRole } from '../../kernel/roles.ts'
import type { Inside } from '../../platform/operation.ts'
import { insertMembership, insertOrganisation } from './organisations.store.ts'

/** Makes an organisation with its first owner, in the caller's transaction. */
export async function foundOrganisation(
  context: Inside<Caller>,
  { name, country, ownerId }: { name: string; country: string; ownerId: UserId },
): Promise<OrganisationId> {
  const id: OrganisationId = newId()
  const owner = systemRole('OWNER')
  await insertOrganisation(context.tx, { id, name, country, createdAt: context.now })
  await insertMembership(context.tx, id, ownerId, owner.id, context.now)
  context.emit('organization.created', { organisationId: id }, { organizationId: id, name, country })
  context.emit('member.joined', { organisationId: id }, { organizationId: id, userId: ownerId, role: owner.name })
  return id
}
