import type { PublicCaller, TokenCaller } from '../../kernel/callers.ts'
import { type Capability, missingFrom } from '../../kernel/capabilities.ts'
import { businessDay } from '../../kernel/days.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Needs } from '../../platform/operations/operation.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import type { Moment, Route } from '../definitions/describe-route.ts'
import type { AnyRouteDefinition, Who } from '../definitions/route-definition.ts'

/** Callers over HTTP: sessions, keys and anonymous callers; never our own jobs. */
export type HttpCaller = TokenCaller | PublicCaller

export function requireCapabilities(caller: HttpCaller, wanted: readonly Capability[]): void {
  if (wanted.length === 0 || !('capabilities' in caller)) return
  const missing = missingFrom(caller.capabilities, wanted)
  if (missing.length === 0) return
  throw refuse('auth.capability_missing', {
    details: missing.map((name) => ({ path: name, rule: 'capability', message: `needs the capability ${name}` })),
  })
}

/** The capabilities that a route needs whatever its input is. */
function requireNeeds(caller: TokenCaller, needs: Needs<never>): void {
  requireCapabilities(caller, 'by' in needs ? needs.all : needs)
  if (
    'by' in needs &&
    needs.oneOf.length > 0 &&
    missingFrom(caller.capabilities, needs.oneOf).length === needs.oneOf.length
  )
    requireCapabilities(caller, needs.oneOf)
}

/** The only place that decides which kinds of callers reach a route. */
const callersOf: Readonly<Record<Who, readonly TokenCaller['kind'][]>> = {
  public: ['user', 'api_key', 'program'],
  token: ['user', 'api_key', 'program'],
  user: ['user'],
  user_or_program: ['user', 'program'],
  key: ['api_key'],
}

/** Refuses a caller of the wrong kind, and one that lacks capabilities; before the input is read. */
export function requireRights({ who, unverified, operation }: AnyRouteDefinition, caller: TokenCaller): void {
  if (!callersOf[who].includes(caller.kind)) throw refuse(who === 'key' ? 'auth.keys_only' : 'auth.users_only')
  if (caller.kind === 'user' && !caller.emailVerified && !unverified) throw refuse('auth.email_unverified')
  requireNeeds(caller, operation.needs)
  if (operation.liveOnly && caller.tenant.mode !== 'live') throw refuse('live_mode.session_needed')
}

/** Whether the caller may call the route with some input. */
export function mayCall(definition: AnyRouteDefinition, caller: TokenCaller): boolean {
  try {
    requireRights(definition, caller)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The time and place of a reply to this caller. */
export function momentsOf(
  { clocks, clock, ports }: Pick<Runtime, 'clocks' | 'clock' | 'ports'>,
  { time }: { readonly time?: 'real' },
): (caller: HttpCaller) => Moment {
  const nowOf = (caller: HttpCaller): Date =>
    'tenant' in caller && time !== 'real' ? clocks.latelyOf(caller.tenant) : clock.now()
  return (caller) => ({
    now: () => nowOf(caller),
    today: () => {
      const country = 'country' in caller ? caller.country : undefined
      const zone = country === undefined ? undefined : ports.jurisdictions.of(country)?.zone
      return businessDay(nowOf(caller), zone ?? 'UTC')
    },
  })
}

/** The core names fields in its own words; callers know the names of their form. */
export function inWordsOf({ fieldNames }: Pick<Route, 'fieldNames'>, error: Error): Error {
  if (!(error instanceof Refusal) || !error.details) return error
  const { refusal: name, message, details, retryAfterSeconds, away, see } = error
  const renamed = details.map((fault) => ({
    ...fault,
    path: fault.path.replace(/^\w+/, (field) => fieldNames[field] ?? field),
  }))
  return refuse(name, {
    message,
    details: renamed,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(away === undefined ? {} : { away }),
    ...(see === undefined ? {} : { see }),
  })
}
