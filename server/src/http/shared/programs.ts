import Type, { type Static } from 'typebox'
import { type Capability, programCapabilities } from '../../kernel/capabilities.ts'
import type { OrganisationId, ProgramId } from '../../kernel/ids.ts'
import { modes } from '../../kernel/tenant.ts'
import { programViews } from '../../modules/programs/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  ModeField,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { programRoutes as routes } from '../routes/programs.ts'

const Capabilities = Type.Array(OneOf(...programCapabilities), {
  minItems: 1,
  maxItems: programCapabilities.length,
  uniqueItems: true,
})
const Names = List(Type.String())

const ProgramView = Named('ProgramIdentity', {
  clientId: means('Name by which the program asks: of its own choice, or the address of its document.', Type.String()),
  name: means('Name of the program, as it gave it. Nobody has checked it.', Type.String()),
  host: means(
    'Host whose document describes the program. Null for Risiti’s own programs, and for programs that nobody vouches for.',
    Maybe(Type.String()),
  ),
  isBuiltIn: means('True for a program of Risiti.', Type.Boolean()),
})

const toProgram = ({ clientId, name, host }: programViews.ProgramIdentity) => ({
  clientId,
  name,
  host,
  isBuiltIn: programViews.isOwnClient({ clientId }),
})

const resourceField = means(
  'What the tokens of the program are for: the whole API (`api`), or the tools at `/mcp` alone (`mcp`). There each change is confirmed.',
  OneOf('api', 'mcp'),
)

const RequestView = Named('ProgramRequest', {
  id: means('Unique identifier of the request (UUIDv7).', Uuid),
  kind: means(
    'How the program gets your answer: through your browser (`redirect`), or because it shows a code and asks for it (`device`).',
    OneOf('redirect', 'device'),
  ),
  program: means('The program that asks.', ProgramView),
  resource: resourceField,
  redirectHost: means(
    'Host to which your browser goes with the answer. Null if the program shows a code.',
    Maybe(Type.String()),
  ),
  askedFrom: means(
    'Where the program runs that shows the code. Null if the answer goes through your browser.',
    Maybe(
      Named('AskedFrom', {
        address: means('IP address of the program.', Type.String()),
        userAgent: means('Name of the program, as its `User-Agent` header gave it.', Type.String()),
      }),
    ),
  ),
  requestedCapabilities: means('Names of the capabilities that the program asks for.', Names),
  organizations: means(
    'The organisations in which you are active. You choose one of them.',
    List(
      Named('ProgramChoice', {
        id: means('Unique identifier of the organisation.', Uuid),
        name: means('Name of the organisation.', Type.String()),
        modes: means('The modes that you can choose.', List(ModeField)),
        capabilities: means('Names of the capabilities that you can give a program there.', Names),
      }),
    ),
  ),
  expiresAt: means('Until when you can answer.', Instant),
})

const hostIn = (uri: string): string => URL.parse(uri)?.host || uri

function toRequest({ id, program, resource, capabilities, answer, choices, expiresAt }: programViews.ShownRequest) {
  return {
    id,
    kind: answer.kind,
    program: toProgram(program),
    resource: programViews.kindOfResource(resource),
    redirectHost: answer.kind === 'redirect' ? hostIn(answer.redirectUri) : null,
    askedFrom: answer.kind === 'device' ? { address: answer.askedAddress, userAgent: answer.askedUserAgent } : null,
    requestedCapabilities: [...capabilities],
    organizations: choices.map(({ organisationId, name, capabilities: held }) => ({
      id: organisationId,
      name,
      modes: [...modes],
      capabilities: [...held],
    })),
    expiresAt: expiresAt.toISOString(),
  }
}

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Limits = Named(
  'SpendingLimits',
  {
    amountMinorPerChange: means(
      'The most that one change may commit, in minor units. Null for no limit.',
      Maybe(Amount),
    ),
    amountMinorPerDay: means(
      'The most that the changes of a day may commit, in minor units. Null for no limit.',
      Maybe(Amount),
    ),
    currency: means(
      'Currency of the amounts, as its ISO 4217 code. With an amount, the program cannot commit money in other currencies. Null without amounts.',
      Maybe(Type.String({ pattern: '^[A-Z]{3}$', explanation: 'must be a currency code such as NGN' })),
    ),
    changesPerDay: means(
      'The most changes on a day of the organisation’s calendar. Null for no limit.',
      Maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    ),
  },
  { description: 'The most that a program may do by itself. Only programs for `/mcp` can have limits.' },
)

