import type { Capability } from '../../../kernel/capabilities.ts'
import { capabilitiesToRead, type EventType, eventTypes, keptFrom } from '../../../kernel/events.ts'
import type { Id, OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import type { SealedPlace } from '../../../platform/secrets/secrets.ts'
import type { FormatName } from '../catalogue/format.ts'
import type { RetryPlan } from './retry-plan.ts'

export type EndpointId = Id<'webhook-endpoint'>

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
