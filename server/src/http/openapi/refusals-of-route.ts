import type { RefusalName } from '../../kernel/refusals.ts'
import { capabilitiesOf } from '../../platform/operations/operation.ts'
import type { Route } from '../definitions/describe-route.ts'
import type { Form } from '../definitions/form.ts'
import { honoursIdempotencyKey } from '../request/idempotency-key.ts'
import type { JsonSchema } from './document.ts'
import { honoursIfNoneMatch, namesInPath } from './parameters.ts'

/** Each status of a route with its refusals; a success has none. */
export function documentedStatuses(form: Form, route: Route): ReadonlyMap<number, readonly RefusalName[]> {
  const found = new Map<number, RefusalName[]>(route.statuses.map((status) => [status, []]))
  if (honoursIfNoneMatch(route)) found.set(304, [])
  for (const refusal of refusalsOf(route)) {
    const { status } = form.answers[refusal]
    found.set(status, [...(found.get(status) ?? []), refusal])
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}

function refusalsOf(route: Route): ReadonlySet<RefusalName> {
  const { who, unverified, operation } = route.definition
  const params = (route.params as JsonSchema | undefined)?.properties ?? {}
  const idempotent = honoursIdempotencyKey(route)
  const when = (holds: boolean, ...names: RefusalName[]): RefusalName[] => (holds ? names : [])
  return new Set<RefusalName>([
    ...when(who !== 'public', 'auth.token_missing', 'auth.token_invalid', 'auth.token_outdated'),
    ...when(who === 'user' || who === 'user_or_program', 'auth.users_only'),
    ...when(who === 'key', 'auth.keys_only'),
    ...when(who !== 'public' && who !== 'key' && !unverified, 'auth.email_unverified'),
    ...when(capabilitiesOf(operation.needs).length > 0, 'auth.capability_missing'),
    ...when(operation.liveOnly === true, 'live_mode.session_needed'),
    // Even a route without input refuses an unknown query or body.
    'request.invalid',
    ...when(route.method !== 'GET', 'request.malformed', 'request.not_json', 'request.too_large'),
    ...when(
      namesInPath(route.path).some((name) => isUuid(params[name])),
      'resource.not_found',
    ),
    ...when(idempotent, 'idempotency.body_differs'),
    ...when(route.readsIfMatch, 'version.stale'),
    ...(operation.refuses as readonly RefusalName[]),
    'limit.exceeded',
    'dependency.unavailable',
  ])
}

/** A malformed id is not found. */
const isUuid = (schema: JsonSchema | undefined): boolean => ['uuid', 'uuid-or-me'].includes(String(schema?.format))
