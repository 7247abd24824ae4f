import { hash } from 'node:crypto'
import type { EventType } from '../../kernel/events.ts'
import type { Id, OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { EndpointId } from './endpoint.ts'

export type DeliveryId = Id<'webhook-delivery'>

export const deliveryStatuses = ['pending', 'delivering', 'retrying', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What became of an attempt that had no 2xx: what a receiver's owner may know of it, and nothing of our own network. */
export const attemptErrors = ['status', 'connection_failed', 'timeout', 'broken_answer', 'interrupted'] as const
export type AttemptError = (typeof attemptErrors)[number]

/** One attempt that has ended, as the log keeps it. */
export interface Attempt {
  readonly number: number
  readonly at: string
  readonly latencyMs: number | null
  readonly statusCode: number | null
  readonly error: AttemptError | null
  /** the first kibibyte of the answer */
  readonly response: string | null
}

/** More would make the log of one delivery a burden to whoever reads it. */
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
  /** begun: the last of them may still be under way */
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
 * The id of the delivery of an event to an endpoint, the same whoever makes it: so there is one. It begins with the time of the
 * event, as ids do.
 */
export function deliveryIdOf(eventId: string, endpointId: string): DeliveryId {
  const digest = hash('sha256', `${eventId} ${endpointId}`, 'hex')
  const variant = ((Number.parseInt(digest[0] as string, 16) & 0x3) | 0x8).toString(16)
  return `${eventId.slice(0, 19)}${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}` as DeliveryId
}

/** The lowest and the highest id that a delivery of an event can have. */
export const deliveryIdsOf = (eventId: string): readonly [DeliveryId, DeliveryId] => {
  const beginning = eventId.slice(0, 19)
  return [`${beginning}0000-000000000000` as DeliveryId, `${beginning}ffff-ffffffffffff` as DeliveryId]
}
