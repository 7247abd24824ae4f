/** The error codes of RFC 6749, 7591, 8628 and 8707. */
export type OAuthErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** The answer to a program. It is a result and no refusal, because what was written before it must stay. */
export interface OAuthError {
  readonly error: OAuthErrorName
  readonly description: string
}

export const oauthError = (error: OAuthErrorName, description: string): OAuthError => ({ error, description })

export const isOAuthError = (value: object | undefined): value is OAuthError =>
  value !== undefined && 'error' in value && 'description' in value
