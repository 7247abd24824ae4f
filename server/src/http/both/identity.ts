import Type, { type Static } from 'typebox'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import type { SessionId } from '../../kernel/ids.ts'
import { identityEndpoints as endpoints } from '../endpoints/identity.ts'
import { JsonText } from '../envelope.ts'
import {
  Country,
  Email,
  Fields,
  Instant,
  List,
  Maybe,
  ModeField,
  Named,
  OneOf,
  OrganisationName,
  PersonName,
  Secret,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'
import { Tokens, toTokens } from '../tokens.ts'

const Password = Secret(8, 128)
/** A password that is only compared may be of any length that someone once could choose. */
const GivenPassword = Secret(1, 128)
const EmailCode = Type.String({ pattern: '^[0-9]{6}$', explanation: 'must be the six digits from the mail' })
const FactorCode = Text(6, 16)

const Me = Named('Me', {
  principal: OneOf('user', 'api_key'),
  user: Type.Optional(
    Fields({
      id: Uuid,
      email: Type.String(),
      firstName: Type.String(),
      lastName: Type.String(),
      emailVerified: Type.Boolean(),
      totpEnabled: Type.Boolean(),
    }),
  ),
  apiKey: Type.Optional(Fields({ id: Uuid, name: Type.String() })),
  organizationId: Maybe(Uuid),
  role: Type.Optional(Type.String()),
  capabilities: List(Type.String()),
  mode: ModeField,
})

function toMe(caller: TokenCaller) {
  const { organisationId, mode } = caller.tenant
  const shared = {
    organizationId: organisationId === noOrganisation ? null : organisationId,
    capabilities: [...caller.capabilities].sort(),
    mode,
  }
  if (caller.kind === 'api_key')
    return { principal: 'api_key' as const, apiKey: { id: caller.keyId, name: caller.name }, ...shared }
  const { userId: id, email, firstName, lastName, emailVerified, totpEnabled } = caller
  return {
    principal: 'user' as const,
    user: { id, email, firstName, lastName, emailVerified, totpEnabled },
    ...(caller.role ? { role: caller.role.name } : {}),
    ...shared,
  }
}

/** A caller is the same value for as long as it is remembered, and so is what we say of it. */
const told = new WeakMap<TokenCaller, JsonText>()
function meOf(caller: TokenCaller): JsonText {
  let me = told.get(caller)
  if (!me) {
    me = new JsonText(toMe(caller) satisfies Static<typeof Me>)
    told.set(caller, me)
  }
  return me
}

const SessionView = Named('Session', {
  id: Uuid,
  current: Type.Boolean(),
  organizationId: Maybe(Uuid),
  mode: ModeField,
  address: Type.String(),
  userAgent: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
})

const EmailOnly = Fields({ email: Email() })

/** `/a/v1/auth`: the same words in both forms. */
export const identity = {
  register: speak(endpoints.register, {
    status: 201,
    body: Fields({
      email: Email(),
      password: Password,
      firstName: PersonName(1, 100),
      lastName: PersonName(1, 100),
      organizationName: OrganisationName(1, 255),
      country: Country,
    }),
    reply: Fields({ email: Type.String(), emailVerified: Type.Boolean() }),
    decode: ({ body }) => body,
    encode: (registered) => registered,
  }),
  verifyEmail: speak(endpoints.verifyEmail, {
    status: 200,
    body: Fields({ email: Email(), code: EmailCode }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  resendVerification: speak(endpoints.resendVerification, {
    status: 200,
    body: EmailOnly,
    reply: EmailOnly,
    decode: ({ body }) => body,
    encode: (sent) => sent,
  }),
  logIn: speak(endpoints.logIn, {
    status: 200,
    body: Fields({
      email: Email(),
      password: GivenPassword,
      code: Type.Optional(FactorCode),
      mode: Type.Optional(ModeField),
    }),
    reply: Tokens,
    decode: ({ body }) => ({ ...body, mode: body.mode ?? 'sandbox' }),
    encode: toTokens,
  }),
  refreshSession: speak(endpoints.refreshSession, {
    status: 200,
    body: Fields({ refreshToken: Secret(1, 256) }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  logOut: speak(endpoints.logOut, {
    status: 200,
    reply: Fields({ ended: Type.Boolean() }),
    decode: () => undefined,
    encode: (done) => done,
  }),
  whoAmI: speak(endpoints.whoAmI, { status: 200, reply: Me, decode: () => undefined, encode: meOf }),
  listSessions: speak(endpoints.listSessions, {
    status: 200,
    reply: List(SessionView),
    decode: () => undefined,
    encode: (sessions) =>
      sessions.map(({ id, current, organisationId, mode, address, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        current,
        organizationId: organisationId,
        mode,
        address,
        userAgent,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    pagination: (sessions) => ({ page: 1, limit: Math.max(1, sessions.length), total: sessions.length }),
  }),
  endSession: speak(endpoints.endSession, {
    status: 200,
    params: Fields({ id: Uuid }),
    reply: Fields({ id: Uuid, ended: Type.Boolean() }),
    decode: ({ params }) => ({ id: params.id as SessionId }),
    encode: (done) => done,
  }),
  switchMode: speak(endpoints.switchMode, {
    status: 200,
    body: Fields({ mode: ModeField }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  enrolTotp: speak(endpoints.enrolTotp, {
    status: 200,
    body: Fields({ password: GivenPassword }),
    reply: Fields({ secret: Type.String(), uri: Type.String() }),
    decode: ({ body }) => body,
    encode: (enrolment) => enrolment,
  }),
  confirmTotp: speak(endpoints.confirmTotp, {
    status: 200,
    body: Fields({ code: FactorCode }),
    reply: Fields({ recoveryCodes: List(Type.String()) }),
    decode: ({ body }) => body,
    encode: (confirmed) => confirmed,
  }),
  disableTotp: speak(endpoints.disableTotp, {
    status: 200,
    body: Fields({ password: GivenPassword, code: FactorCode }),
    reply: Fields({ totpEnabled: Type.Boolean() }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  forgotPassword: speak(endpoints.forgotPassword, {
    status: 200,
    body: EmailOnly,
    reply: EmailOnly,
    decode: ({ body }) => body,
    encode: (sent) => sent,
  }),
  resetPassword: speak(endpoints.resetPassword, {
    status: 200,
    body: Fields({ email: Email(), code: EmailCode, password: Password }),
    reply: Fields({ passwordChanged: Type.Boolean() }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  changePassword: speak(endpoints.changePassword, {
    status: 200,
    body: Fields({ currentPassword: GivenPassword, newPassword: Password }),
    reply: Fields({ passwordChanged: Type.Boolean(), sessionsEnded: Type.Integer() }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  issueKeyToken: speak(endpoints.issueKeyToken, {
    status: 200,
    reply: Fields({
      accessToken: Type.String(),
      tokenType: Type.Literal('Bearer'),
      expiresIn: Type.Integer(),
      organizationId: Uuid,
      mode: ModeField,
    }),
    decode: () => undefined,
    encode: ({ accessToken, expiresIn, organisationId, mode }) => ({
      accessToken,
      tokenType: 'Bearer' as const,
      expiresIn,
      organizationId: organisationId,
      mode,
    }),
  }),
}
