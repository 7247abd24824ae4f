import type { BuyerId } from '../../buyers/index.ts'

/** The four parts of a received payment. */
export interface PaymentBalances {
  readonly amountMinor: bigint
  readonly unmatchedMinor: bigint
  readonly creditedMinor: bigint
  readonly appliedMinor: bigint
  readonly refundedMinor: bigint
}

export const balanceNames = ['unmatched', 'credited', 'applied', 'refunded'] as const
export type BalanceName = (typeof balanceNames)[number]

/** Every kind of move, from one part to another. `received` stands for the world outside. */
export const partsOfMove = {
  receive: ['received', 'unmatched'],
  apply: ['unmatched', 'applied'],
  /** The invoice no longer has the money. */
  withdraw: ['applied', 'unmatched'],
  credit: ['unmatched', 'credited'],
  use_credit: ['credited', 'applied'],
  /** A user names another purpose for the credit. */
  release_credit: ['credited', 'unmatched'],
  refund: ['unmatched', 'refunded'],
  /** The provider refused to send the refund. */
  refund_back: ['refunded', 'unmatched'],
  /** The sender's bank took the money back. It counts as refunded; `reversedAt` shows the difference. */
  reverse: ['unmatched', 'refunded'],
} as const satisfies Record<string, readonly [BalanceName | 'received', BalanceName]>
export type MoveType = keyof typeof partsOfMove

export interface Move {
  readonly type: MoveType
  readonly amountMinor: bigint
  readonly invoiceId?: string | undefined
  readonly invoicePaymentId?: string | undefined
  readonly refundId?: string | undefined
  /** Whose credit the money was, for money that a refund takes off an invoice. */
  readonly buyerId?: BuyerId | null | undefined
}

const fieldOf = {
  unmatched: 'unmatchedMinor',
  credited: 'creditedMinor',
  applied: 'appliedMinor',
  refunded: 'refundedMinor',
} as const

/** Applies moves one after the other. Throws if a part would fall below zero. */
export function afterMoves(before: PaymentBalances, moves: readonly Move[]): PaymentBalances {
  const after = { ...before }
  for (const { type, amountMinor } of moves) {
    const [from, to] = partsOfMove[type]
    if (amountMinor <= 0n) throw new Error(`a move of ${amountMinor} is none`)
    if (from === 'received') throw new Error('money is received once, with its payment')
    after[fieldOf[from]] -= amountMinor
    after[fieldOf[to]] += amountMinor
    if (after[fieldOf[from]] < 0n) throw new Error(`there is not so much ${from}`)
  }
  return after
}

/** What can still be refunded. */
export const refundableMinor = ({ amountMinor, refundedMinor }: PaymentBalances): bigint => amountMinor - refundedMinor

/** What a user can still assign. */
export const unresolvedMinor = ({ unmatchedMinor, creditedMinor }: PaymentBalances): bigint =>
  unmatchedMinor + creditedMinor
