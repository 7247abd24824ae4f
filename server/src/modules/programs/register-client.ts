import { randomBytes } from 'node:crypto'
import type { PublicCaller } from '../../kernel/callers.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { areRedirectUris, isProgramName, mostUris, type ProgramClient } from './client.ts'
import { saveClient } from './clients.store.ts'
import { mostClients } from './find-client.ts'
import { type OAuthError, oauthError } from './oauth-error.ts'

type Metadata = Readonly<Record<string, unknown>>

function wrong({ redirect_uris: uris, client_name: name, token_endpoint_auth_method: method }: Metadata) {
  if (!areRedirectUris(uris))
    return oauthError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${mostUris} addresses: https, http on this machine, or a scheme such as com.example.app.`,
    )
  if (typeof name !== 'string' || !isProgramName(name))
    return oauthError(
      'invalid_client_metadata',
      'client_name must be one line of 1 to 80 characters in Latin letters, without addresses and without our name or its look-alikes.',
    )
  if (method !== undefined && method !== 'none')
    return oauthError(
      'invalid_client_metadata',
      'token_endpoint_auth_method must be none: programs use PKCE, not a secret.',
    )
  return undefined
}

/** Stores a program that describes itself. Nobody vouches for its name, and the consent page says so. */
export const registerProgram = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    { tx, now }: Inside<PublicCaller>,
    metadata: Metadata,
  ): Promise<(ProgramClient & { readonly registeredAt: Date }) | OAuthError> => {
    const fault = wrong(metadata)
    if (fault) return fault
    const client = {
      clientId: `program_${randomBytes(16).toString('base64url')}`,
      name: metadata.client_name as string,
      host: null,
      redirectUris: metadata.redirect_uris as string[],
    }
    await saveClient(tx, { ...client, readAt: now }, mostClients)
    return { ...client, registeredAt: now }
  },
)