const minorOrNull = (amount: number | null): bigint | null => (amount === null ? null : BigInt(amount))
const numberOrNull = (amount: bigint | null): number | null => (amount === null ? null : Number(amount))

const toLimits = ({ mostPerChange, mostPerDay, currency, mostChangesPerDay }: programViews.SpendingLimits) => ({
  amountMinorPerChange: numberOrNull(mostPerChange),
  amountMinorPerDay: numberOrNull(mostPerDay),
  currency,
  changesPerDay: mostChangesPerDay,
})

const fromLimits = (limits: Static<typeof Limits>): programViews.SpendingLimits => ({
  mostPerChange: minorOrNull(limits.amountMinorPerChange),
  mostPerDay: minorOrNull(limits.amountMinorPerDay),
  currency: limits.currency,
  mostChangesPerDay: limits.changesPerDay,
})

const spentField = means(
  'What the program confirmed today, by the calendar of the organisation.',
  Named('ProgramSpending', {
    amountMinor: means('In minor units of the currency of the limits. 0 without an amount in the limits.', MinorUnits),
    changes: means('Number of confirmed changes.', Type.Integer({ minimum: 0 })),
  }),
)
const expiresField = means('When the program stops working unless it gets a token before.', Instant)

const toSpent = ({ spentToday: { amountMinor, changes } }: programViews.ShownProgram) => ({
  amountMinor: Number(amountMinor),
  changes,
})

/** What a connected program learns about itself. */
export const ownProgramFields = {
  id: means('Unique identifier of the connected program (UUIDv7).', Uuid),
  name: means('Name of the program, as it gave it.', Type.String()),
  userId: means('Unique identifier of the person for whom the program acts.', Uuid),
  email: means('Email address of this person.', Type.String()),
  organizationName: means('Name of the organisation in which the program acts.', Type.String()),
  resource: resourceField,
  limits: means('The limits that the person set. Only programs for `/mcp` can have limits.', Limits),
  limitsInWords: means('The limits and what they leave today, a sentence for each limit. Empty without limits.', Names),
  spentToday: spentField,
  expiresAt: expiresField,
}

export const toOwnProgram = (program: programViews.ShownProgram, email: string) => ({
  id: program.id,
  name: program.name,
  userId: program.userId,
  email,
  organizationName: program.organisationName,
  resource: programViews.kindOfResource(program.resource),
  limits: toLimits(program),
  limitsInWords: [...program.limitsInWords],
  spentToday: toSpent(program),
  expiresAt: program.expiresAt.toISOString(),
})

const ConnectedView = Named('ConnectedProgram', {
  id: means('Unique identifier of the connected program (UUIDv7).', Uuid),
  program: means('The program that was connected.', ProgramView),
  person: means(
    'The person who connected the program, and for whom it acts.',
    Named('ProgramPerson', {
      id: means('Unique identifier of the person.', Uuid),
      name: means('First and last name of the person.', Type.String()),
    }),
  ),
  organizationId: means('Unique identifier of the organisation in which the program acts.', Uuid),
  organizationName: means('Name of this organisation.', Type.String()),
  mode: means('Mode in which the program acts.', ModeField),
  resource: resourceField,
  capabilities: means('Names of the capabilities that the program has, as far as the person holds them.', Names),
  limits: means('The limits that the person set.', Limits),
  spentToday: spentField,
  createdAt: means('When the person connected the program.', Instant),
  lastUsedAt: means(
    'When the program last got a token, which it needs every 15 minutes. Null if it never did.',
    Maybe(Instant),
  ),
  expiresAt: expiresField,
})

