import type { TokenCaller } from '../../../kernel/callers.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Buyer, type BuyerId, findBuyer, holdBuyer } from '../../buyers/index.ts'
import { findPrimarySeller, findSeller, type Seller, type SellerId } from '../../sellers/index.ts'
import { canHaveNotes, fittedToRest } from '../crediting/fitted-to-rest.ts'
import type { Invoice } from '../invoice.ts'
import { findIdByReading, findInvoice, lockInvoice } from '../invoices.store.ts'
import { readingOf } from '../numbers.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/**
 * Where a draft is completed. In a transaction, everything that it depends on is locked; otherwise it is only read.
 */
export type CompletionContext =
  | { readonly tx: Tx; readonly caller: TokenCaller }
  | { readonly db: Queryable; readonly caller: TokenCaller }

const dbOf = (where: CompletionContext): Queryable => ('tx' in where ? where.tx : where.db)

/** The buyer for a draft: one of the tenant's that is not archived, or the buyer of the corrected document. */
export async function buyerFor(where: CompletionContext, id: BuyerId, original: Invoice | undefined): Promise<Buyer> {
  const { tenant } = where.caller
  const buyer = 'tx' in where ? await holdBuyer(where.tx, tenant, id) : await findBuyer(where.db, tenant, id)
  if (!buyer) throw refuse('invoice.buyer_unknown')
  if (buyer.archivedAt && id !== original?.buyerId) throw refuse('invoice.buyer_archived')
  return buyer
}

/** The seller for a draft. By default the organisation itself, as soon as it has a seller. */
export async function sellerFor(
  where: CompletionContext,
  wanted: SellerId | null,
  primaryOnly: boolean,
): Promise<Seller | undefined> {
  const { tenant } = where.caller
  if (wanted === null) return await findPrimarySeller(dbOf(where), tenant)
  const seller = await findSeller(dbOf(where), tenant, wanted)
  if (!seller || (primaryOnly && !seller.isPrimary)) throw refuse('invoice.seller_unknown')
  return seller
}

/** The default kind of an invoice, by its buyer. */
export const kindFor = (kinds: InvoicePlan['kinds'], buyer: Pick<Buyer, 'partyType' | 'taxId'> | undefined): string =>
  buyer?.partyType === 'government' ? kinds.government : buyer?.taxId ? kinds.registered : kinds.unregistered

/** The document that a note corrects: an issued invoice in the same currency. */
async function originalFor(where: CompletionContext, { currency }: Invoice, number: string): Promise<Invoice> {
  const { tenant } = where.caller
  const id = await findIdByReading(dbOf(where), tenant, readingOf(number))
  const found =
    id === undefined
      ? undefined
      : 'tx' in where
        ? await lockInvoice(where.tx, tenant, id)
        : await findInvoice(where.db, tenant, id)
  if (!found || found.status === 'draft') throw refuse('invoice.original_unknown')
  if (!canHaveNotes(found)) throw refuse('invoice.note.not_possible')
  if (found.currency !== currency)
    throw invalid([{ path: 'currency', rule: 'original', message: `must be ${found.currency}, as on the original` }])
  return found
}

export interface CompletedDraft {
  /** everything except its number */
  readonly invoice: Invoice
  readonly original: Invoice | undefined
  readonly buyer: Buyer | undefined
  readonly seller: Seller | undefined
}

/**
 * Completes a planned draft with its parties and its original, or refuses. Saving and validating both use this
 * function, so that both give the same reply.
 */
export async function completeDraft(where: CompletionContext, plan: InvoicePlan): Promise<CompletedDraft> {
  const { draft, kinds, primarySellerOnly, originalNumber } = plan
  const original = originalNumber === undefined ? undefined : await originalFor(where, draft, originalNumber)
  const buyer = draft.buyerId === null ? undefined : await buyerFor(where, draft.buyerId, original)
  const seller = await sellerFor(where, draft.sellerId, primarySellerOnly)
  const amounts =
    original && draft.type === 'credit_note'
      ? await fittedToRest(dbOf(where), where.caller.tenant, original, draft)
      : draft
  const invoice: Invoice = {
    ...amounts,
    sellerId: seller?.id ?? null,
    kind: draft.kind === '' ? kindFor(kinds, buyer) : draft.kind,
    buyerName: buyer?.name ?? null,
    buyerTaxId: buyer?.taxId ?? null,
    originalId: original?.id ?? null,
    originalNumber: original?.number ?? null,
  }
  return { invoice, original, buyer, seller }
}
