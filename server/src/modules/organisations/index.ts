export { background } from './background.ts'
export { acceptInvitation } from './invitations/accept-invitation.ts'
export { acceptWithNewAccount } from './invitations/accept-with-new-account.ts'
export { createInvitation } from './invitations/create-invitation.ts'
export type { Invitation, InvitationId } from './invitations/invitation.ts'
export { previewInvitation } from './invitations/preview-invitation.ts'
export { getInvitation, listOrganisationInvitations } from './invitations/read-invitations.ts'
export { resendInvitation } from './invitations/resend-invitation.ts'
export { withdrawInvitation, withdrawInvitationsOf } from './invitations/withdraw-invitation.ts'
export { addMember } from './members/add-member.ts'
export { changeMemberRole } from './members/change-member-role.ts'
export { type StatusChange, setMemberStatus } from './members/change-member-status.ts'
export type { ChangedMember } from './members/change-person.ts'
export { confirmChange } from './members/confirm-change.ts'
export { type Member, memberStatuses, type RoleColumns, roleFrom } from './members/member.ts'
export { getMemberPermissions, grantPermissions, withdrawPermissions } from './members/member-permissions.ts'
export {
  findMembershipEpoch,
  isOwnAddress,
  listActiveOrganisationIds,
  listChildrenOwnedBy,
  listOwners,
} from './members/members.store.ts'
export { listMembersHolding } from './members/members-holding.ts'
export { membershipSubject } from './members/owners.ts'
export { getMember, listOrganisationMembers } from './members/read-members.ts'
export { endMembership, endOwnMembership } from './members/remove-member.ts'
export { removeSecondFactor } from './members/remove-second-factor.ts'
export { requireStanding } from './members/standing.ts'
export { transferOwnership } from './members/transfer-ownership.ts'
export { updateMember } from './members/update-member.ts'
export { sendMemberPhoneCode, verifyMemberPhone } from './members/verify-member-phone.ts'
export type { Organisation, Profile, ProfileChange } from './organisation.ts'
export {
  findFounder,
  findOrganisation,
  findPoolParent,
  hasOrganisationWithTaxNumber,
  saveNameAndCountry,
  saveTaxNumber,
} from './organisations.store.ts'
export { maskedAccount } from './profile/bank-letter.ts'
export { changeCreditPool, getCreditPool } from './profile/credit-pool.ts'
export { getOrganisation } from './profile/get-organisation.ts'
export {
  getLetterheadCopy,
  getLetterheadOfDocument,
  type LetterheadCopy,
  letterheadToday,
  saveLetterhead,
} from './profile/letterheads.store.ts'
export { listChildOrganisations } from './profile/list-children.ts'
export { listOrganisations } from './profile/list-organisations.ts'
export { type Founder, makeOrganisation, type OrganisationDetails } from './profile/make-organisation.ts'
export { completeOnboarding, sendOrganisationPhoneCode, verifyOrganisationPhone } from './profile/onboarding.ts'
export { partFromChild } from './profile/part-from-child.ts'
export { readAuditLog } from './profile/read-audit-log.ts'
export { updateOrganisation } from './profile/update-organisation.ts'
export { createRole, removeRole, roleSubject, updateRole } from './roles/change-roles.ts'
export { listPermissions } from './roles/list-permissions.ts'
export { getRole, listRoles, listSystemRoles } from './roles/list-roles.ts'
export { heldBy, type Role, requireToHold } from './roles/role.ts'
export { lockRole } from './roles/roles.store.ts'
