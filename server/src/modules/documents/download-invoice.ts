import { makerOf, type PublicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { InvoiceId, InvoiceStatus } from '../invoices/index.ts'
import { grantFrom, linkToken } from './download-link.ts'
import { type DocumentFormat, documentState, type RenderedFile, rendered, renderedNow } from './rendering.ts'

const linkLifeMs = 15 * 60_000

/** The authority accepted the document at some time. */
const accepted: readonly InvoiceStatus[] = ['accepted', 'cancellation_pending', 'cancelled']

export interface Download {
  readonly url: string
  readonly expiresAt: Date
  readonly contentType: string
  readonly sha256: string
}

export interface DownloadRequest {
  readonly id: InvoiceId
  readonly format: DocumentFormat
  /** refuse documents that the authority has not accepted */
  readonly acceptedOnly?: true
}

/** Creates a link to the document that works for 15 minutes without a token, with the fingerprint of the file. */
export const downloadInvoice = reading(
  {
    needs: ['invoice.download_pdf'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'invoice.download.not_accepted', 'document.not_drawn'],
  },
  async (context: Outside<TokenCaller>, { id, format, acceptedOnly }: DownloadRequest): Promise<Download> => {
    const { caller, realNow, vault, settings } = context
    const ref = { ...caller.tenant, id }
    const state = await documentState(context, ref)
    if (acceptedOnly && !accepted.includes(state.status)) throw refuse('invoice.download.not_accepted')
    const { contentType, sha256 } = await rendered(context, ref, state, format)
    const expiresAt = new Date(realNow.getTime() + linkLifeMs)
    const token = linkToken(vault, { ...ref, format, sha256, expiresAt, maker: makerOf(caller) })
    return { url: new URL(`/downloads/${token}`, settings.dashboardUrl).href, expiresAt, contentType, sha256 }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })

/**
 * Opens a download link: gives exactly the promised bytes, or nothing. Gives nothing once the creator has lost the
 * capability.
 */
export const openDownload = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  async (context: Outside<PublicCaller>, { token }: { token: string }): Promise<RenderedFile> => {
    const { db, vault, realNow, ports } = context
    const grant = grantFrom(vault, token)
    if (!grant || grant.expiresAt <= realNow) throw gone('This link has expired or is incomplete. Request a new one.')
    const held = await ports.capabilitiesNow(db, grant, grant.maker, realNow)
    if (!held.has('invoice.download_pdf'))
      throw gone('The creator of this link no longer has permission to download the invoice. Request a new link.')
    const file = await renderedNow(context, grant, grant.format)
    if (file.sha256 !== grant.sha256)
      throw gone('The document has changed since this link was created. Request a new one.')
    return file
  },
)
