import { hash } from 'node:crypto'
import type { Capability } from '../../../kernel/capabilities.ts'
import { type EventType, readableData } from '../../../kernel/events.ts'
import type { Id, OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { WebhookFormat } from '../catalogue/format.ts'
import type { Endpoint, EndpointId } from '../endpoints/endpoint.ts'

export type DeliveryId = Id<'webhook-delivery'>

export const deliveryStatuses = ['pending', 'delivering', 'retrying', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why an attempt without a 2xx reply failed. Reveals nothing about our own network. */
export const attemptErrors = ['status', 'connection_failed', 'timeout', 'broken_answer', 'interrupted'] as const
export type AttemptError = (typeof attemptErrors)[number]

/** A finished attempt, as logged. */
export interface Attempt {
  readonly number: number
  readonly at: string
  readonly latencyMs: number | null
  readonly statusCode: number | null
  readonly error: AttemptError | null
  /** First 1,024 bytes of the reply. */
  readonly response: string | null
  /** Not stored; made again when one delivery is read. */
  readonly requestHeaders?: Readonly<Record<string, string>>
}

/** Bounds the log of one delivery. */
export const mostAttempts = 100

export interface Delivery {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly type: EventType
  readonly isTest: boolean
  readonly status: DeliveryStatus
  /** Attempts begun. The last one may be under way. */
  readonly attempts: number
  readonly begunAt: Date | null
  readonly nextAttemptAt: Date | null
  readonly log: readonly Attempt[]
  readonly reason: string | null
  readonly createdAt: Date
  readonly closedAt: Date | null
}

export const isOpen = ({ status }: Pick<Delivery, 'status'>): boolean => status !== 'delivered' && status !== 'failed'

/**
 * Derived from event and endpoint, so that each pair has exactly one delivery. Begins with the time of the event, like
 * every id.
 */
export function deliveryIdOf(eventId: string, endpointId: string): DeliveryId {
  const digest = hash('sha256', `${eventId} ${endpointId}`, 'hex')
  const variant = ((Number.parseInt(digest[0] as string, 16) & 0x3) | 0x8).toString(16)
  return `${eventId.slice(0, 19)}${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}` as DeliveryId
}

/** Smallest and largest id of any delivery of an event. */
export const deliveryIdsOf = (eventId: string): readonly [DeliveryId, DeliveryId] => {
  const beginning = eventId.slice(0, 19)
  return [`${beginning}0000-000000000000` as DeliveryId, `${beginning}ffff-ffffffffffff` as DeliveryId]
}

/** Body of an event, limited to the fields that the capabilities allow. */
export const payloadAsRead = (
  format: WebhookFormat,
  mode: Mode,
  held: ReadonlySet<Capability>,
  event: OutgoingEvent,
  isTest = false,
): string => format.bodyOf({ ...event, data: readableData(event.type, event.data, held), isTest }, mode)

/** Body of an event for one endpoint, limited to what its snapshot of capabilities allows. */
export const payloadFor = (endpoint: Endpoint, format: WebhookFormat, event: OutgoingEvent, isTest = false): string =>
  payloadAsRead(format, endpoint.mode, new Set(endpoint.capabilities), event, isTest)
