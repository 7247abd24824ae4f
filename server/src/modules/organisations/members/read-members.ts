import type { UserCaller } from '../../../kernel/callers.ts'
import type { UserId } from '../../../kernel/ids.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { findMember, listMembers, type MemberFilter } from './members.store.ts'

export const listOrganisationMembers = reading(
  { time: 'real', needs: ['member.read'], refuses: [] },
  ({ db, caller }: Outside<UserCaller>, { filter, page }: { filter: MemberFilter; page: PageRequest }) =>
    listMembers(db, caller.tenant.organisationId, filter, page),
)

export const getMember = reading(
  { time: 'real', needs: ['member.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<UserCaller>, { userId }: { userId: UserId }) => {
    const member = await findMember(db, caller.tenant.organisationId, userId)
    if (!member) throw refuse('resource.not_found')
    return member
  },
)
