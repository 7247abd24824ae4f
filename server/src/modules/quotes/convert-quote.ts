import type { TokenCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { asDocumentText, wordingOf } from '../../kernel/languages/wording.ts'
import { checkedMinor, majorOf } from '../../kernel/money-words.ts'
import { invalid, Refusal, refuse } from '../../kernel/refusals.ts'
import { writtenFields } from '../../kernel/written-fields.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findBuyer } from '../buyers/index.ts'
import {
  createInvoice,
  type DraftInput,
  documentContents,
  finaliseInTransaction,
  type Invoice,
} from '../invoices/index.ts'
import { todayIn } from './change-quotes.ts'
import { type DividedQuote, divided } from './deposit.ts'
import { draftOf } from './draft-of-quote.ts'
import type { DepositSize, Quote, QuoteResult, ResultKind } from './quote.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { statusAfter } from './quote-status.ts'
import { deleteResults, insertResult, lockResults, saveStatus } from './quotes.store.ts'
import { getOwnQuote, lockOwnQuote, type QuoteRef } from './read-quotes.ts'

type Context = Inside<TokenCaller>

/** The days of the document that a quote becomes, and whether it is issued at once. */
interface WantedDocument {
  readonly issueDate?: string | undefined
  readonly dueDate: string | null
  /** several due dates instead of one */
  readonly instalments?: DraftInput['instalments']
  readonly isFinalised: boolean
}

const needs = {
  all: ['invoice.create'] as const,
  oneOf: [],
  by: ({ isFinalised }: WantedDocument): readonly Capability[] =>
    isFinalised ? ['invoice.create', 'invoice.finalise'] : ['invoice.create'],
}
const refuses = [
  'request.invalid',
  'resource.not_found',
  'state.changed',
  'jurisdiction.unsupported',
  'credits.insufficient',
  'invoice.seller_unknown',
  'invoice.buyer_unknown',
  'invoice.buyer_archived',
  'invoice.item_unknown',
  'invoice.item_archived',
  'invoice.finalise.incomplete',
  'quote.convert.amounts_changed',
] as const

/** A document that was deleted or cancelled does not count, so the quote can be converted again. */
export const isGone = ({ invoiceStatus }: QuoteResult): boolean =>
  invoiceStatus === null || invoiceStatus === 'cancelled'

/** Creates a document and issues it if wanted. Refuses if its total is not the one that the buyer accepted. */
async function createDocument(
  context: Context,
  draft: Omit<DraftInput, 'issueDate'>,
  wanted: WantedDocument,
  payableMinor: bigint,
): Promise<Invoice> {
  const { issueDate = todayIn(context), dueDate, instalments, isFinalised } = wanted
  const outside = { ...context, db: context.tx, throttle: async () => {} }
  const plan = await createInvoice.plan(outside, {
    ...draft,
    issueDate,
    dueDate,
    instalments,
    primarySellerOnly: true,
  })
  const made = await createInvoice.fallback(context, plan)
  if (made instanceof Refusal) throw made
  // The legal tax rate of the day applies, and it may have changed since the quote.
  if (made.payableMinor !== payableMinor) throw refuse('quote.convert.amounts_changed')
  return isFinalised ? await finaliseInTransaction(context, { id: made.id }) : made
}

async function saveResult(
  context: Context,
  quote: Quote,
  kind: ResultKind,
  made: Invoice,
  restAllowanceMinor: bigint | null,
): Promise<Quote> {
  const { tx, caller, now } = context
  const { tenant } = caller
  const { id: invoiceId, number: invoiceNumber, payableMinor } = made
  await insertResult(tx, tenant, quote.id, { kind, invoiceId, invoiceNumber, payableMinor, restAllowanceMinor }, now)
  await saveStatus(tx, tenant, quote.id, 'converted', now)
  const converted = await getOwnQuote(tx, tenant, quote.id, now)
  emitQuoteEvent(context, 'quote.converted', tenant, converted, { invoiceId, invoiceNumber, result: kind })
  return converted
}

/** The deposit with one line for each tax group, which has the codes of its largest line. */
async function depositOf(context: Context, quote: Quote, parts: DividedQuote): Promise<Omit<DraftInput, 'issueDate'>> {
  const { tx, caller } = context
  const { currency, number, taxGroups, lines } = quote
  const buyer = quote.buyerId === null ? undefined : await findBuyer(tx, caller.tenant, quote.buyerId)
  const description = asDocumentText(wordingOf(buyer?.language ?? null).say('offer.deposit_line', { number }))
  const contents = await draftOf(tx, caller.tenant, quote)
  return {
    ...contents,
    type: 'prepayment',
    quoteReference: number,
    allowance: undefined,
    charge: undefined,
    lines: taxGroups.flatMap(({ category }, at) => {
      const netMinor = parts.depositNetsMinor[at] as bigint
      if (netMinor === 0n) return []
      const largest = lines
        .filter(({ taxCategory }) => taxCategory === category)
        .reduce((most, line) => (line.netMinor > most.netMinor ? line : most))
      const { hsnCode, serviceCode, productCategory, unitCode } = largest
      return {
        description,
        itemName: null,
        hsnCode,
        serviceCode,
        productCategory,
        unitCode,
        quantity: { units: 1n, scale: 0 },
        unitPrice: majorOf(netMinor, currency),
        taxCategory: category,
        isKept: true as const,
      }
    }),
  }
}

function dividedBy(quote: Quote, size: DepositSize): DividedQuote {
  const wantedMinor =
    'percent' in size
      ? documentContents.percentOf(quote.payableMinor, size.percent)
      : checkedMinor('deposit.amount', size.amount, quote.currency)
  const parts = divided(quote, wantedMinor)
  if (!parts)
    throw invalid([
      {
        path: 'deposit',
        rule: 'range',
        message: 'must be more than 0 and less than the total of the quote without its charges',
      },
    ])
  return parts
}

/**
 * Makes an invoice of a quote, or a deposit. The lock of the quote and one transaction for document and result make sure that a quote is
 * converted once, whatever dies.
 */
export const convertQuote = operation(
  { needs, refuses: [...refuses, 'quote.convert.not_possible'] },
  async (
    context: Context,
    { id, deposit, ...wanted }: QuoteRef & WantedDocument & { readonly deposit: DepositSize | undefined },
  ): Promise<Quote> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const quote = await lockOwnQuote(tx, tenant, id, now)
    const isUndone = quote.status === 'converted' && quote.results.every(isGone)
    if (!isUndone && !statusAfter(quote.status, 'convert')) throw refuse('quote.convert.not_possible')
    const gone = quote.results.map(({ invoiceId }) => invoiceId)
    if (gone.length > 0) await deleteResults(tx, tenant, id, gone)
    if (deposit) {
      const parts = dividedBy(quote, deposit)
      const made = await createDocument(context, await depositOf(context, quote, parts), wanted, parts.depositMinor)
      return await saveResult(context, quote, 'deposit', made, parts.restAllowanceMinor)
    }
    const contents = await draftOf(tx, tenant, quote)
    const draft = { ...contents, type: 'standard', quoteReference: quote.number } as const
    const made = await createDocument(context, draft, wanted, quote.payableMinor)
    return await saveResult(context, quote, 'invoice', made, null)
  },
)

