import Type from 'typebox'
import { actorTypes, type FoundRequest, type RequestId, type SaidError } from '../../modules/request-log/index.ts'
import { requestLogEndpoints as endpoints } from '../endpoints/request-log.ts'
import { Fields, Instant, List, Maybe, means, Named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { speak } from '../speak.ts'

const view = {
  id: Uuid,
  answeredAt: means('when it was answered', Instant),
  method: means('the verb of the request', Type.String()),
  path: means(
    'the address as it was asked for, with its query; what is called a secret there is left out',
    Type.String(),
  ),
  route: means('the address as the reference lists it; none where nothing is served', Maybe(Type.String())),
  status: means('the status of the answer', Type.Integer()),
  code: means('the code of the error, where it was refused', Maybe(Type.String())),
  reason: means('the finer name of the error, as `Risiti-Reason` told it', Maybe(Type.String())),
  durationMs: means('how long the answer took, in milliseconds', Type.Number({ minimum: 0 })),
  actor: means(
    'whose token came with it',
    Named('RequestActor', {
      type: means('a person, or a program with a key', OneOf(...actorTypes)),
      id: Uuid,
      name: means('the email address of the person, or the name of the key', Type.String()),
      hint: means('the ends of the key', Maybe(Type.String())),
    }),
  ),
  requestId: means('the id of the request, as `X-Request-Id` told it', Type.String()),
  address: means('the network address that it came from', Type.String()),
}
const RequestView = Named('LoggedRequest', view)
const WholeRequestView = Named('WholeLoggedRequest', {
  ...view,
  userAgent: means('what the program called itself', Type.String()),
  refusal: means(
    'what was said, where it was refused',
    Maybe(
      Named('LoggedRefusal', {
        message: means('in words', Type.String()),
        faults: means(
          'what was wrong, field by field; the first twenty',
          List(
            Named('LoggedFault', {
              path: means('the field', Type.String()),
              rule: means('the rule that it breaks', Type.String()),
              message: means('in words', Type.String()),
            }),
          ),
        ),
      }),
    ),
  ),
})

/** The router writes `:id` where documents write `{id}`. */
const asListed = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

const errorOf = ({ error }: FoundRequest): SaidError | undefined =>
  error === null ? undefined : (JSON.parse(error) as SaidError)

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
  const said = errorOf(found)
  const refusal = said && { message: said.message, faults: (said.details ?? []).map((fault) => ({ ...fault })) }
  return { ...toView(found), userAgent: found.userAgent, refusal: refusal ?? null }
}

const classes = { '2xx': [200, 299], '3xx': [300, 399], '4xx': [400, 499], '5xx': [500, 599] } as const
const classNames = Object.keys(classes) as (keyof typeof classes)[]

export const requestLog = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(means('only those answered so', OneOf(...classNames))),
      method: Type.Optional(means('only those with this verb', OneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'))),
      by: Type.Optional(means('only those of people, or of keys', OneOf(...actorTypes))),
      keyId: Type.Optional(means('only those with this key', Uuid)),
      path: Type.Optional(means('only those with this somewhere in their address', Text(1, 200))),
      requestId: Type.Optional(means('only the one with this id', Text(1, 64))),
      from: Type.Optional(means('only those answered then or later', Instant)),
      to: Type.Optional(means('only those answered before', Instant)),
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
  get: speak(endpoints.get, {
    status: 200,
    params: Fields({ id: Uuid }),
    reply: WholeRequestView,
    decode: ({ params }) => ({ id: params.id as RequestId }),
    encode: toWhole,
  }),
}
