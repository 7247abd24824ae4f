import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId, UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { lockOrganisation } from '../organisations.store.ts'
import { ownerRoleId } from '../roles/role.ts'
import type { Member } from './member.ts'
import { countOtherOwners, lockMember } from './members.store.ts'

export const membershipSubject = (organisationId: string, userId: string) => `membership:${organisationId}:${userId}`

/**
 * The organisation is locked first. Otherwise two concurrent changes could each rely on the other owner and leave none.
 */
export async function lockMemberToChange(
  { tx }: Inside<Caller>,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<Member> {
  await lockOrganisation(tx, organisationId)
  const member = await lockMember(tx, organisationId, userId)
  if (!member) throw refuse('resource.not_found')
  return member
}

/** Refuses a change that would leave the organisation without an active owner. */
export async function keepAnOwner({ tx }: Inside<Caller>, member: Member): Promise<void> {
  if (member.role.id !== ownerRoleId || member.status !== 'active') return
  if ((await countOtherOwners(tx, member.organisationId, member.userId)) === 0) throw refuse('member.last_owner')
}
