import Type from 'typebox'
import type { TokenPair } from '../modules/identity/index.ts'
import { Maybe, ModeField, Named, Uuid } from './fields.ts'

export const Tokens = Named('Tokens', {
  accessToken: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'seconds' }),
  organizationId: Maybe(Uuid),
  mode: ModeField,
})

export const toTokens = ({ accessToken, refreshToken, expiresIn, organisationId, mode }: TokenPair) => ({
  accessToken,
  refreshToken,
  tokenType: 'Bearer' as const,
  expiresIn,
  organizationId: organisationId,
  mode,
})
