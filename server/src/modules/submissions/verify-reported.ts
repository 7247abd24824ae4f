import type { PublicCaller } from '../../kernel/callers.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { readDocument } from '../invoices/index.ts'
import { listSignedAs } from './submissions.store.ts'

/** What is told of a document to whoever holds it. */
export interface ReportedFacts
  extends Pick<InvoiceDocument, 'type' | 'number' | 'mode' | 'issueDate' | 'taxMinor' | 'payableMinor' | 'currency'> {
  readonly reference: string
  readonly sellerName: string | null
  readonly isCancelled: boolean
}

/** As many of one reference are looked at: only in a sandbox are there several. */
const mostOfReference = 20

/**
 * Whether a document was reported, for whoever holds it: the authority's number of it, and the total that stands on it. Numbers can be guessed, so
 * that nothing is told to those who know only one of the two, nor which of them was wrong.
 */
export const verifyReported = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async (
    { db, ports }: Outside<PublicCaller>,
    { reference, totalMinor }: { readonly reference: string; readonly totalMinor: bigint },
  ): Promise<ReportedFacts> => {
    const serviceIds = ports.jurisdictions.all.flatMap(({ connections }) => connections.serviceIdOf(reference) ?? [])
    for (const serviceId of serviceIds)
      for (const { invoiceId, ...tenant } of await listSignedAs(db, serviceId, reference, mostOfReference)) {
        const found = await readDocument(db, tenant, invoiceId)
        if (found?.document.payableMinor !== totalMinor) continue
        const { type, number, mode, issueDate, taxMinor, payableMinor, currency, seller } = found.document
        const isCancelled = found.invoice.status === 'cancelled'
        const sellerName = seller?.name ?? null
        return { type, number, mode, issueDate, taxMinor, payableMinor, currency, reference, sellerName, isCancelled }
      }
    throw refuse('resource.not_found')
  },
)
