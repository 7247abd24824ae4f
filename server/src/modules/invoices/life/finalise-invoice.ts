import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, statement } from '../../../platform/operations/operation.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import { holdBuyer } from '../../buyers/index.ts'
import { letterheads } from '../../organisations/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { holdSeller } from '../../sellers/index.ts'
import type { InvoiceChange } from '../change-invoices.store.ts'
import { canHaveNotes, fittedToRest } from '../crediting/fitted-to-rest.ts'
import { saveCredited } from '../crediting/save-credited.ts'
import { countingStatuses, dueMinor } from '../derived-statuses.ts'
import { buyerParty, sellerParty } from '../document.ts'
import { adviceOnLetters } from '../drafts/letters-advice.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { amountsPayload, emitInvoiceEvent, type InvoiceEvent, newInvoiceEvent } from '../invoice-events.ts'
import { saveInvoice, saveIssuedParties } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { reportDueAtOf } from '../report-deadlines.ts'
import { statusAfter } from '../status-moves.ts'
import { finaliseInvoices, findToFinalise, type IssuingParties, type ReadParties } from './finalise-invoices.store.ts'
import { hasEarlierVersion, sendAgain } from './send-again.ts'

const lack = (path: string, message: string): Fault => ({ path, rule: 'required', message })

type IssueContext = Pick<Outside<TokenCaller>, 'caller' | 'ports' | 'now'>

/** The draft issued with these parties, or a refusal. */
function finalised({ caller, ports, now }: IssueContext, invoice: Invoice, parties: IssuingParties): Invoice {
  const status = statusAfter(invoice.status, 'finalise')
  if (!status) throw refuse('invoice.finalise.not_draft')
  const { seller, buyer, isBuyerArchived, letterhead } = parties
  const lacks: Fault[] = []
  if (!seller) lacks.push(lack('sellerId', 'is required: choose a seller of your organisation'))
  if (!buyer && invoice.kind !== jurisdictionOf(ports, caller).kindsByBuyer.unregistered)
    lacks.push(lack('buyerId', `is required on an invoice of kind ${invoice.kind}`))
  if (isBuyerArchived) lacks.push(lack('buyerId', 'is an archived buyer; choose another one'))
  if (lacks.length > 0) throw refuse('invoice.finalise.incomplete', { details: lacks })
  const copies = { sellerCopy: seller, buyerCopy: buyer, letterheadCopy: letterhead }
  const reportDueAt = reportDueAtOf(jurisdictionOf(ports, caller), invoice, now) ?? null
  return { ...invoice, ...copies, status, finalisedAt: now, reportDueAt, updatedAt: now, version: invoice.version + 1 }
}

/** A reopened invoice that was reduced to its payments, or below, is paid as soon as it is issued. */
const isPaidAtIssue = (issued: Invoice): boolean => issued.paidMinor > 0n && dueMinor(issued) === 0n

export interface FinalisedInvoice extends Invoice {
  /** texts that the PDF cannot draw as written, and recipients who did not get this version */
  readonly warnings: readonly Fault[]
}

interface FinalisePlan extends InvoiceChange {
  readonly id: InvoiceId
  readonly read: ReadParties
  readonly warnings: readonly Fault[]
}

const warningsOn = (invoice: Invoice, { undrawable }: Ports): Fault[] =>
  adviceOnLetters({ ...invoice, seller: invoice.sellerCopy, buyer: invoice.buyerCopy }, undrawable)

async function planFinalise(context: Outside<TokenCaller>, { id }: { id: InvoiceId }): Promise<FinalisePlan> {
  const { db, caller } = context
  const found = await findToFinalise(db, caller.tenant, id)
  if (!found) throw refuse('resource.not_found')
  const { invoice: before, more: read } = found
  // A sale to a buyer who is archived now can still be corrected: a note is finalised with its original.
  const isNote = before.originalId !== null
  const after = finalised(context, before, {
    seller: read.seller?.copy ?? null,
    buyer: read.buyer?.copy ?? null,
    isBuyerArchived: !isNote && read.buyer?.isArchived === true,
    letterhead: read.letterhead,
  })
  const payload: InvoiceEvent[] = [newInvoiceEvent(caller, 'invoice.finalised', after)]
  if (isPaidAtIssue(after)) payload.push(newInvoiceEvent(caller, 'invoice.paid', after, amountsPayload(after)))
  return { id, before, after, read, told: payload, warnings: warningsOn(after, context.ports) }
}

/** Checks a note again: since it was drafted, others may have cancelled or credited its original. */
async function fittingNote({ tx, caller }: Inside<TokenCaller>, note: Invoice, original: Invoice): Promise<Invoice> {
  if (note.status !== 'draft') return note
  if (!canHaveNotes(original)) throw refuse('invoice.note.not_possible')
  return note.type === 'credit_note' ? await fittedToRest(tx, caller.tenant, original, note, countingStatuses) : note
}

/** Locks everything that the finalisation depends on, also the original of a note. */
export async function finaliseInTransaction(
  context: Inside<TokenCaller>,
  { id }: { readonly id: InvoiceId },
): Promise<FinalisedInvoice> {
  const { tx, caller } = context
  const { tenant } = caller
  const { organisationId } = tenant
  const { invoice: draft, original } = await lockOwnInvoice(tx, tenant, id)
  const invoice = original ? await fittingNote(context, draft, original) : draft
  const seller = invoice.sellerId === null ? undefined : await holdSeller(tx, organisationId, invoice.sellerId)
  const buyer = invoice.buyerId === null ? undefined : await holdBuyer(tx, tenant, invoice.buyerId)
  const after = finalised(context, invoice, {
    seller: seller ? sellerParty(seller) : null,
    buyer: buyer ? buyerParty(buyer) : null,
    isBuyerArchived: buyer?.archivedAt != null && buyer.id !== original?.buyerId,
    letterhead: await letterheads.getLetterheadCopy(tx, organisationId),
  })
  const saved = await saveInvoice(tx, tenant, after)
  await saveIssuedParties(tx, tenant, saved)
  if (original) await saveCredited(context, original, saved, saved.payableMinor)
  emitInvoiceEvent(context, 'invoice.finalised', tenant, saved)
  if (isPaidAtIssue(saved)) emitInvoiceEvent(context, 'invoice.paid', tenant, saved, amountsPayload(saved))
  const warnings = warningsOn(saved, context.ports)
  if (!hasEarlierVersion(saved)) return { ...saved, warnings }
  const again = await sendAgain(context, saved)
  return { ...again.invoice, warnings: [...warnings, ...again.warnings] }
}

/** Issues a draft. From here on its amounts are fixed, and it keeps copies of its parties, logo and bank details. */
export const finaliseInvoice = statement(
  {
    needs: ['invoice.finalise'],
    refuses: [
      'resource.not_found',
      'jurisdiction.unsupported',
      'invoice.finalise.not_draft',
      'invoice.finalise.incomplete',
      'invoice.note.not_possible',
      'invoice.note.too_much',
    ],
  },
  {
    plan: planFinalise,
    // The fallback handles credit notes, which change their originals, and documents with an earlier version, whose
    // recipients get the new one.
    fitsStatement: ({ before }) => before.originalId === null && !hasEarlierVersion(before),
    conflictKey: ({ id }) => id,
    write: finaliseInvoices,
    returning: [],
    storeReplyUnencrypted: true,
    output: ({ after, warnings }) => ({ ...after, warnings }),
    fallback: finaliseInTransaction,
  },
)
