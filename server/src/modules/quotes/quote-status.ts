/** `expired` is not stored: it follows from the time. */
export const storedStatuses = ['draft', 'sent', 'accepted', 'declined', 'converted', 'cancelled'] as const
export type StoredStatus = (typeof storedStatuses)[number]

export const quoteStatuses = ['draft', 'sent', 'accepted', 'declined', 'expired', 'converted', 'cancelled'] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

/** Only a quote that waits for the buyer expires. */
export const statusAt = (stored: StoredStatus, expiresAt: Date | null, now: Date): QuoteStatus =>
  stored === 'sent' && expiresAt !== null && expiresAt <= now ? 'expired' : stored

export type QuoteMove = 'change' | 'send' | 'accept' | 'decline' | 'convert' | 'cancel'

/** Every move that is possible. A changed quote is sent again if the buyer had it already. */
const moves: Readonly<Record<QuoteMove, Partial<Record<QuoteStatus, StoredStatus>>>> = {
  change: { draft: 'draft', sent: 'sent', declined: 'sent', expired: 'sent' },
  send: { draft: 'sent', sent: 'sent' },
  accept: { sent: 'accepted' },
  decline: { sent: 'declined' },
  convert: { sent: 'converted', accepted: 'converted' },
  cancel: { draft: 'cancelled', sent: 'cancelled', accepted: 'cancelled', declined: 'cancelled', expired: 'cancelled' },
}

/** The status after a move; `undefined` if the move is not possible. */
export const statusAfter = (status: QuoteStatus, move: QuoteMove): StoredStatus | undefined => moves[move][status]
