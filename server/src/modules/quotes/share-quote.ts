import { randomBytes } from 'node:crypto'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { QuoteId } from './quote.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { deleteQuoteShare, findQuoteShare, hashOfToken, insertQuoteShare } from './quote-shares.store.ts'
import { lockOwnQuote, type QuoteRef } from './read-quotes.ts'
import { quoteTokenPlace } from './sealed-columns.ts'

export interface QuoteLink {
  readonly url: string
  readonly sharedAt: Date
}

type ShareContext = Pick<Inside<Caller>, 'tx' | 'now' | 'vault' | 'settings'>

const urlOf = (token: string, { dashboardUrl }: ShareContext['settings']): string =>
  new URL(`/s/quote/${token}`, dashboardUrl).href

/** `undefined` if there is no link, or if it was ended. */
export async function findLink(
  { tx, vault, settings }: Omit<ShareContext, 'now'>,
  tenant: Tenant,
  id: QuoteId,
): Promise<QuoteLink | undefined> {
  const known = await findQuoteShare(tx, tenant, id)
  if (!known) return undefined
  const token = vault.open(known.sealedToken, quoteTokenPlace(known.id))
  return { url: urlOf(token, settings), sharedAt: known.sharedAt }
}

/** The caller holds the lock of the quote, so that concurrent requests get the same link. */
export async function findOrMakeLink(
  context: ShareContext,
  tenant: Tenant,
  id: QuoteId,
): Promise<QuoteLink & { readonly isNew: boolean }> {
  const { tx, now, vault, settings } = context
  const known = await findLink(context, tenant, id)
  if (known) return { ...known, isNew: false }
  const token = randomBytes(32).toString('base64url')
  const shareId = newId()
  await insertQuoteShare(tx, tenant, {
    id: shareId,
    quoteId: id,
    tokenHash: hashOfToken(token),
    sealedToken: vault.seal(token, quoteTokenPlace(shareId)),
    sharedAt: now,
  })
  return { url: urlOf(token, settings), sharedAt: now, isNew: true }
}

/** Creates a link to the public page, where the buyer can accept or decline; returns the same link while it works. */
export const shareQuote = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found', 'quote.share.not_sent'] },
  async (context: Inside<TokenCaller>, { id }: QuoteRef): Promise<QuoteRef & QuoteLink> => {
    const { tx, caller, now } = context
    const quote = await lockOwnQuote(tx, caller.tenant, id, now)
    if (quote.status === 'draft') throw refuse('quote.share.not_sent')
    const { isNew, ...link } = await findOrMakeLink(context, caller.tenant, id)
    if (isNew) emitQuoteEvent(context, 'quote.shared', caller.tenant, quote)
    return { id, ...link }
  },
)

/** Ends the link. */
export const unshareQuote = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found'] },
  async (context: Inside<TokenCaller>, { id }: QuoteRef): Promise<QuoteRef> => {
    const { tx, caller, now } = context
    const quote = await lockOwnQuote(tx, caller.tenant, id, now)
    if (await deleteQuoteShare(tx, caller.tenant, id)) emitQuoteEvent(context, 'quote.unshared', caller.tenant, quote)
    return { id }
  },
)
