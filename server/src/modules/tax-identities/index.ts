export {
  type Answer,
  askForTaxpayer,
  type CheckRef,
  endCheck,
  type StartedCheck,
  startCheck,
} from './check-tax-number.ts'
export { type CheckId, type CheckStatus, findCheck, findLatestCheck, type TaxNumberCheck } from './checks.store.ts'
export { type Lookup, lookUpTaxId } from './look-up-tax-id.ts'
export { type PartyType, type PostalAddress, partyTypes, type TaxIdStatus, taxIdStatuses } from './party.ts'
export { checkReachability, getReachability, type Reachability } from './reachability.ts'
export { settleCheckOf } from './settle-check.ts'
export { noTaxIdentity, type TaxIdentity, taxIdentityOf } from './tax-identity.ts'
