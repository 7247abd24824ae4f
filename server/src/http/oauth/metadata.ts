import { programCapabilities } from '../../kernel/capabilities.ts'

export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
} as const

export const paths = {
  authorize: '/oauth/authorize',
  device: '/oauth/device_authorization',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
  mcpResource: '/.well-known/oauth-protected-resource/mcp',
} as const

/** What programs need to know to sign in (RFC 8414). */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${paths.authorize}`,
  device_authorization_endpoint: `${issuer}${paths.device}`,
  token_endpoint: `${issuer}${paths.token}`,
  revocation_endpoint: `${issuer}${paths.revoke}`,
  registration_endpoint: `${issuer}${paths.register}`,
  scopes_supported: programCapabilities,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: Object.values(grantTypes),
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/guides/programs`,
})

/** Which server gives tokens for a resource of ours (RFC 9728). */
export const resourceMetadata = (issuer: string, path: '' | '/mcp') => ({
  resource: `${issuer}${path}`,
  resource_name: path === '/mcp' ? 'Risiti tools for assistants' : 'Risiti API',
  authorization_servers: [issuer],
  scopes_supported: programCapabilities,
  bearer_methods_supported: ['header'],
})
