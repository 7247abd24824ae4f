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

/** Every move that an invoice can make, from where, and where to. A move that is not listed is refused. */
const moves = {
  edit: { draft: 'draft' },
  finalise: { draft: 'finalised' },
  /** never submitted, sent or shared; or rejected before it was signed */
  reopen: { finalised: 'draft', rejected: 'draft' },
  submit: { finalised: 'queued' },
  /** the authority has it under its number: from here on only a note corrects it */
  sign: { queued: 'signed', failed: 'signed' },
  transmit: { signed: 'transmitted', failed: 'transmitted' },
  /** that nobody answered in time does not make untrue what the authority says later */
  accept: { signed: 'accepted', transmitted: 'accepted', failed: 'accepted' },
  /** what was given up is, once the authority says that it does not have it */
  reject: { queued: 'rejected', signed: 'rejected', transmitted: 'rejected', failed: 'rejected' },
  /** no answer after all automatic attempts */
  fail: { queued: 'failed', signed: 'failed', transmitted: 'failed' },
  retry: { failed: 'queued' },
  /** what the authority has already is not registered again: the attempts go on from there */
  retry_signed: { failed: 'signed' },
  retry_transmitted: { failed: 'transmitted' },
  /** the buyer's side has it, which changes nothing of where it stands with the authority */
  deliver: { accepted: 'accepted', cancellation_pending: 'cancellation_pending', cancelled: 'cancelled' },
  /** asked for by a full credit note, which the authority has to accept too */
  cancel: { accepted: 'cancellation_pending' },
  confirm_cancellation: { cancellation_pending: 'cancelled' },
  refuse_cancellation: { cancellation_pending: 'accepted' },
} as const satisfies Record<string, Partial<Record<InvoiceStatus, InvoiceStatus>>>

export type InvoiceMove = keyof typeof moves
export const invoiceMoves = Object.keys(moves) as readonly InvoiceMove[]

/** Where a move leads; nothing when it cannot be made from there. */
export const statusAfter = (status: InvoiceStatus, move: InvoiceMove): InvoiceStatus | undefined =>
  (moves[move] as Partial<Record<InvoiceStatus, InvoiceStatus>>)[status]

/** Its amounts and parties no longer change. */
export const isIssued = (status: InvoiceStatus): boolean => status !== 'draft'
