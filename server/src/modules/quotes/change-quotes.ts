import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay, startOfDay } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { searchTextOf } from '../../kernel/search-text.ts'
import { faultsOfDays, noDays } from '../../kernel/written-fields.ts'
import { actorOf } from '../../platform/events/actors.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { documentContents } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { copiedParties } from './copied-parties.ts'
import { draftOf } from './draft-of-quote.ts'
import { type Quote, type QuoteContent, type QuoteId, type QuoteType, seriesOf } from './quote.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { statusAfter } from './quote-status.ts'
import { insertQuote, lockOpenCount, saveQuote, saveStatus, saveVersion, type VersionContent } from './quotes.store.ts'
import { getOwnQuote, lockOwnQuote, type QuoteRef } from './read-quotes.ts'

type Context = Inside<TokenCaller>

/** More than a business has offers that wait for an answer. */
const mostOpen = 20_000
/** More than any buyer bargains. */
const mostVersions = 50

const contentRefusals = [
  'request.invalid',
  'jurisdiction.unsupported',
  'invoice.seller_unknown',
  'invoice.buyer_unknown',
  'invoice.buyer_archived',
  'invoice.item_unknown',
  'invoice.item_archived',
] as const

const zoneOf = ({ ports, caller }: Pick<Context, 'ports' | 'caller'>): string => jurisdictionOf(ports, caller).zone
export const todayIn = (context: Pick<Context, 'ports' | 'caller' | 'now'>): string =>
  businessDay(context.now, zoneOf(context))

const dayMs = 86_400_000
const dayAfter = (day: string): string => businessDay(new Date(Date.parse(day) + dayMs), 'UTC')

/** The first moment after the last valid day, in the organisation's time zone. */
const endOf = (context: Context, validUntil: string | null): Date | null =>
  validUntil === null ? null : startOfDay(dayAfter(validUntil), zoneOf(context))

/** Longer than any offer is kept open. Every day within it has an end in every time zone. */
const mostDaysOpen = 36_525

/** The contents with their amounts, by the rules of invoices. */
async function resolved(context: Context, { validUntil, ...sent }: QuoteContent): Promise<VersionContent> {
  const issueDate = sent.issueDate ?? todayIn(context)
  if (validUntil !== null && validUntil < issueDate)
    throw invalid([
      { path: 'validUntil', rule: 'range', message: `must not be before the date of the quote, ${issueDate}` },
      ...faultsOfDays(sent),
    ])
  if (validUntil !== null && Math.abs(Date.parse(validUntil) - context.now.getTime()) > mostDaysOpen * dayMs)
    throw invalid([{ path: 'validUntil', rule: 'range', message: 'must be within 100 years from today' }])
  const draft = await documentContents.composeDraft(context, {
    ...sent,
    type: 'standard',
    issueDate,
    primarySellerOnly: true,
  })
  return { ...draft, validUntil, sellerCopy: null, buyerCopy: null }
}

async function savedAs(
  context: Context,
  id: QuoteId,
  type: 'quote.created' | 'quote.updated' | 'quote.cancelled',
): Promise<Quote> {
  const { tx, caller, now } = context
  const quote = await getOwnQuote(tx, caller.tenant, id, now)
  emitQuoteEvent(context, type, caller.tenant, quote)
  return quote
}

async function insertDraft(context: Context, type: QuoteType, content: VersionContent): Promise<Quote> {
  const { tx, caller, now } = context
  const { tenant } = caller
  if ((await lockOpenCount(tx, tenant, now)) >= mostOpen) throw refuse('quote.too_many')
  const id = newId<'quote'>()
  const { kind, id: createdBy } = actorOf(caller)
  const number = await documentContents.takeNextNumber(tx, tenant, seriesOf[type])
  await insertQuote(tx, tenant, { id, type, number, createdBy: { type: kind, id: createdBy }, createdAt: now })
  await saveVersion(tx, tenant, id, 1, content, now)
  const search = searchTextOf(number, content.buyerName)
  const { validUntil } = content
  await saveQuote(
    tx,
    tenant,
    id,
    { status: 'draft', versionNumber: 1, expiresAt: endOf(context, validUntil), sentAt: null, search },
    now,
  )
  return await savedAs(context, id, 'quote.created')
}

