import type { TSchema } from 'typebox'

/** A request that a form sends to receivers, for its documents. */
export interface PublishedWebhook {
  /** what the type of event is called in this form */
  readonly name: string
  /** When it is sent, and what its payload holds. */
  readonly description: string
  readonly body: TSchema
  readonly example: object
}
