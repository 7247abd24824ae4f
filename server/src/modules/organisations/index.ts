export { background } from './background.ts'
export type { Invitation } from './invitations/invitation.ts'
export { withdrawInvitationsOf } from './invitations/withdraw-invitation.ts'
export { addMember } from './members/add-member.ts'
export { setMemberStatus } from './members/change-member-status.ts'
export type { ChangedMember } from './members/change-person.ts'
export { requireCurrentCapabilities } from './members/current-capabilities.ts'
export { mailMembers } from './members/mail-members.ts'
export { type Member, memberStatuses, type RoleColumns, roleFrom } from './members/member.ts'
export {
  findMembershipEpoch,
  isOwnAddress,
  listActiveMemberships,
  listChildrenOwnedBy,
  listOwners,
} from './members/members.store.ts'
export { membershipSubject } from './members/owners.ts'
export { endMembership, endOwnMembership } from './members/remove-member.ts'
export * as organisationOperations from './operations.ts'
export type { Organisation, Profile, ProfileChange } from './organisation.ts'
export {
  findFounder,
  findOrganisation,
  findPoolParent,
  hasOrganisationWithTaxNumber,
  saveNameAndCountry,
  saveTaxNumber,
} from './organisations.store.ts'
export { maskedAccount } from './profile/bank-mail.ts'
export * as letterheads from './profile/letterheads.store.ts'
export { type Founder, makeOrganisation, type OrganisationDetails } from './profile/make-organisation.ts'
export { roleSubject } from './roles/change-roles.ts'
export { capabilitiesWith, type Role, requireOwnCapabilities } from './roles/role.ts'
export { lockRole } from './roles/roles.store.ts'
