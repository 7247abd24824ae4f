import { createHash } from 'node:crypto'
import type { PublicCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { offers, type RenderedFile } from '../documents/index.ts'
import type { Quote } from './quote.ts'
import { offeredDocument } from './quote-document.ts'
import { findQuoteByToken } from './quote-shares.store.ts'
import { getOwnQuote } from './read-quotes.ts'

/** A link, and the language that its reader chose; the buyer's if absent. */
interface OpenedLink {
  readonly token: string
  readonly language?: Language | undefined
}

/** The contents of the public page of a quote. */
export interface SharedQuote extends offers.OfferedDocument {
  readonly quote: Pick<Quote, 'status' | 'versionNumber' | 'payableMinor' | 'validUntil'>
  /** the decision with its day in the seller's country */
  readonly decision: { readonly name: string; readonly day: string; readonly remark: string | null } | null
  readonly today: string
}

const facts = {
  needs: [],
  refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'],
} as const

async function sharedBy(context: Outside<PublicCaller>, { token, language }: OpenedLink) {
  const found = await findQuoteByToken(context.db, token)
  if (!found) throw refuse('resource.not_found')
  const { quoteId, organisationId, mode } = found
  const tenant = { organisationId, mode }
  const now = await context.nowOf(tenant)
  const quote = await getOwnQuote(context.db, tenant, quoteId, now)
  return { tenant, quote, offered: await offeredDocument({ ...context, now }, tenant, quote, { language }) }
}

/** The public page. The link is the only credential. It always shows the current version. */
export const openSharedQuote = reading(
  { ...facts, usesPrimary: true },
  async (
    context: Outside<PublicCaller>,
    { write, ...link }: OpenedLink & { readonly write: (shared: SharedQuote) => string },
  ): Promise<Pick<RenderedFile, 'bytes' | 'sha256'>> => {
    const { quote, offered } = await sharedBy(context, link)
    const { name, remark, decidedAt } = quote.decision ?? {}
    const decision =
      name === undefined || decidedAt === undefined
        ? null
        : { name, remark: remark ?? null, day: businessDay(decidedAt, offered.zone) }
    const bytes = Buffer.from(write({ ...offered, quote, decision }))
    return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  },
)

export const openSharedQuotePdf = reading(
  facts,
  async (context: Outside<PublicCaller>, link: OpenedLink): Promise<RenderedFile> => {
    const { tenant, offered } = await sharedBy(context, link)
    return await offers.offerPdf(context, tenant.organisationId, offered)
  },
)
