import { hash } from 'node:crypto'
import type { PublicCaller, TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { InvoiceId, InvoiceStatus } from '../invoices/index.ts'
import { grantFrom, linkToken } from './download-link.ts'
import { wholeDocument } from './read-document.ts'
import { type DocumentFormat, type Rendered, rendered } from './rendering.ts'

const linkLifeMs = 15 * 60_000

/** The authority has taken it, whatever became of it afterwards. */
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
  /** nothing that the authority has not accepted */
  readonly acceptedOnly?: true
}

/** A link to the document that works for a quarter of an hour without a token, and the fingerprint of what it gives. */
export const downloadInvoice = reading(
  {
    needs: ['invoice.download_pdf'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'invoice.download.not_accepted'],
  },
  async (context: Outside<TokenCaller>, { id, format, acceptedOnly }: DownloadRequest): Promise<Download> => {
    const { caller, now, vault, settings } = context
    const whole = await wholeDocument(context, { ...caller.tenant, id })
    if (acceptedOnly && !accepted.includes(whole.invoice.status)) throw refuse('invoice.download.not_accepted')
    const { bytes, contentType } = await rendered(whole, format)
    const sha256 = hash('sha256', bytes)
    const expiresAt = new Date(now.getTime() + linkLifeMs)
    const token = linkToken(vault, { ...caller.tenant, id, format, sha256, expiresAt })
    return { url: new URL(`/downloads/${token}`, settings.dashboardUrl).href, expiresAt, contentType, sha256 }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })

/** What a link gives: exactly the bytes that were promised, or nothing. */
export const openDownload = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (context: Outside<PublicCaller>, { token }: { token: string }): Promise<Rendered> => {
    const grant = grantFrom(context.vault, token)
    if (!grant || grant.expiresAt <= context.now)
      throw gone('This link has expired or is not whole; ask for a new one.')
    const file = await rendered(await wholeDocument(context, grant), grant.format)
    if (hash('sha256', file.bytes) !== grant.sha256)
      throw gone('The document has changed since this link was made; ask for a new one.')
    return file
  },
)
