import Type, { type Static } from 'typebox'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import type { SessionId } from '../../kernel/ids.ts'
import type { identityOperations } from '../../modules/identity/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Country,
  Email,
  Fields,
  Instant,
  List,
  Maybe,
  ModeField,
  means,
  Named,
  OneOf,
  OrganisationName,
  PersonName,
  Secret,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { Tokens, toTokens } from '../definitions/tokens.ts'
import { JsonText } from '../reply/json-text.ts'
import { identityRoutes as routes } from '../routes/identity.ts'
import { ownProgramFields, toOwnProgram } from './programs.ts'

const Password = Secret(8, 128)
/** A password that is only compared may have any length that was ever allowed. */
const GivenPassword = Secret(1, 128)
const EmailCode = Type.String({ pattern: '^[0-9]{6}$', explanation: 'must be the six digits from the mail' })
const FactorCode = Text(6, 16)

const Me = Named('Me', {
  principal: means(
    'Who sends the request: a signed-in person (`user`), a program with an API key (`api_key`), or a program that a person connected (`program`).',
    OneOf('user', 'api_key', 'program'),
  ),
  user: means(
    'The person who is signed in. Absent for an API key and for a connected program.',
    Type.Optional(
      Fields({
        id: means('Unique identifier of the person (UUIDv7).', Uuid),
        email: means('Email address that the person signs in with.', Type.String()),
        firstName: means('First name of the person.', Type.String()),
        lastName: means('Last name of the person.', Type.String()),
        emailVerified: means('True once the person has proved that the email address is theirs.', Type.Boolean()),
        totpEnabled: means('True if signing in asks for a code of an authenticator app.', Type.Boolean()),
      }),
    ),
  ),
  apiKey: Type.Optional(
    means(
      'The API key that sends the request. Absent for everybody else.',
      Fields({
        id: means('Unique identifier of the API key (UUIDv7).', Uuid),
        name: means('Name of the API key, as its maker chose it.', Type.String()),
      }),
    ),
  ),
  program: Type.Optional(
    means('The connected program that sends the request. Absent for everybody else.', Fields(ownProgramFields)),
  ),
  organizationId: means(
    'Unique identifier of the organisation that the token acts for. Null if the person belongs to none.',
    Maybe(Uuid),
  ),
  role: Type.Optional(
    means('Name of the role of the person in the organisation, such as `ADMIN`. Absent for an API key.', Type.String()),
  ),
  capabilities: means('Everything that the token may do, by name, in alphabetical order.', List(Type.String())),
  mode: means('Mode that the token acts in.', ModeField),
})

type Identity = Awaited<ReturnType<typeof identityOperations.whoAmI.body>>

function toMe({ caller, program: own }: Identity): Static<typeof Me> {
  const { organisationId, mode } = caller.tenant
  const shared = {
    organizationId: organisationId === noOrganisation ? null : organisationId,
    capabilities: [...caller.capabilities].sort(),
    mode,
  }
  if (caller.kind === 'api_key')
    return { principal: 'api_key' as const, apiKey: { id: caller.keyId, name: caller.name }, ...shared }
  if (own) {
    const program = toOwnProgram(own, caller.email)
    return { principal: 'program' as const, program, role: caller.role.name, ...shared }
  }
  const { userId: id, email, firstName, lastName, emailVerified, totpEnabled } = caller
  return {
    principal: 'user' as const,
    user: { id, email, firstName, lastName, emailVerified, totpEnabled },
    ...(caller.role ? { role: caller.role.name } : {}),
    ...shared,
  }
}

/** Cached per caller, because the value of a caller never changes. What a program has spent does. */
const cached = new WeakMap<TokenCaller, JsonText>()
function meOf(identity: Identity): JsonText {
  const { caller, program } = identity
  let me = cached.get(caller)
  if (!me) {
    me = new JsonText(toMe(identity))
    if (!program) cached.set(caller, me)
  }
  return me
}

const SessionView = Named('Session', {
  id: means('Unique identifier of the session (UUIDv7).', Uuid),
  current: means('True for the session that sends this request.', Type.Boolean()),
  organizationId: means(
    'Unique identifier of the organisation that the session acts for. Null if the person belongs to none.',
    Maybe(Uuid),
  ),
  mode: means('Mode that the session acts in.', ModeField),
  address: means('IP address that the person signed in from.', Type.String()),
  userAgent: means('Name of the program that signed in, as its `User-Agent` header gave it.', Type.String()),
  createdAt: means('When the person signed in.', Instant),
  lastUsedAt: means('When the session was last refreshed.', Instant),
  expiresAt: means('When the session ends unless it is refreshed. Each refresh moves it 30 days on.', Instant),
})

const EmailOnly = Fields({ email: means('Email address of the account.', Email()) })

