import { createHash } from 'node:crypto'
import type { PublicCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { DocumentWords } from '../../kernel/document-words.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findAccountToPay } from '../collection/index.ts'
import { invoiceShares } from '../invoices/index.ts'
import type { KeptFile } from './drawing/drawer.ts'
import { type DocumentRef, wholeDocument } from './read-document.ts'
import { documentState, keptUnder, type RenderedFile, renderedNow } from './rendering.ts'

async function sharedBy(
  { db }: Outside<PublicCaller>,
  token: string,
): Promise<DocumentRef & { readonly shareId: string }> {
  const shared = await invoiceShares.findSharedByToken(db, token)
  if (!shared) throw refuse('resource.not_found')
  return { ...shared, id: shared.invoiceId }
}

/** The contents of an invoice's public page. */
export interface SharedInvoice {
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly words: DocumentWords & { readonly today: string }
  /** changes with everything that is shown */
  readonly version: string
}

/** A link, and the language that its reader chose; the buyer's if absent. */
interface OpenedLink {
  readonly token: string
  readonly language?: Language | undefined
}

/**
 * The version covers everything that the page shows, except the language that its reader chose: the same version means the
 * same contents.
 */
async function shownNow(context: Outside<PublicCaller>, { token, language: chosen }: OpenedLink) {
  const { ports } = context
  const ref = await sharedBy(context, token)
  const now = await context.nowOf(ref)
  const state = await documentState(context, ref)
  const jurisdiction = ports.jurisdictions.of(state.country)
  if (!jurisdiction) throw refuse('jurisdiction.unsupported')
  const today = businessDay(now, jurisdiction.zone)
  // A transfer to the invoice's virtual account needs no reference and is matched at once.
  const account = await findAccountToPay(context.db, ref, ref.id, now)
  const shown = ['page', ref.shareId, today, account?.id ?? 'no account', state.language]
  const contents = keptUnder(context, ref, state, ...shown)
  const language = chosen ?? state.language
  const version = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  return { ref, today, account, language, key: `${contents} ${language}`, version }
}

/** The rendered page, cached until something that it shows changes, or the day does. */
export const openSharedPage = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (
    context: Outside<PublicCaller>,
    { write, ...link }: OpenedLink & { write: (shared: SharedInvoice) => string },
  ): Promise<KeptFile> => {
    const { ref, today, account, language, key, version } = await shownNow(context, link)
    return await context.ports.drawer.text(key, async () => {
      const { document, letterhead, words } = await wholeDocument(context, ref, language)
      const bank = account ?? letterhead.bank
      return write({ document, letterhead: { ...letterhead, bank }, words: { ...words, today }, version })
    })
  },
)

/** The invoice of a page, and the version by which a visitor's page is compared. */
export const watchSharedPage = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (context: Outside<PublicCaller>, link: OpenedLink) => {
    const { ref, version } = await shownNow(context, link)
    return { organisationId: ref.organisationId, mode: ref.mode, id: ref.id, version }
  },
)

export const openSharedPdf = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  async (context: Outside<PublicCaller>, { token, language }: OpenedLink): Promise<RenderedFile> =>
    await renderedNow(context, await sharedBy(context, token), 'pdf', language),
)
