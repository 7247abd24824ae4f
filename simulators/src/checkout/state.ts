import type { Card, Payment } from './payment.ts'

/** The answer given to a request with an idempotency key, and what was asked. */
export interface KeptReply {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
}

export interface State {
  /** the last number given out */
  sequence: number
  readonly payments: Payment[]
  readonly cards: Card[]
  readonly replies: Record<string, KeptReply>
}

export const emptyState = (): State => ({ sequence: 0, payments: [], cards: [], replies: {} })
