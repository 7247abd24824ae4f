/** Something that was posted here. */
export interface Arrival {
  readonly at: string
  readonly path: string
  /** what its body says it is */
  readonly type: string | null
  readonly id: string | null
  /** where the sender says it: from 1 */
  readonly attempt: string | null
  readonly signature: string | null
  /** what was answered; nothing where there was no answer */
  readonly status: number | null
  /** the beginning of it */
  readonly body: string
}
