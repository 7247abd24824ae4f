export { background } from './background.ts'
export { capabilitiesNow } from './capabilities-now.ts'

export { closeAccount } from './close-account.ts'

export { callerLoader } from './load-caller.ts'
export * as identityOperations from './operations.ts'
export { sessionLifeSeconds, type TokenPair } from './session.ts'
