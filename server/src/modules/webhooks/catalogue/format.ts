import type { EventType } from '../../../kernel/events.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'

/** An event as an endpoint receives it. */
export interface WebhookEvent {
  readonly id: string
  readonly type: EventType
  /** Version of the payload. */
  readonly version: number
  /** Null if it happened to the organisation as a whole. */
  readonly mode: Mode | null
  readonly organisationId: OrganisationId
  readonly createdAt: Date
  readonly data: object
  /** Grows with every change of the object, so that receivers can drop outdated events. */
  readonly objectVersion: number | null
  readonly isTest: boolean
}

/** The facts of one attempt that headers depend on. */
export interface AttemptRequest {
  readonly eventId: string
  /** Name of the event type in this format. */
  readonly name: string
  readonly body: string
  /** Counted from 1. */
  readonly attempt: number
  readonly unixSeconds: number
  /** The current secret first. A second one during a rotation. */
  readonly secrets: readonly [string, ...string[]]
}

/** A payload format. An endpoint keeps the format that it was created in. */
export interface WebhookFormat {
  readonly name: FormatName
  /** `null` if the format does not have the type. */
  nameOf(type: EventType): string | null
  /** Names that can be subscribed to although no event has them. */
  readonly furtherNames?: readonly string[]
  /** Written once per event; every attempt sends these bytes. `mode` is the endpoint's. */
  bodyOf(event: WebhookEvent, mode: Mode): string
  /** Made for every attempt, with its time and signature. */
  headersOf(request: AttemptRequest): Readonly<Record<string, string>>
}

/** The letter of the form that defines the format, in lower case. */
export type FormatName = string

export interface WebhookFormats {
  readonly all: readonly WebhookFormat[]
  of(name: FormatName): WebhookFormat
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly webhookFormats: WebhookFormats
  }
}
