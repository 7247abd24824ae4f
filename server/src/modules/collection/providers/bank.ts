export interface Bank {
  readonly name: string
  /** of the central bank: what we keep */
  readonly code: string
  /** in the instant payment network; nothing where the provider does not say it */
  readonly nipCode: string | null
}
