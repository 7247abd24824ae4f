export const invoiceStatuses = [
  'draft',
  'finalised',
  'queued',
  'signed',
  'transmitted',
  'accepted',
  'rejected',
  'failed',
  'cancellation_pending',
  'cancelled',
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** Every move of an invoice, with its start and end status. A move that is not listed is refused. */
const moves = {
  edit: { draft: 'draft' },
  finalise: { draft: 'finalised' },
  /** never submitted, sent or shared; or rejected before it was signed */
  reopen: { finalised: 'draft', rejected: 'draft' },
  submit: { finalised: 'queued' },
  /** the authority has registered the document: from here on only a note corrects it */
  sign: { queued: 'signed', failed: 'signed' },
  transmit: { signed: 'transmitted', failed: 'transmitted' },
  /** an answer after the failure still counts */
  accept: { signed: 'accepted', transmitted: 'accepted', failed: 'accepted' },
  /** also a failed document, once the authority says that it does not have it */
  reject: { queued: 'rejected', signed: 'rejected', transmitted: 'rejected', failed: 'rejected' },
  /** a note that waits for its invoice, when the invoice is rejected: there is nothing left to correct */
  reject_with_original: { finalised: 'rejected' },
  /** no answer after all automatic attempts */
  fail: { queued: 'failed', signed: 'failed', transmitted: 'failed' },
  retry: { failed: 'queued' },
  /** a registered document is not registered again: the attempts continue from there */
  retry_signed: { failed: 'signed' },
  retry_transmitted: { failed: 'transmitted' },
  /** the buyer's side has the document; the reporting state does not change */
  deliver: { accepted: 'accepted', cancellation_pending: 'cancellation_pending', cancelled: 'cancelled' },
  /** requested by a full credit note, which the authority must accept too */
  cancel: { accepted: 'cancellation_pending' },
  confirm_cancellation: { cancellation_pending: 'cancelled' },
  refuse_cancellation: { cancellation_pending: 'accepted' },
} as const satisfies Record<string, Partial<Record<InvoiceStatus, InvoiceStatus>>>

export type InvoiceMove = keyof typeof moves
export const invoiceMoves = Object.keys(moves) as readonly InvoiceMove[]

/** The status after a move; `undefined` if the move is not allowed. */
export const statusAfter = (status: InvoiceStatus, move: InvoiceMove): InvoiceStatus | undefined =>
  (moves[move] as Partial<Record<InvoiceStatus, InvoiceStatus>>)[status]

/** Amounts and parties are fixed. */
export const isIssued = (status: InvoiceStatus): boolean => status !== 'draft'

interface HasStatus {
  readonly status: InvoiceStatus
}

/**
 * The statuses of documents that count: as turnover and tax, as the buyer's debt, and for a credit note as credit.
 * Drafts and rejected documents do not count. A cancelled invoice counts, because its credit note subtracts the same
 * amount.
 */
export const countingStatuses: readonly InvoiceStatus[] = invoiceStatuses.filter(
  (status) => status !== 'draft' && status !== 'rejected',
)
export const counts = ({ status }: HasStatus): boolean => countingStatuses.includes(status)

/** The buyer owes such a document: it counts and is not cancelled. */
export const owingStatuses: readonly InvoiceStatus[] = countingStatuses.filter((status) => status !== 'cancelled')

export const isOwed = ({ status }: HasStatus): boolean => owingStatuses.includes(status)
