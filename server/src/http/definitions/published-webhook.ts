import type { TSchema } from 'typebox'

/** A request to endpoints, for the documents of a form. */
export interface PublishedWebhook {
  /** Name of the event type in this form. */
  readonly name: string
  /** When it is sent, and what its payload holds. */
  readonly description: string
  readonly body: TSchema
  readonly example: object
}
