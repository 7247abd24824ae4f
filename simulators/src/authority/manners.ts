/** How a reply reaches whoever asked, where it is not told at once. The call has been carried out, or not, before. */
export interface Manner {
  /** nothing is ever said; the connection stays open */
  readonly hangs?: true
  /** the connection is reset in place of an answer */
  readonly isCut?: true
  readonly afterMs?: number
}
