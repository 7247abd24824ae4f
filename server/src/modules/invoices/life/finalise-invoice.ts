import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, statement } from '../../../platform/operations/operation.ts'
import { lockBuyerShared } from '../../buyers/index.ts'
import { letterheads } from '../../organisations/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { lockSellerShared } from '../../sellers/index.ts'
import type { InvoiceChange } from '../change-invoices.store.ts'
import { canHaveNotes, fittedToRest } from '../crediting/fitted-to-rest.ts'
import { saveCredited } from '../crediting/save-credited.ts'
import { amountsPayload, countingStatuses, dueMinor } from '../derived-statuses.ts'
import { buyerParty, sellerParty } from '../document.ts'
import { foreignTaxOf } from '../drafts/home-tax.ts'
import { adviceOnLetters } from '../drafts/letters-advice.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { type InvoiceEvent, newInvoiceEvent } from '../invoice-events.ts'
import { lockOwnInvoice, writeLocked } from '../lock-invoice.ts'
import { reportDueAtOf } from '../report-deadlines.ts'
import { statusAfter } from '../status-moves.ts'
import { finaliseInvoices, findToFinalise, type ReadParties } from './finalise-invoices.store.ts'
import { hasEarlierVersion, sendAgain } from './send-again.ts'

const lack = (path: string, message: string): Fault => ({ path, rule: 'required', message })

type IssueContext = Pick<Outside<TokenCaller>, 'db' | 'caller' | 'ports' | 'now'>

/** The draft issued with these parties, with warnings; or a refusal. */
function finalised(
  { caller, ports, now }: IssueContext,
  invoice: Invoice,
  parties: ReadParties,
  original: Invoice | undefined,
): FinalisedInvoice {
  const status = statusAfter(invoice.status, 'finalise')
  if (!status) throw refuse('invoice.finalise.not_draft')
  const { seller, buyer, letterhead, rate } = parties
  const jurisdiction = jurisdictionOf(ports, caller)
  const { homeTax, faults, advice } = foreignTaxOf(invoice, { original, fromTable: rate }, jurisdiction.currency)
  const lacks: Fault[] = [...faults]
  if (!seller) lacks.push(lack('sellerId', 'is required: choose a seller of your organisation'))
  if (!buyer && invoice.kind !== jurisdiction.kindsByBuyer.unregistered)
    lacks.push(lack('buyerId', `is required on an invoice of kind ${invoice.kind}`))
  if (buyer?.isArchived) lacks.push(lack('buyerId', 'is an archived buyer; choose another one'))
  if (lacks.length > 0) throw refuse('invoice.finalise.incomplete', { details: lacks })
  const issued: Invoice = {
    ...invoice,
    sellerCopy: seller && sellerParty(seller),
    buyerCopy: buyer && buyerParty(buyer),
    letterheadCopy: letterhead,
    homeTax,
    status,
    finalisedAt: now,
    reportDueAt: reportDueAtOf(jurisdiction, invoice, now) ?? null,
    updatedAt: now,
    version: invoice.version + 1,
  }
  const onLetters = adviceOnLetters({ ...issued, seller: issued.sellerCopy, buyer: issued.buyerCopy }, ports.undrawable)
  return { ...issued, warnings: [...onLetters, ...advice] }
}

/** A reopened invoice that was reduced to its payments, or below, is paid as soon as it is issued. */
const isPaidAtIssue = (issued: Invoice): boolean => issued.paidMinor > 0n && dueMinor(issued) === 0n

export interface FinalisedInvoice extends Invoice {
  /** texts that the PDF cannot draw as written, a missing exchange rate, and recipients who did not get this version */
  readonly warnings: readonly Fault[]
}

interface FinalisePlan extends InvoiceChange {
  readonly read: ReadParties
  readonly warnings: readonly Fault[]
}

/** Checks a note again: since it was drafted, others may have cancelled or credited its original. */
async function fittingNote({ db, caller }: IssueContext, note: Invoice, original: Invoice): Promise<Invoice> {
  if (note.status !== 'draft') return note
  if (!canHaveNotes(original)) throw refuse('invoice.note.not_possible')
  return note.type === 'credit_note' ? await fittedToRest(db, caller.tenant, original, note, countingStatuses) : note
}

/** `original` is the locked original of a note. Without it, the note is not checked against its original. */
async function planFinalise(
  context: IssueContext,
  { id }: { readonly id: InvoiceId },
  original?: Invoice,
): Promise<FinalisePlan> {
  const { db, caller } = context
  const found = await findToFinalise(db, caller.tenant, id)
  if (!found) throw refuse('resource.not_found')
  const { invoice: before, more: read } = found
  const draft = original ? await fittingNote(context, before, original) : before
  const { warnings, ...after } = finalised(context, draft, read, original)
  const events: InvoiceEvent[] = [newInvoiceEvent(caller, 'invoice.finalised', after)]
  if (isPaidAtIssue(after)) events.push(newInvoiceEvent(caller, 'invoice.paid', after, amountsPayload(after)))
  return { before, after, read, events, warnings }
}

const finalisedInvoice = ({ after, warnings }: FinalisePlan): FinalisedInvoice => ({ ...after, warnings })

/** Locks everything that the finalisation depends on, also the original of a note. */
export async function finaliseInTransaction(
  context: Inside<TokenCaller>,
  { id }: { readonly id: InvoiceId },
): Promise<FinalisedInvoice> {
  const { tx, caller } = context
  const { tenant } = caller
  const { organisationId } = tenant
  const { invoice, original } = await lockOwnInvoice(tx, tenant, id)
  if (invoice.sellerId !== null) await lockSellerShared(tx, organisationId, invoice.sellerId)
  if (invoice.buyerId !== null) await lockBuyerShared(tx, tenant, invoice.buyerId)
  await letterheads.lockLetterheadShared(tx, organisationId)
  const plan = await planFinalise({ ...context, db: tx }, { id }, original)
  const { after, warnings } = plan
  if (original) await saveCredited(context, original, after, after.payableMinor)
  await writeLocked(context, finaliseInvoices, plan)
  if (!hasEarlierVersion(after)) return finalisedInvoice(plan)
  const again = await sendAgain(context, after)
  return { ...again.invoice, warnings: [...warnings, ...again.warnings] }
}

/** Issues a draft. From here on its amounts are fixed, and it keeps copies of its parties, logo and bank details. */
export const finaliseInvoice = statement(
  {
    needs: ['invoice.finalise'],
    refuses: [
      'resource.not_found',
      'state.changed',
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
    conflictKey: ({ before }) => before.id,
    write: finaliseInvoices,
    returning: [],
    replyHasNoSecret: true,
    output: finalisedInvoice,
    fallback: (context: Inside<TokenCaller>, { before }) => finaliseInTransaction(context, before),
  },
)
