export { latestCode, purgeCodes } from './one-time-codes.store.ts'
export { type IssuedCode, issueCode, redeemCode } from './one-time-codes.ts'
export { hashPassword, nobodysHash, passwordMatches } from './passwords.ts'
export {
  findPerson,
  findPersonByEmail,
  insertPerson,
  lockPerson,
  rememberDevice,
  saveClosed,
  saveIdentity,
  saveNames,
  savePassword,
  savePendingTotp,
  savePersonPhone,
  saveTotpOff,
  saveTotpOn,
  saveVerified,
} from './people.store.ts'
export { normaliseEmail, type Person, personSubject } from './person.ts'
export { requireTextMessages, textPhoneCode } from './phone-code.ts'
export { peopleSealedColumns } from './sealed-columns.ts'
export { issueRecoveryCodes, openTotpSecret, passSecondFactor, totpSecretPlace } from './second-factor.ts'
export { newTotpSecret, totpStep, totpUri } from './totp.ts'
