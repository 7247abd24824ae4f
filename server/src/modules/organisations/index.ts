export { foundOrganisation } from './found-organisation.ts'
export {
  findActiveMembership,
  listActiveMemberships,
  type Membership,
  saveOrganisationName,
} from './organisations.store.ts'
export { type Role, roleById } from './role.ts'
