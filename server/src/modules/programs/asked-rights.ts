import { type Capability, programCapabilities } from '../../kernel/capabilities.ts'
import { type OAuthError, oauthError } from './oauth-error.ts'
import { resourceFrom } from './program.ts'

/** The parameters of a request, each sent at most once. */
export type RequestParameters = Readonly<Record<string, string | undefined>>

/** What a program asks for. */
export interface AskedRights {
  readonly capabilities: readonly Capability[]
  readonly resource: string
}

const isForPrograms = (name: string): name is Capability => (programCapabilities as readonly string[]).includes(name)

/** The capabilities in a scope. Without a scope, all that programs may hold: the person then chooses. */
export function capabilitiesIn(scope: string | undefined): readonly Capability[] | OAuthError {
  const names = (scope ?? '').split(' ').filter((name) => name !== '')
  const unknown = names.find((name) => !isForPrograms(name))
  if (unknown !== undefined)
    return oauthError(
      'invalid_scope',
      'The scope has a word that is no capability which programs may hold. See scopes_supported in the metadata.',
    )
  return names.length === 0 ? programCapabilities : programCapabilities.filter((name) => names.includes(name))
}

export function askedRights({ scope, resource }: RequestParameters, issuer: string): AskedRights | OAuthError {
  const known = resourceFrom(resource, issuer)
  if (known === undefined)
    return oauthError('invalid_target', `The resource must be ${issuer} or ${issuer}/mcp. See the metadata.`)
  const capabilities = capabilitiesIn(scope)
  return 'error' in capabilities ? capabilities : { capabilities, resource: known }
}
