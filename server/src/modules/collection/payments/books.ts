/** Where received money can be. */
export interface Books {
  readonly amountMinor: bigint
  readonly unmatchedMinor: bigint
  readonly creditedMinor: bigint
  readonly appliedMinor: bigint
  readonly refundedMinor: bigint
}

export const places = ['unmatched', 'credited', 'applied', 'refunded'] as const
export type Place = (typeof places)[number]

/** Every way that money goes, and from where to where. `received` is the world outside. */
export const routes = {
  receive: ['received', 'unmatched'],
  apply: ['unmatched', 'applied'],
  /** the invoice does not have it any more */
  withdraw: ['applied', 'unmatched'],
  credit: ['unmatched', 'credited'],
  use_credit: ['credited', 'applied'],
  /** somebody says what the credit was really for */
  release_credit: ['credited', 'unmatched'],
  refund: ['unmatched', 'refunded'],
  /** the provider would not send it */
  refund_back: ['refunded', 'unmatched'],
  /** the sender's bank took it back */
  reverse: ['unmatched', 'refunded'],
} as const satisfies Record<string, readonly [Place | 'received', Place]>
export type MoveType = keyof typeof routes

export interface Move {
  readonly type: MoveType
  readonly amountMinor: bigint
  readonly invoiceId?: string | undefined
  readonly invoicePaymentId?: string | undefined
  readonly refundId?: string | undefined
}

const fieldOf = {
  unmatched: 'unmatchedMinor',
  credited: 'creditedMinor',
  applied: 'appliedMinor',
  refunded: 'refundedMinor',
} as const

/** The books after some moves, one after the other. Money that is not there cannot be moved. */
export function afterMoves(before: Books, moves: readonly Move[]): Books {
  const books = { ...before }
  for (const { type, amountMinor } of moves) {
    const [from, to] = routes[type]
    if (amountMinor <= 0n) throw new Error(`a move of ${amountMinor} is none`)
    if (from === 'received') throw new Error('money is received once, with its payment')
    books[fieldOf[from]] -= amountMinor
    books[fieldOf[to]] += amountMinor
    if (books[fieldOf[from]] < 0n) throw new Error(`there is not so much ${from}`)
  }
  return books
}

/** What of it can still go back: all that did not yet. */
export const refundableMinor = ({ amountMinor, refundedMinor }: Books): bigint => amountMinor - refundedMinor

/** What waits for somebody to say what it is for. */
export const unresolvedMinor = ({ unmatchedMinor, creditedMinor }: Books): bigint => unmatchedMinor + creditedMinor