/** `/a/v1/auth`, the same in both forms. */
export const identity = {
  register: describeRoute(routes.register, {
    status: 201,
    body: Fields({
      email: means('Email address to sign in with. A six-digit code is sent to it.', Email()),
      password: means('Password, 8 to 128 characters. Passwords that are often used are refused.', Password),
      firstName: means('First name of the person.', PersonName(1, 100)),
      lastName: means('Last name of the person.', PersonName(1, 100)),
      organizationName: means('Name of the business that is registered with the person.', OrganisationName(1, 255)),
      country: means('Country of the business.', Country),
    }),
    reply: Fields({
      email: means('Email address that the code was sent to.', Type.String()),
      emailVerified: means('Always false. The address is verified with the code from the mail.', Type.Boolean()),
    }),
    decode: ({ body }) => body,
    encode: (registered) => registered,
  }),
  verifyEmail: describeRoute(routes.verifyEmail, {
    status: 200,
    body: Fields({
      email: means('Email address that was registered.', Email()),
      code: means('Six-digit code from the mail. It works once, for 15 minutes and five attempts.', EmailCode),
    }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  resendVerification: describeRoute(routes.resendVerification, {
    status: 200,
    body: EmailOnly,
    reply: EmailOnly,
    decode: ({ body }) => body,
    encode: (sent) => sent,
  }),
  logIn: describeRoute(routes.logIn, {
    status: 200,
    body: Fields({
      email: means('Email address of the account.', Email()),
      password: means('Password of the account.', GivenPassword),
      code: Type.Optional(
        means(
          'Code of the authenticator app, or a recovery code. Needed if the account has a second factor.',
          FactorCode,
        ),
      ),
      mode: Type.Optional(means('Mode to sign in to. `sandbox` if you leave it out.', ModeField)),
    }),
    reply: Tokens,
    decode: ({ body }) => ({ ...body, mode: body.mode ?? 'sandbox' }),
    encode: toTokens,
  }),
  refreshSession: describeRoute(routes.refreshSession, {
    status: 200,
    body: Fields({ refreshToken: means('Refresh token of the last reply that had one.', Secret(1, 256)) }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  logOut: describeRoute(routes.logOut, {
    status: 200,
    reply: Fields({ ended: means('Always true. The session and its tokens no longer work.', Type.Boolean()) }),
    decode: () => undefined,
    encode: (done) => done,
  }),
  whoAmI: describeRoute(routes.whoAmI, { status: 200, reply: Me, decode: () => undefined, encode: meOf }),
  listSessions: describeRoute(routes.listSessions, {
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
  endSession: describeRoute(routes.endSession, {
    status: 200,
    params: Fields({ id: means('Unique identifier of the session to end.', Uuid) }),
    reply: Fields({
      id: means('Unique identifier of the session that ended.', Uuid),
      ended: means('Always true. The session and its tokens no longer work.', Type.Boolean()),
    }),
    decode: ({ params }) => ({ id: params.id as SessionId }),
    encode: (done) => done,
  }),
  switchMode: describeRoute(routes.switchMode, {
    status: 200,
    body: Fields({ mode: means('Mode to switch the session to.', ModeField) }),
    reply: Tokens,
    decode: ({ body }) => body,
    encode: toTokens,
  }),
  enrolTotp: describeRoute(routes.enrolTotp, {
    status: 200,
    body: Fields({ password: means('Current password of your account.', GivenPassword) }),
    reply: Fields({
      secret: means('Secret to type into an authenticator app that cannot read the QR code.', Type.String()),
      uri: means('`otpauth://` address of the secret. Show it as a QR code to the authenticator app.', Type.String()),
    }),
    decode: ({ body }) => body,
    encode: (enrolment) => enrolment,
  }),
  confirmTotp: describeRoute(routes.confirmTotp, {
    status: 200,
    body: Fields({ code: means('Six-digit code that the authenticator app shows now.', FactorCode) }),
    reply: Fields({
      recoveryCodes: means(
        'Ten codes, shown only once. Each replaces a code of the app one time.',
        List(Type.String()),
      ),
    }),
    decode: ({ body }) => body,
    encode: (confirmed) => confirmed,
  }),
  disableTotp: describeRoute(routes.disableTotp, {
    status: 200,
    body: Fields({
      password: means('Current password of your account.', GivenPassword),
      code: means('Code of the authenticator app, or a recovery code.', FactorCode),
    }),
    reply: Fields({ totpEnabled: means('Always false. Signing in asks for the password alone.', Type.Boolean()) }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  forgotPassword: describeRoute(routes.forgotPassword, {
    status: 200,
    body: EmailOnly,
    reply: EmailOnly,
    decode: ({ body }) => body,
    encode: (sent) => sent,
  }),
  resetPassword: describeRoute(routes.resetPassword, {
    status: 200,
    body: Fields({
      email: means('Email address of the account.', Email()),
      code: means('Six-digit code from the mail.', EmailCode),
      password: means('New password, 8 to 128 characters. Passwords that are often used are refused.', Password),
    }),
    reply: Fields({ passwordChanged: means('Always true. The new password is in force.', Type.Boolean()) }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  changePassword: describeRoute(routes.changePassword, {
    status: 200,
    body: Fields({
      currentPassword: means('Current password of your account.', GivenPassword),
      newPassword: means('New password, 8 to 128 characters. Passwords that are often used are refused.', Password),
    }),
    reply: Fields({
      passwordChanged: means('Always true. The new password is in force.', Type.Boolean()),
      sessionsEnded: means('Number of your other sessions that were ended.', Type.Integer()),
    }),
    decode: ({ body }) => body,
    encode: (done) => done,
  }),
  issueKeyToken: describeRoute(routes.issueKeyToken, {
    status: 200,
    reply: Fields({
      accessToken: means('Access token of the API key, sent as `Authorization: Bearer …`.', Type.String()),
      tokenType: means('How the access token is sent. Always `Bearer`.', Type.Literal('Bearer')),
      expiresIn: means('Seconds until the access token expires, counted from this reply.', Type.Integer()),
      organizationId: means('Unique identifier of the organisation that the API key belongs to.', Uuid),
      mode: means('Mode that the API key works in.', ModeField),
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
