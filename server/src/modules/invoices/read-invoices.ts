import type { TokenCaller } from '../../kernel/callers.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findBuyer } from '../buyers/index.ts'
import { findSeller } from '../sellers/index.ts'
import { buyerParty, documentOf, type Parties, sellerParty } from './document.ts'
import type { Invoice, InvoiceId, InvoiceSummary } from './invoice.ts'
import { findInvoice, findSummary } from './invoices.store.ts'

export async function getOwnInvoice(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<Invoice> {
  const invoice = await findInvoice(db, tenant, id)
  if (!invoice) throw refuse('resource.not_found')
  return invoice
}

export const getInvoice = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  ({ db, caller }: Outside<TokenCaller>, { id }: { id: InvoiceId }) => getOwnInvoice(db, caller.tenant, id),
)

/** Without lines, for polling. */
export const getInvoiceStatus = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: InvoiceId }): Promise<InvoiceSummary> => {
    const summary = await findSummary(db, caller.tenant, id)
    if (!summary) throw refuse('resource.not_found')
    return summary
  },
)

/** The current parties of a draft. */
async function partiesToday(
  db: Queryable,
  tenant: Tenant,
  { sellerId, buyerId }: Pick<Invoice, 'sellerId' | 'buyerId'>,
): Promise<Parties> {
  const seller = sellerId === null ? undefined : await findSeller(db, tenant, sellerId)
  const buyer = buyerId === null ? undefined : await findBuyer(db, tenant, buyerId)
  return { seller: seller ? sellerParty(seller) : null, buyer: buyer ? buyerParty(buyer) : null }
}

/** A document for reading, with its original. */
export async function readDocument(
  db: Queryable,
  tenant: Tenant,
  id: InvoiceId,
): Promise<{ invoice: Invoice; document: InvoiceDocument } | undefined> {
  const invoice = await findInvoice(db, tenant, id)
  if (!invoice) return undefined
  const parties = invoice.status === 'draft' ? await partiesToday(db, tenant, invoice) : { seller: null, buyer: null }
  const original = invoice.originalId === null ? undefined : await findInvoice(db, tenant, invoice.originalId)
  return { invoice, document: documentOf(invoice, tenant.mode, parties, original) }
}
