export * as attemptLimits from './attempt-limits.ts'
export { background } from './background.ts'
export { greetDevice } from './greet-device.ts'
export * as oneTimeCodes from './one-time-codes.ts'
export * as personOperations from './operations.ts'
export { requireGoodPassword } from './password-rules.ts'
export { hashPassword, nobodysHash, passwordMatches } from './passwords.ts'
export {
  findPerson,
  findPersonByEmail,
  forgetDevices,
  insertPerson,
  lockPerson,
  saveClosed,
  saveIdentity,
  saveNames,
  savePassword,
  savePersonPhone,
  saveTotpOff,
  saveVerified,
} from './people.store.ts'
export { normaliseEmail, type Person, personSubject } from './person.ts'
export { requireTextMessages, textPhoneCode, textsADay } from './phone-code.ts'
export { refuseWrongPassword, tryOwnPassword, tryPassword } from './prove-password.ts'
export { passSecondFactor } from './second-factor.ts'
export { sendSecurityNotice } from './security-notice.ts'
