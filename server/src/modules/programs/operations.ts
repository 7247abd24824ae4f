/** The operations behind routes and pages, for the outer layer. */
export { approveProgramRequest, denyProgramRequest, findProgramRequest, getProgramRequest } from './answer-request.ts'
export { changeConnectedProgram, revokeConnectedProgram } from './change-program.ts'
export { askInBrowser, askWithCode } from './open-request.ts'
export { listConnectedPrograms } from './read-programs.ts'
export { registerProgram } from './register-client.ts'
export { signOutProgram } from './sign-out.ts'
export { redeemCode, redeemDeviceCode, refreshProgram } from './take-tokens.ts'
