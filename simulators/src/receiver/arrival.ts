/** A request that arrived. */
export interface Arrival {
  readonly at: string
  readonly path: string
  /** the event type in its body */
  readonly type: string | null
  readonly id: string | null
  /** attempt number from the sender's header, from 1 */
  readonly attempt: string | null
  readonly signature: string | null
  /** status of our reply; null without a reply */
  readonly status: number | null
  /** the beginning of the body */
  readonly body: string
}
