import { type Maker, makerOf, type PublicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { signedText, signedWords } from '../../platform/secrets/signed-words.ts'
import { offers, type RenderedFile } from '../documents/index.ts'
import type { QuoteId } from './quote.ts'
import { offeredDocument } from './quote-document.ts'
import { findVersion } from './quotes.store.ts'
import { getOwnQuote, type QuoteRef } from './read-quotes.ts'

const purpose = 'link to a quote'
const linkLifeMs = 15 * 60_000

export interface QuoteDownload {
  readonly url: string
  readonly expiresAt: Date
}

/** Creates a link to the PDF of a version that works for 15 minutes without a token. */
export const downloadQuote = reading(
  { needs: ['invoice.download_pdf'], refuses: ['resource.not_found'] },
  async (
    { db, caller, now, realNow, vault, settings }: Outside<TokenCaller>,
    { id, versionNumber: wanted }: QuoteRef & { readonly versionNumber: number | undefined },
  ): Promise<QuoteDownload> => {
    const { tenant } = caller
    const quote = await getOwnQuote(db, tenant, id, now)
    const versionNumber = wanted ?? quote.versionNumber
    if (versionNumber > quote.versionNumber) throw refuse('resource.not_found')
    const expiresAt = new Date(realNow.getTime() + linkLifeMs)
    const { kind, id: makerId } = makerOf(caller)
    const named = [tenant.organisationId, tenant.mode, id, versionNumber, expiresAt.getTime(), kind, makerId]
    return {
      url: new URL(`/downloads/quote/${signedText(vault, purpose, named)}`, settings.dashboardUrl).href,
      expiresAt,
    }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })

/** Opens a download link. The link ends with the permission of its creator. */
export const openQuoteDownload = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  async (context: Outside<PublicCaller>, { token }: { readonly token: string }): Promise<RenderedFile> => {
    const { db, vault, realNow, ports } = context
    const words = signedWords(vault, purpose, token) ?? []
    const [organisationId, mode, id, versionNumber, expires, makerKind, makerId] = words
    if (makerId === undefined || new Date(Number(expires)) <= realNow)
      throw gone('This link has expired or is incomplete. Request a new one.')
    const tenant: Tenant = { organisationId: organisationId as Tenant['organisationId'], mode: mode as Mode }
    const held = await ports.capabilitiesNow(db, tenant, { kind: makerKind, id: makerId } as Maker, realNow)
    if (!held.has('invoice.download_pdf'))
      throw gone('The creator of this link no longer has permission to download it. Request a new link.')
    const now = await context.nowOf(tenant)
    const quote = await getOwnQuote(db, tenant, id as QuoteId, now)
    const version = await findVersion(db, tenant, quote.id, Number(versionNumber))
    if (!version) throw gone('This version does not exist.')
    const offered = await offeredDocument({ ...context, now }, tenant, quote, { version })
    return await offers.offerPdf(context, tenant.organisationId, offered)
  },
)