/** The deposit whose final invoice is still missing. */
export const openDepositOf = ({ results }: Pick<Quote, 'results'>): QuoteResult | undefined =>
  results.some((result) => result.kind === 'final' && !isGone(result))
    ? undefined
    : results.find((result) => result.kind === 'deposit' && !isGone(result))

/** The sum of the quote's documents as they are now, after changes, deletions and credits. */
export const invoicedMinorOf = ({ results }: Pick<Quote, 'results'>): bigint =>
  results.reduce((sum, result) => sum + (isGone(result) ? 0n : (result.payableNowMinor ?? 0n)), 0n)

const longestNotes = writtenFields.notes.maxLength

/** The sentence is never lost. If both are too long together, the notes end earlier; the quote has all of them. */
export function notesWith(sentence: string, notes: string | null | undefined): string {
  if (!notes) return sentence
  const whole = `${sentence}\n\n${notes}`
  if (whole.length <= longestNotes) return whole
  // The cut may go through a character of two code units.
  const shortened = whole.slice(0, longestNotes - 2).replace(/[\ud800-\udbff]$/, '')
  return `${shortened.trimEnd()} …`
}

/**
 * Makes the invoice for the rest, once. Together with the deposit it is exactly the total of the quote. The deposit must be issued, and nobody
 * can change it before the final invoice is saved.
 */
export const invoiceRest = operation(
  {
    needs,
    refuses: [...refuses, 'quote.convert.no_rest', 'quote.convert.deposit_not_issued', 'quote.convert.deposit_changed'],
  },
  async (context: Context, { id, ...wanted }: QuoteRef & WantedDocument): Promise<Quote> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    await lockOwnQuote(tx, tenant, id, now)
    await lockResults(tx, tenant, id)
    const quote = await getOwnQuote(tx, tenant, id, now)
    const { currency, number, payableMinor } = quote
    const deposit = openDepositOf(quote)
    if (!deposit) throw refuse('quote.convert.no_rest')
    if (deposit.invoiceStatus === 'draft' || deposit.invoiceStatus === 'rejected')
      throw refuse('quote.convert.deposit_not_issued')
    if (deposit.payableNowMinor !== deposit.payableMinor) throw refuse('quote.convert.deposit_changed')
    const gone = quote.results.filter((result) => result.kind === 'final').map(({ invoiceId }) => invoiceId)
    if (gone.length > 0) await deleteResults(tx, tenant, id, gone)
    const buyer = quote.buyerId === null ? undefined : await findBuyer(tx, tenant, quote.buyerId)
    const wording = wordingOf(buyer?.language ?? null)
    const amount = wording.money(deposit.payableMinor, currency)
    const deducted = asDocumentText(wording.say('offer.deposit_deducted', { amount, number: deposit.invoiceNumber }))
    const contents = await draftOf(tx, tenant, quote)
    const draft = {
      ...contents,
      type: 'standard',
      quoteReference: number,
      allowance: majorOf(deposit.restAllowanceMinor ?? 0n, currency),
      notes: notesWith(deducted, contents.notes),
    } as const
    const made = await createDocument(context, draft, wanted, payableMinor - deposit.payableMinor)
    return await saveResult(context, quote, 'final', made, null)
  },
)
