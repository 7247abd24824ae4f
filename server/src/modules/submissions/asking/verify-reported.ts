import type { PublicCaller } from '../../../kernel/callers.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'
import { minorOf } from '../../../kernel/money-words.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { readDocument } from '../../invoices/index.ts'
import { listSignedAs } from '../state/submissions.store.ts'

/** The public facts of a reported document. */
export interface ReportedFacts
  extends Pick<InvoiceDocument, 'type' | 'number' | 'mode' | 'issueDate' | 'taxMinor' | 'payableMinor' | 'currency'> {
  readonly reference: string
  readonly sellerName: string | null
  readonly isCancelled: boolean
}

/** The most documents with one reference that are checked. Only a sandbox has several. */
const mostOfReference = 20

/**
 * Whether a document was reported, for anybody who has its authority reference and its total. References can be
 * guessed, so a wrong reference and a wrong total get the same reply.
 */
export const verifyReported = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async (
    { db, ports }: Outside<PublicCaller>,
    { reference, total }: { readonly reference: string; readonly total: Decimal },
  ): Promise<ReportedFacts> => {
    const serviceIds = ports.jurisdictions.all.flatMap(({ connections }) => connections.serviceIdOf(reference) ?? [])
    for (const serviceId of serviceIds)
      for (const { invoiceId, ...tenant } of await listSignedAs(db, serviceId, reference, mostOfReference)) {
        const found = await readDocument(db, tenant, invoiceId)
        if (found === undefined || found.document.payableMinor !== minorOf(total, found.document.currency)) continue
        const { type, number, mode, issueDate, taxMinor, payableMinor, currency, seller } = found.document
        const isCancelled = found.invoice.status === 'cancelled'
        const sellerName = seller?.name ?? null
        return { type, number, mode, issueDate, taxMinor, payableMinor, currency, reference, sellerName, isCancelled }
      }
    throw refuse('resource.not_found')
  },
)
