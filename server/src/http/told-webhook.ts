import type { TSchema } from 'typebox'

/** A request that a form sends to receivers, for its documents. */
export interface ToldWebhook {
  /** what the type of event is called in this form */
  readonly name: string
  readonly body: TSchema
  readonly example: object
}
