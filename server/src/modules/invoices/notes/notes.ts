import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import { checkedMinor, moneyInWords } from '../../../kernel/money-words.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import { aboutField, everyField } from '../../../kernel/written-fields.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { type CreditTotals, creditOfAmount, creditOfRest } from '../crediting/credit.ts'
import { canHaveNotes, fittedToRest, holdingStatuses } from '../crediting/fitted-to-rest.ts'
import { leftToCredit } from '../crediting/left-to-credit.ts'
import { saveNewDraft } from '../drafts/create-invoice.ts'
import type { LineInput } from '../drafts/draft.ts'
import { itemsFor } from '../drafts/plan-invoice.ts'
import { resolveDraft } from '../drafts/resolve-draft.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { itemsOf, listCreditNotes, lockInvoice } from '../invoices.store.ts'
import { amountsOf, newDraft } from '../new-draft.ts'
import { getOwnInvoice } from '../read-invoices.ts'

export interface NoteInput {
  readonly originalId: InvoiceId
  readonly reason: string
  readonly notes?: string | null
  readonly lines?: readonly LineInput[] | undefined
  /** of a credit note: the total to credit, including tax */
  readonly amount?: Decimal | undefined
}

/** A note takes absent fields from its original. */
const noteOn = (
  context: Inside<TokenCaller>,
  original: Invoice,
  type: 'credit_note' | 'debit_note',
  reason: string,
  issueDate: string,
  { lines, totals, roundingMinor }: CreditTotals,
): Invoice => ({
  ...newDraft(context),
  ...amountsOf(lines, totals, roundingMinor),
  type,
  kind: original.kind,
  sellerId: original.sellerId,
  buyerId: original.buyerId,
  buyerName: original.buyerName,
  buyerTaxId: original.buyerTaxId,
  issueDate,
  currency: original.currency,
  ...everyField((name) => (aboutField(name).isCopiedToCorrections ? original[name] : null)),
  originalId: original.id,
  originalNumber: original.number,
  reason,
})

async function linesAsSent(
  context: Inside<TokenCaller>,
  original: Invoice,
  lines: readonly LineInput[],
): Promise<CreditTotals> {
  const { caller, ports } = context
  const items = await itemsFor({ ...context, db: context.tx }, lines, itemsOf(original))
  // Tax is corrected at the original rates.
  const { issueDate, supplyDate, currency } = original
  const jurisdiction = jurisdictionOf(ports, caller)
  const resolved = resolveDraft(
    { issueDate, supplyDate, currency, lines },
    { jurisdiction, codeLists: ports.codeLists, items },
  )
  return { ...resolved, roundingMinor: 0n }
}

async function creditFor(
  context: Inside<TokenCaller>,
  original: Invoice,
  { lines, amount }: NoteInput,
): Promise<CreditTotals | Refusal> {
  const notes = await listCreditNotes(context.tx, context.caller.tenant, original.id, holdingStatuses)
  const left = leftToCredit(original, notes)
  if (left.payableMinor <= 0n) return refuse('invoice.note.nothing_left')
  if (lines) return await linesAsSent(context, original, lines)
  if (amount === undefined) return creditOfRest(original, left, notes.length === 0)
  const amountMinor = checkedMinor('amount', amount, original.currency)
  if (amountMinor > left.payableMinor)
    return refuse('invoice.note.too_much', {
      details: [
        {
          path: 'amount',
          rule: 'left_to_credit',
          message: `must be at most ${moneyInWords(left.payableMinor, original.currency)}, which is left to credit`,
        },
      ],
    })
  return creditOfAmount(original, left, amountMinor)
}

async function draftNote(
  context: Inside<TokenCaller>,
  type: 'credit_note' | 'debit_note',
  input: NoteInput,
): Promise<Invoice> {
  const { tx, caller, ports } = context
  const { tenant } = caller
  const original = await lockInvoice(tx, tenant, input.originalId)
  if (!original) throw refuse('resource.not_found')
  if (!canHaveNotes(original)) throw refuse('invoice.note.not_possible')
  const issueDate = businessDay(context.now, jurisdictionOf(ports, caller).zone)
  const totals =
    type === 'credit_note'
      ? await creditFor(context, original, input)
      : await linesAsSent(context, original, input.lines ?? [])
  if (totals instanceof Error) throw totals
  const asked = {
    ...noteOn(context, original, type, input.reason, issueDate, totals),
    notes: input.notes ?? null,
  }
  const note = type === 'credit_note' ? await fittedToRest(tx, tenant, original, asked) : asked
  await saveNewDraft(context, note, undefined)
  // A draft shows its current buyer, the original the one from its day of issue.
  return await getOwnInvoice(tx, tenant, note.id)
}

const refuses = [
  'request.invalid',
  'resource.not_found',
  'jurisdiction.unsupported',
  'credits.insufficient',
  'state.changed',
  'invoice.note.not_possible',
  'invoice.item_unknown',
  'invoice.item_archived',
] as const

/** Drafts a credit note: for lines, an amount, or all that is left. Charged as one creation. */
export const createCreditNote = operation(
  { needs: ['invoice.create'], refuses: [...refuses, 'invoice.note.nothing_left', 'invoice.note.too_much'] },
  (context: Inside<TokenCaller>, input: NoteInput) => draftNote(context, 'credit_note', input),
)

/** Drafts a debit note, which adds to an invoice. Charged as one creation. */
export const createDebitNote = operation(
  { needs: ['invoice.create'], refuses },
  (context: Inside<TokenCaller>, input: NoteInput) => draftNote(context, 'debit_note', input),
)
