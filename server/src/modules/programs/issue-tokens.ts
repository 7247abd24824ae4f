import { hash, randomBytes } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import type { OrganisationId, ProgramId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { accessTokenSeconds, signAccessToken } from '../../platform/callers/access-token.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type OAuthError, oauthError } from './oauth-error.ts'
import { programLifeMs } from './program.ts'
import { findProgramPrincipal, replaceProgramToken, saveTokenTaken } from './programs.store.ts'

/** What a program gets. The scope is what it may do now. */
export interface ProgramTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  readonly scope: string
  readonly organisationId: OrganisationId
  readonly mode: Mode
}

/** Codes and tokens are random and long, so a fast hash is enough. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret)
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`

export const wrongGrant = oauthError(
  'invalid_grant',
  'The code or token is unknown, used, expired or revoked, or belongs to another program. Connect the program again.',
)

/**
 * The program's row is locked. The refresh token before stops working, and its reuse would end the program. `issuedAt` is that of a token
 * whose reply was lost, and null otherwise.
 */
export async function issueProgramTokens(
  { tx, now, vault }: Inside<Caller>,
  id: ProgramId,
  issuedAt: Date | null = null,
): Promise<ProgramTokens | OAuthError> {
  const program = await findProgramPrincipal(tx, id, now)
  if (!program) return wrongGrant
  const refreshToken = newSecret('program_rt_')
  await replaceProgramToken(tx, id, hashOfSecret(refreshToken), { now, issuedAt })
  await saveTokenTaken(tx, id, now, new Date(now.getTime() + programLifeMs))
  const accessToken = await signAccessToken(vault, { kind: 'program', programId: id }, now, program.resource)
  const { organisationId, mode, held } = program
  return {
    accessToken,
    refreshToken,
    expiresIn: accessTokenSeconds,
    scope: [...held].join(' '),
    organisationId,
    mode,
  }
}
