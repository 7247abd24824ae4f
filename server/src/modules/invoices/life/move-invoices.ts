import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import type { EventPayloads } from '../../../kernel/event-payloads.ts'
import type { EventOf } from '../../../kernel/events.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { InvoiceChange } from '../change-invoices.store.ts'
import type { Delivery, Invoice, InvoiceId } from '../invoice.ts'
import { invoicePayload, newInvoiceEvent } from '../invoice-events.ts'
import { type InvoiceMove, type InvoiceStatus, invoiceStatuses, statusAfter } from '../status-moves.ts'
import { listWaitingNotes, type MovedRow, moveRows } from './moves.store.ts'

/** Moves that the authority's answers cause, and the event of each. */
const events = {
  submit: 'invoice.queued',
  sign: 'invoice.signed',
  transmit: 'invoice.transmitted',
  accept: 'invoice.accepted',
  reject: 'invoice.rejected',
  reject_with_original: 'invoice.rejected',
  deliver: 'invoice.status_changed',
  fail: 'invoice.submission_failed',
  retry: 'invoice.retry_scheduled',
  retry_signed: 'invoice.retry_scheduled',
  retry_transmitted: 'invoice.retry_scheduled',
  cancel: 'invoice.cancellation_requested',
  confirm_cancellation: 'invoice.cancelled',
  refuse_cancellation: 'invoice.status_changed',
} as const satisfies Partial<Record<InvoiceMove, EventOf<'invoice'>>>

/** Further data of some events. */
type MoveDetails = Pick<EventPayloads['invoice.status_changed'], 'reasons' | 'creditNoteId' | 'delivery'> &
  Pick<EventPayloads['invoice.submission_failed'], 'outcome'>

/** A document's moves, one after the other, with the news about it. */
export interface InvoiceMoves {
  readonly id: InvoiceId
  readonly country: string
  readonly moves: readonly InvoiceMove[]
  /** the authority reference; the first one stays */
  readonly authorityReference?: string | undefined
  /** the text of the QR code; the first one stays */
  readonly stamp?: string | undefined
  readonly submittedAt?: Date | undefined
  /** the new delivery, if it is further than before */
  readonly delivery?: Delivery | undefined
  /** further event data, by the move that it belongs to */
  readonly more?: Partial<Record<InvoiceMove, MoveDetails>> | undefined
}

type MoveContext = Pick<Inside<Caller>, 'tx' | 'now' | 'emit'>

/** The status after a series of moves; `undefined` if one of them is not allowed. */
function walked(from: InvoiceStatus, moves: readonly InvoiceMove[]): InvoiceStatus[] | undefined {
  const passed: InvoiceStatus[] = []
  let status = from
  for (const move of moves) {
    const next = statusAfter(status, move)
    if (!next) return undefined
    passed.push(next)
    status = next
  }
  return passed
}

function pathOf(moves: readonly InvoiceMove[]): Partial<Record<InvoiceStatus, InvoiceStatus>> {
  return Object.fromEntries(
    invoiceStatuses.flatMap((from) => {
      const to = walked(from, moves)?.at(-1)
      return to ? [[from, to]] : []
    }),
  )
}

/**
 * The only function by which submissions change the status of documents. Moves documents of one tenant in one round
 * trip, with their events. Returns those that moved. A document whose status does not allow the moves stays
 * unchanged, without an event. Notes that wait for a rejected invoice are rejected with it.
 */
export async function moveInvoices(
  context: MoveContext,
  tenant: Tenant,
  wanted: readonly InvoiceMoves[],
): Promise<readonly MovedRow[]> {
  if (wanted.length === 0) return []
  const { tx, now, emit } = context
  const moved = await moveRows(
    tx,
    tenant,
    wanted.map(({ id, moves, authorityReference, stamp, submittedAt, delivery }) => ({
      id,
      path: pathOf(moves),
      authorityReference: authorityReference ?? null,
      stamp: stamp ?? null,
      submittedAt: submittedAt ?? null,
      delivery: delivery ?? null,
    })),
    now,
  )
  const byId = new Map(wanted.map((one) => [one.id, one]))
  const countryOf = (id: InvoiceId) => (byId.get(id) ?? (wanted[0] as InvoiceMoves)).country
  for (const row of moved) {
    const about = { ...tenant, objectId: row.id, version: row.version }
    const { moves, more } = byId.get(row.id) ?? { moves: [] }
    const made = movesMade(row, moves)
    const passed = walked(row.from, made) ?? []
    made.forEach((move, at) => {
      const type = (events as Partial<Record<InvoiceMove, EventOf<'invoice'>>>)[move]
      const status = passed[at] as InvoiceStatus
      const payload = more?.[moves[at] as InvoiceMove]
      if (type)
        emit<EventOf<'invoice'>>(type, about, { ...invoicePayload({ ...row, status }, countryOf(row.id)), ...payload })
    })
    if (row.uncreditedMinor !== null)
      emit<EventOf<'invoice'>>('invoice.updated', about, {
        ...invoicePayload(row, countryOf(row.id)),
        changed: ['creditedMinor'],
        itemUses: {},
      })
  }
  await rejectWaitingNotes(context, tenant, moved, countryOf)
  return moved.filter(({ isMoved }) => isMoved)
}

const rejectedWithInvoice =
  'The invoice that this note corrects was rejected. Reopen and delete the note, correct the invoice, then issue the note again.'

/** The rejected invoices are locked, so no further note is issued on them meanwhile. */
async function rejectWaitingNotes(
  context: MoveContext,
  tenant: Tenant,
  moved: readonly MovedRow[],
  countryOf: (id: InvoiceId) => string,
): Promise<void> {
  const rejected = moved.filter(({ isMoved, status, originalId }) => isMoved && status === 'rejected' && !originalId)
  if (rejected.length === 0) return
  const notes = await listWaitingNotes(
    context.tx,
    tenant,
    rejected.map(({ id }) => id),
  )
  await moveInvoices(
    context,
    tenant,
    notes.map(({ id, originalId }) => ({
      id,
      country: countryOf(originalId),
      moves: ['reject_with_original'],
      more: { reject_with_original: { reasons: [rejectedWithInvoice] } },
    })),
  )
}

/** The moves that really happened: a cancellation that credits only a part makes the invoice accepted again. */
function movesMade({ isMoved, from, status }: MovedRow, moves: readonly InvoiceMove[]): readonly InvoiceMove[] {
  if (!isMoved) return []
  if (walked(from, moves)?.at(-1) === status) return moves
  return moves.map((move) => (move === 'confirm_cancellation' ? 'refuse_cancellation' : move))
}

/** The same move for a hot statement: a document that is queued for the authority, as `queueInvoices` writes it. */
export function queuedInvoice(caller: TokenCaller, before: Invoice, now: Date): InvoiceChange {
  const status = statusAfter(before.status, 'submit')
  if (!status) throw new Error(`what is ${before.status} cannot be queued`)
  const after: Invoice = { ...before, status, submittedAt: now, updatedAt: now, version: before.version + 1 }
  return { before, after, events: [newInvoiceEvent(caller, events.submit, after)] }
}
