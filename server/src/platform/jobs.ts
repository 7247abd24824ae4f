/** A kind of background work: modules ask for it by this value, a file in `jobs/` does it. */
export interface Job<Payload> {
  readonly name: string
  readonly maxAttempts: number
  /** only for the types: what the work needs to know */
  readonly payload?: Payload
}

export const job = <Payload extends object>(name: string, { maxAttempts = 25 } = {}): Job<Payload> => ({
  name,
  maxAttempts,
})
