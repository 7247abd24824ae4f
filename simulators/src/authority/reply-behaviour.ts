/** How a reply reaches the caller, if not at once. The call itself is already decided. */
export interface ReplyBehaviour {
  /** nothing is ever said; the connection stays open */
  readonly hangs?: true
  /** the connection is reset in place of an answer */
  readonly isCut?: true
  readonly afterMs?: number
}
