/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { changeMemberStatus } from './change-member-status.ts'
export { leaveOrganisation } from './leave-organisation.ts'
export { removeMember } from './remove-member.ts'
