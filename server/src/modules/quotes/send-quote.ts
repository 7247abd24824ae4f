import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { searchTextOf } from '../../kernel/search-text.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findBuyer } from '../buyers/index.ts'
import { mailLimits } from '../messages/index.ts'
import { copiedParties } from './copied-parties.ts'
import type { Quote } from './quote.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { statusAfter } from './quote-status.ts'
import { saveQuote, saveVersion } from './quotes.store.ts'
import { getOwnQuote, lockOwnQuote, type QuoteRef } from './read-quotes.ts'
import { findOrMakeLink } from './share-quote.ts'

/**
 * Opens a draft for the buyer, and mails it unless that is unwanted. A sent quote is mailed again. Each call emits an event, and a consumer
 * writes the mail.
 */
export const sendQuote = operation(
  {
    needs: ['invoice.send_to_buyer'],
    refuses: [
      'resource.not_found',
      'quote.send.not_open',
      'quote.send.expired',
      'quote.send.incomplete',
      'quote.send.no_email',
      'limit.document_mails',
      'limit.mails',
    ],
  },
  async (context: Inside<TokenCaller>, { id, isMailed }: QuoteRef & { readonly isMailed: boolean }): Promise<Quote> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const quote = await lockOwnQuote(tx, tenant, id, now)
    const { versionNumber, expiresAt } = quote
    const status = statusAfter(quote.status, 'send')
    if (quote.status === 'expired' || (status && expiresAt !== null && expiresAt <= now))
      throw refuse('quote.send.expired')
    if (!status) throw refuse('quote.send.not_open')
    const buyer = quote.buyerId === null ? undefined : await findBuyer(tx, tenant, quote.buyerId)
    const to = isMailed ? (buyer?.email ?? quote.buyerCopy?.email ?? null) : null
    const parties = quote.status === 'draft' ? await copiedParties(tx, tenant, quote) : quote
    if (quote.status === 'draft') await saveVersion(tx, tenant, id, versionNumber, { ...quote, ...parties }, now)
    const search = searchTextOf(quote.number, parties.buyerName)
    if (isMailed) {
      if (to === null) throw refuse('quote.send.no_email')
      await mailLimits.countDocumentMail(context, tenant, id, to)
      // The link is made here and not with the mail: a user may end the link before the mail is written.
      await findOrMakeLink(context, tenant, id)
    }
    await saveQuote(tx, tenant, id, { status, versionNumber, expiresAt, sentAt: now, search }, now)
    const sent = await getOwnQuote(tx, tenant, id, now)
    // The buyer may have an earlier version already.
    const isRevised = quote.sentAt !== null && versionNumber > 1
    emitQuoteEvent(context, 'quote.sent', tenant, sent, { to, ...(isRevised ? { revised: true as const } : {}) })
    return sent
  },
)
