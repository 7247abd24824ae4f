import { jwtVerify, SignJWT } from 'jose'
import type { ApiKeyId, OrganisationId, ProgramId, SessionId, UserId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Vault } from '../secrets/secrets.ts'

export const accessTokenSeconds = 15 * 60

/** The epochs are those of the session and of the membership when the token was issued. */
export interface UserClaims {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly sessionEpoch: number
  readonly membershipEpoch: string
}

export interface KeyClaims {
  readonly kind: 'key'
  readonly keyId: ApiKeyId
  readonly keyEpoch: string
  readonly organisationId: OrganisationId
  readonly mode: Mode
}

/** What the program may do is read with each lookup, so its token has no epoch. */
export interface ProgramClaims {
  readonly kind: 'program'
  readonly programId: ProgramId
}

export type TokenClaims = UserClaims | KeyClaims | ProgramClaims

const issuer = 'risiti'
const algorithm = 'HS256'

/** The token of a program names the resource that it is for; other tokens are for this service as a whole. */
export async function signAccessToken(
  vault: Vault,
  claims: TokenClaims,
  now: Date,
  resource: string = issuer,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, kid: vault.signingKeyId, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(resource)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(vault.signingKey(vault.signingKeyId) as Uint8Array)
}

export async function readAccessToken(
  vault: Vault,
  token: string,
  now: Date,
): Promise<{ claims: TokenClaims; resource: string; expiresAt: Date }> {
  try {
    const { payload } = await jwtVerify(token, (header) => keyFor(vault, header.kid), {
      algorithms: [algorithm],
      issuer,
      typ: 'at+jwt',
      currentDate: now,
      requiredClaims: ['exp', 'kind', 'aud'],
    })
    const resource = payload.aud as string
    if (payload.kind !== 'program' && resource !== issuer) throw new Error('is for another resource')
    return { claims: payload as unknown as TokenClaims, resource, expiresAt: new Date((payload.exp as number) * 1000) }
  } catch {
    throw refuse('auth.token_invalid')
  }
}

function keyFor(vault: Vault, keyId: string | undefined): Uint8Array {
  const key = vault.signingKey(keyId ?? '')
  if (!key) throw new Error('signed with a key we do not have')
  return key
}