const toConnected = (program: programViews.ShownProgram) => ({
  id: program.id,
  program: toProgram(program),
  person: { id: program.userId, name: program.personName },
  organizationId: program.organisationId,
  organizationName: program.organisationName,
  mode: program.mode,
  resource: programViews.kindOfResource(program.resource),
  capabilities: [...program.capabilities],
  limits: toLimits(program),
  spentToday: toSpent(program),
  createdAt: program.createdAt.toISOString(),
  lastUsedAt: isoOrNull(program.lastUsedAt),
  expiresAt: program.expiresAt.toISOString(),
})

const RequestById = Fields({ id: means('Unique identifier of the request, from the address of the page.', Uuid) })
const ProgramById = Fields({ id: means('Unique identifier of the connected program.', Uuid) })

const Answered = Named('ProgramRequestAnswer', {
  redirectTo: means(
    'Address to which your browser goes with the answer. Null if the program asks for the answer itself.',
    Maybe(Type.String()),
  ),
})

export const programs = {
  getRequest: describeRoute(routes.getRequest, {
    status: 200,
    params: RequestById,
    reply: RequestView,
    decode: ({ params }) => ({ id: params.id as programViews.ProgramRequestId }),
    encode: toRequest,
  }),
  findRequest: describeRoute(routes.findRequest, {
    status: 200,
    body: Fields({
      userCode: means(
        'The code that the program shows, such as `BCDF-GHJK`. Case and hyphens do not matter.',
        Text(1, 20),
      ),
    }),
    reply: RequestView,
    decode: ({ body }) => body,
    encode: toRequest,
  }),
  approveRequest: describeRoute(routes.approveRequest, {
    status: 200,
    params: RequestById,
    body: Named('ProgramApproval', {
      organizationId: means('Unique identifier of the organisation in which the program may act.', Uuid),
      mode: means('Mode in which the program may act.', ModeField),
      capabilities: means(
        'Names of the capabilities that the program gets: those that it asks for, or fewer.',
        Capabilities,
      ),
      limits: means('Limits of the program.', Limits),
    }),
    reply: Answered,
    decode: ({ params, body }) => ({
      id: params.id as programViews.ProgramRequestId,
      organisationId: body.organizationId as OrganisationId,
      mode: body.mode,
      capabilities: body.capabilities as Capability[],
      ...fromLimits(body.limits),
    }),
    encode: (answered) => answered,
  }),
  denyRequest: describeRoute(routes.denyRequest, {
    status: 200,
    params: RequestById,
    reply: Answered,
    decode: ({ params }) => ({ id: params.id as programViews.ProgramRequestId }),
    encode: (answered) => answered,
  }),
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      scope: Type.Optional(
        means(
          '`own` (the default): your programs in all organisations. `organization`: those of all members of the organisation of your session. `others`: the same without yours. The last two need `api_key.read`.',
          OneOf('own', 'organization', 'others'),
        ),
      ),
    }),
    reply: List(ConnectedView),
    decode: ({ query }) => ({
      scope: query.scope === 'organization' ? ('organisation' as const) : (query.scope ?? 'own'),
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toConnected),
    pagination: (page) => page,
  }),
  change: describeRoute(routes.change, {
    status: 200,
    params: ProgramById,
    body: Named('ConnectedProgramChange', {
      capabilities: Type.Optional(
        means('Names of the capabilities that the program keeps. It cannot get new ones.', Capabilities),
      ),
      limits: Type.Optional(means('All limits of the program from now on.', Limits)),
    }),
    reply: ConnectedView,
    decode: ({ params, body }) => ({
      id: params.id as ProgramId,
      capabilities: body.capabilities as Capability[] | undefined,
      limits: body.limits && fromLimits(body.limits),
    }),
    encode: toConnected,
  }),
  revoke: describeRoute(routes.revoke, {
    status: 200,
    params: ProgramById,
    reply: Fields({
      id: means('Unique identifier of the program that was disconnected.', Uuid),
      revoked: means('Always true. The program and its tokens no longer work.', Type.Boolean()),
    }),
    decode: ({ params }) => ({ id: params.id as ProgramId }),
    encode: (done) => done,
  }),
}
