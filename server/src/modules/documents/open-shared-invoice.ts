import type { PublicCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findSharedByToken, hashOfToken } from '../invoices/index.ts'
import { type DocumentRef, wholeDocument } from './read-document.ts'
import { type Rendered, renderedNow } from './rendering.ts'

async function sharedBy({ db }: Outside<PublicCaller>, token: string): Promise<DocumentRef> {
  const shared = await findSharedByToken(db, hashOfToken(token))
  if (!shared) throw refuse('resource.not_found')
  return { ...shared, id: shared.invoiceId }
}

/** What the public page of an invoice shows to whoever has its link. */
export const openSharedInvoice = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported'] },
  async (context: Outside<PublicCaller>, { token }: { token: string }) => {
    const { document, letterhead, words, jurisdiction } = await wholeDocument(context, await sharedBy(context, token))
    return { document, letterhead, words: { ...words, today: businessDay(context.now, jurisdiction.zone) } }
  },
)

export const openSharedPdf = reading(
  { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported', 'document.not_drawn'] },
  async (context: Outside<PublicCaller>, { token }: { token: string }): Promise<Rendered> =>
    await renderedNow(context, await sharedBy(context, token), 'pdf'),
)
