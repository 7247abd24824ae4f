import Type from 'typebox'
import type { TokenPair } from '../../modules/identity/index.ts'
import { Maybe, ModeField, means, Named, Uuid } from './fields.ts'

export const Tokens = Named('Tokens', {
  accessToken: means('Access token, sent as `Authorization: Bearer …`.', Type.String()),
  refreshToken: means('Refresh token. It buys one new pair of tokens and then stops working.', Type.String()),
  tokenType: means('How the access token is sent. Always `Bearer`.', Type.Literal('Bearer')),
  expiresIn: Type.Integer({ description: 'Seconds until the access token expires, counted from this reply.' }),
  organizationId: means(
    'Unique identifier of the organisation that the tokens act for. Null if you belong to none.',
    Maybe(Uuid),
  ),
  mode: means('Mode that the tokens act in.', ModeField),
})

export const toTokens = ({ accessToken, refreshToken, expiresIn, organisationId, mode }: TokenPair) => ({
  accessToken,
  refreshToken,
  tokenType: 'Bearer' as const,
  expiresIn,
  organizationId: organisationId,
  mode,
})
