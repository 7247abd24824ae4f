import type { Capability } from '../../../kernel/capabilities.ts'
import { capabilitiesToRead, type EventType, eventTypes, keptFrom } from '../../../kernel/events.ts'
import type { Id, OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { SealedPlace } from '../../../platform/secrets/secrets.ts'
import type { FormatName } from '../catalogue/format.ts'
import type { RetryPlan } from './retry-plan.ts'

export type EndpointId = Id<'webhook-endpoint'>

/** An endpoint, as jobs name it. */
export interface EndpointRef extends Tenant {
  readonly endpointId: EndpointId
}

export const disabledCauses = ['manual', 'failures', 'gone'] as const
export type DisabledCause = (typeof disabledCauses)[number]

/** Per mode, callbacks included. */
export const mostEndpoints = 50

export interface Endpoint {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly id: EndpointId
  readonly format: FormatName
  readonly url: string
  readonly description: string | null
  readonly patterns: readonly string[]
  /** Capabilities of the person who last chose the patterns or the address. */
  readonly capabilities: readonly Capability[]
  readonly plan: RetryPlan | null
  readonly eventVersions: number
  /** Created for a callback address: receives only events of the accounts opened with it. */
  readonly isCallback: boolean
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  readonly previousSecretUntil: Date | null
  readonly failuresInRow: number
  /** Time of the first failure in a row. Null after a success. */
  readonly failingSince: Date | null
  readonly disabledAt: Date | null
  readonly disabledCause: DisabledCause | null
  readonly createdBy: UserId | null
  /** The person who last chose the patterns or the address. */
  readonly aimedBy: UserId | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export const secretPlace = (id: string): SealedPlace => ({ table: 'webhook_endpoints', column: 'sealed_secret', id })
export const previousSecretPlace = (id: string): SealedPlace => ({
  table: 'webhook_endpoints',
  column: 'sealed_previous_secret',
  id,
})

/** Capabilities that affect what is delivered. */
const eventCapabilities: ReadonlySet<Capability> = new Set(
  (Object.keys(eventTypes) as EventType[]).flatMap(capabilitiesToRead),
)

/** Event types of which the new snapshot of capabilities allows less. */
export function typesLost(before: readonly Capability[], after: readonly Capability[]): EventType[] {
  const lost = new Set(before.filter((capability) => !after.includes(capability)))
  return (Object.keys(eventTypes) as EventType[]).filter((type) =>
    capabilitiesToRead(type).some((capability) => lost.has(capability)),
  )
}

/**
 * Whether the stored body holds only fields that the capabilities allow. Quotes inside texts are escaped, so that the
 * search finds field names only.
 */
export function isEntitledTo(
  capabilities: readonly Capability[],
  { type, isTest, body }: { readonly type: EventType; readonly isTest: boolean; readonly body: string },
): boolean {
  const held = new Set(capabilities)
  return (
    isTest ||
    (held.has(eventTypes[type].capability) && !keptFrom(type, held).some((name) => body.includes(`"${name}":`)))
  )
}

/** Snapshot of the editor's capabilities. Later changes of the editor do not affect the endpoint. */
export const snapshotOf = (held: ReadonlySet<Capability>): Capability[] =>
  [...held].filter((capability) => eventCapabilities.has(capability)).sort()

/** Deliveries that failed in a row. */
export type FailureRun = Pick<Endpoint, 'failuresInRow' | 'failingSince'>

/** An endpoint is disabled only after this many failures in a row, and without a success for this long. */
export const failuresThatDisable = 50
const dayMs = 24 * 3600_000

/** Earliest time at which a failing endpoint can be disabled. */
export const disabledFrom = (failingSince: Date): Date => new Date(failingSince.getTime() + dayMs)

/** Consequence of `added` further failures. The fiftieth sends a mail. */
export function consequenceOf(
  { failuresInRow, failingSince }: FailureRun,
  added: number,
  now: Date,
): 'disable' | 'warn' | undefined {
  if (failuresInRow < failuresThatDisable || failingSince === null) return undefined
  if (disabledFrom(failingSince) <= now) return 'disable'
  return failuresInRow - added < failuresThatDisable ? 'warn' : undefined
}

/** Account that an event belongs to. `undefined` if it belongs to none. */
export function accountIn({ type, data }: Pick<OutgoingEvent, 'type' | 'data'>): string | undefined {
  const { accountId } = data as { accountId?: unknown }
  return type.startsWith('collection.') && typeof accountId === 'string' ? accountId : undefined
}

/**
 * Whether an endpoint receives an event. `callback` is the working callback endpoint of the event's account: then the
 * event goes there alone.
 */
export const receives = (
  { id, isCallback }: Pick<Endpoint, 'id' | 'isCallback'>,
  callback: EndpointId | undefined,
): boolean => (callback === undefined ? !isCallback : id === callback)
