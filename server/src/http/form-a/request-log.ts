import Type from 'typebox'
import { actorTypes, type FoundRequest, type ReplyError, type RequestId } from '../../modules/request-log/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { requestLogRoutes as routes } from '../routes/request-log.ts'

const view = {
  id: means('Unique identifier of the entry (UUIDv7).', Uuid),
  answeredAt: means('When the reply was sent.', Instant),
  method: means('HTTP method of the request.', Type.String()),
  path: means('Path and query of the request. Values of secret parameters are left out.', Type.String()),
  route: means('Path as the reference lists it. Null if there is no such route.', Maybe(Type.String())),
  status: means('HTTP status of the reply.', Type.Integer()),
  code: means('Error code of the reply. Null if the request succeeded.', Maybe(Type.String())),
  reason: means(
    'Finer name of the error, as the header `Risiti-Reason` had it. Null if there was none.',
    Maybe(Type.String()),
  ),
  durationMs: means('Milliseconds that the reply took.', Type.Number({ minimum: 0 })),
  actor: means(
    'Person or API key whose token came with the request.',
    Named('RequestActor', {
      type: means('Kind of actor: a person (`user`) or an API key (`api_key`).', OneOf(...actorTypes)),
      id: means('Unique identifier of the person or the API key.', Uuid),
      name: means('Email address of the person, or name of the API key.', Type.String()),
      hint: means('Beginning and last four characters of the API key. Null for a person.', Maybe(Type.String())),
    }),
  ),
  requestId: means('Id of the request, as the header `X-Request-Id` had it.', Type.String()),
  address: means('IP address that the request came from.', Type.String()),
}
const RequestView = Named('LoggedRequest', view)
const WholeRequestView = Named('WholeLoggedRequest', {
  ...view,
  userAgent: means('Name of the program that sent the request, as its `User-Agent` header gave it.', Type.String()),
  refusal: means(
    'Error in the reply. Null if the request succeeded.',
    Maybe(
      Named('LoggedRefusal', {
        message: means('Error message of the reply.', Type.String()),
        faults: means(
          'The first twenty fields that were wrong.',
          List(
            Named('LoggedFault', {
              path: means('Path of the field, such as `lineItems[2].quantity`.', Type.String()),
              rule: means('Name of the rule that the field breaks.', Type.String()),
              message: means('What is wrong with the field, in words.', Type.String()),
            }),
          ),
        ),
      }),
    ),
  ),
})

/** The router writes `:id` where documents write `{id}`. */
const asListed = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

const errorOf = ({ error }: FoundRequest): ReplyError | undefined =>
  error === null ? undefined : (JSON.parse(error) as ReplyError)

const toView = (found: FoundRequest) => ({
  id: found.id,
  answeredAt: found.answeredAt.toISOString(),
  method: found.method,
  path: found.path,
  route: found.route === null ? null : asListed(found.route),
  status: found.status,
  code: errorOf(found)?.code ?? null,
  reason: found.reason,
  durationMs: found.durationMs,
  actor: { type: found.actorType, id: found.actorId, name: found.actorName, hint: found.keyHint },
  requestId: found.requestId,
  address: found.address,
})

function toWhole(found: FoundRequest) {
  const replyError = errorOf(found)
  const refusal = replyError && {
    message: replyError.message,
    faults: (replyError.details ?? []).map((fault) => ({ ...fault })),
  }
  return { ...toView(found), userAgent: found.userAgent, refusal: refusal ?? null }
}

const classes = { '2xx': [200, 299], '3xx': [300, 399], '4xx': [400, 499], '5xx': [500, 599] } as const
const classNames = Object.keys(classes) as (keyof typeof classes)[]

export const requestLog = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(means('Return only requests whose status begins with this digit.', OneOf(...classNames))),
      method: Type.Optional(
        means('Return only requests with this method.', OneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')),
      ),
      by: Type.Optional(
        means('Return only requests of people (`user`), or of API keys (`api_key`).', OneOf(...actorTypes)),
      ),
      keyId: Type.Optional(means('Return only requests with this API key.', Uuid)),
      path: Type.Optional(means('Return only requests with this text somewhere in their path.', Text(1, 200))),
      requestId: Type.Optional(means('Return only the request with this id.', Text(1, 64))),
      from: Type.Optional(means('Return only requests that were answered at or after this time.', Instant)),
      to: Type.Optional(means('Return only requests that were answered before this time.', Instant)),
    }),
    reply: List(RequestView),
    decode: ({ query: { status, method, by, keyId, path, requestId, from, to, ...page } }) => ({
      statuses: status && classes[status],
      method,
      actorType: by,
      actorId: keyId,
      path,
      requestId,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      page: pageFrom(page),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: Fields({ id: means('Unique identifier of the entry.', Uuid) }),
    reply: WholeRequestView,
    decode: ({ params }) => ({ id: params.id as RequestId }),
    encode: toWhole,
  }),
}
