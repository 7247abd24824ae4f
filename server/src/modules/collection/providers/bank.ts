export interface Bank {
  readonly name: string
  /** Central bank code, which we store. */
  readonly code: string
  /** Code for instant transfers. Null if the provider does not give it. */
  readonly networkCode: string | null
}
