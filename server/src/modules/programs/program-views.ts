/** What the outer layer shows of programs, and tells them. */
export type { ShownRequest } from './answer-request.ts'
export { isOwnClient, type ProgramClient } from './client.ts'
export type { ProgramTokens } from './issue-tokens.ts'
export { isOAuthError, type OAuthError, type OAuthErrorName, oauthError } from './oauth-error.ts'
export type { DeviceStart } from './open-request.ts'
export { kindOfResource, type ProgramIdentity, type SpendingLimits } from './program.ts'
export type { ProgramRequestId } from './program-request.ts'
export type { ShownProgram } from './read-programs.ts'