/** Saves a draft of a quote or proforma invoice. It costs no credits. */
export const createQuote = operation(
  { needs: ['invoice.create'], refuses: [...contentRefusals, 'quote.too_many', 'state.changed'] },
  async (context: Context, { type, ...content }: QuoteContent & { readonly type: QuoteType }): Promise<Quote> =>
    await insertDraft(context, type, await resolved(context, content)),
)

/** Changes a draft. A quote that the buyer has gets a new version, which replaces the old one on the public page at once. */
export const changeQuote = operation(
  {
    needs: ['invoice.create'],
    refuses: [
      ...contentRefusals,
      'resource.not_found',
      'version.stale',
      'quote.change.not_open',
      'quote.send.incomplete',
      'quote.too_many_versions',
    ],
  },
  async (
    context: Context,
    { id, expectedVersion, ...sent }: QuoteRef & QuoteContent & { readonly expectedVersion?: number | undefined },
  ): Promise<Quote> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const quote = await lockOwnQuote(tx, tenant, id, now)
    if (expectedVersion !== undefined && expectedVersion !== quote.version) throw refuse('version.stale')
    const status = statusAfter(quote.status, 'change')
    if (!status) throw refuse('quote.change.not_open')
    const content = await resolved(context, { ...sent, issueDate: sent.issueDate ?? quote.issueDate })
    const isNew = quote.status !== 'draft'
    const today = todayIn(context)
    if (isNew && content.validUntil !== null && content.validUntil < today)
      throw invalid([{ path: 'validUntil', rule: 'range', message: `must not be before today, ${today}` }])
    if (isNew && quote.versionNumber >= mostVersions) throw refuse('quote.too_many_versions')
    const versionNumber = isNew ? quote.versionNumber + 1 : quote.versionNumber
    const copies = isNew ? await copiedParties(tx, tenant, content) : {}
    await saveVersion(tx, tenant, id, versionNumber, { ...content, ...copies }, now)
    const search = searchTextOf(quote.number, content.buyerName)
    const expiresAt = endOf(context, content.validUntil)
    await saveQuote(tx, tenant, id, { status, versionNumber, expiresAt, sentAt: quote.sentAt, search }, now)
    return await savedAs(context, id, 'quote.updated')
  },
)

/** Creates a draft with the same contents and prices, of today, without the written days. It is valid for as many days as the original. */
export const duplicateQuote = operation(
  { needs: ['invoice.create'], refuses: [...contentRefusals, 'resource.not_found', 'quote.too_many', 'state.changed'] },
  async (context: Context, { id }: QuoteRef): Promise<Quote> => {
    const { tx, caller, now } = context
    const quote = await getOwnQuote(tx, caller.tenant, id, now)
    const issueDate = todayIn(context)
    const { validUntil } = quote
    const validMs = validUntil === null ? 0 : Date.parse(validUntil) - Date.parse(quote.issueDate)
    const content: QuoteContent = {
      ...(await draftOf(tx, caller.tenant, quote)),
      ...noDays,
      issueDate,
      validUntil: validUntil && businessDay(new Date(Date.parse(issueDate) + validMs), 'UTC'),
    }
    return await insertDraft(context, quote.type, await resolved(context, content))
  },
)

/** Withdraws a quote. The public page says so. This cannot be undone. */
export const cancelQuote = operation(
  { needs: ['invoice.create'], refuses: ['resource.not_found', 'quote.cancel.not_open'] },
  async (context: Context, { id }: QuoteRef): Promise<Quote> => {
    const { tx, caller, now } = context
    const quote = await lockOwnQuote(tx, caller.tenant, id, now)
    const status = statusAfter(quote.status, 'cancel')
    if (!status) throw refuse('quote.cancel.not_open')
    await saveStatus(tx, caller.tenant, id, status, now)
    return await savedAs(context, id, 'quote.cancelled')
  },
)
