export { changeMemberStatus } from './change-member-status.ts'
export { leaveOrganisation } from './leave-organisation.ts'
export { removeMember } from './remove-member.ts'
