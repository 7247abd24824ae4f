import type { PublicCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findSharedByToken, hashOfToken } from '../invoices/index.ts'
import { type WholeDocument, wholeDocument } from './read-document.ts'
import { type Rendered, rendered } from './rendering.ts'

async function sharedBy(context: Outside<PublicCaller>, token: string): Promise<WholeDocument> {
  const shared = await findSharedByToken(context.db, hashOfToken(token))
  if (!shared) throw refuse('resource.not_found')
  return await wholeDocument(context, { ...shared, id: shared.invoiceId })
}

const facts = { needs: [], refuses: ['resource.not_found', 'jurisdiction.unsupported'] } as const

/** What the public page of an invoice shows to whoever has its link. */
export const openSharedInvoice = reading(
  facts,
  async (context: Outside<PublicCaller>, { token }: { token: string }) => {
    const { document, letterhead, words, jurisdiction } = await sharedBy(context, token)
    return { document, letterhead, words: { ...words, today: businessDay(context.now, jurisdiction.zone) } }
  },
)

export const openSharedPdf = reading(
  facts,
  async (context: Outside<PublicCaller>, { token }: { token: string }): Promise<Rendered> =>
    await rendered(await sharedBy(context, token), 'pdf'),
)
