import type { TokenCaller } from '../../../kernel/callers.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { lockBuyerShared } from '../../buyers/index.ts'
import { canHaveNotes, fittedToRest } from '../crediting/fitted-to-rest.ts'
import type { Invoice } from '../invoice.ts'
import { findInvoice, lockInvoice } from '../invoices.store.ts'
import { findIdByNumber } from '../numbers.store.ts'
import { type DraftParties, findDraftParties, type WantedParties } from './draft-parties.store.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/** Where a draft is completed. In a transaction, everything that it depends on is locked; otherwise it is only read. */
export interface CompletionContext {
  readonly db: Queryable
  readonly tx?: Tx
  readonly caller: TokenCaller
}

/** The parties of a draft, or a refusal. An archived buyer is possible only on a note, if the original names the buyer. */
export async function partiesFor(
  { db, tx, caller }: CompletionContext,
  wanted: WantedParties,
  original: Invoice | undefined,
): Promise<DraftParties> {
  const { tenant } = caller
  if (tx && wanted.buyerId !== null) await lockBuyerShared(tx, tenant, wanted.buyerId)
  const parties = await findDraftParties(db, tenant, wanted)
  if (!parties.isBuyerFound) throw refuse('invoice.buyer_unknown')
  if (parties.isBuyerArchived && wanted.buyerId !== original?.buyerId) throw refuse('invoice.buyer_archived')
  if (!parties.isSellerFound) throw refuse('invoice.seller_unknown')
  return parties
}

/** The document that a note corrects: an issued invoice in the same currency. */
async function originalFor(
  { db, tx, caller }: CompletionContext,
  { currency }: Invoice,
  number: string,
): Promise<Invoice> {
  const { tenant } = caller
  const id = await findIdByNumber(db, tenant, number)
  const found = id && (tx ? await lockInvoice(tx, tenant, id) : await findInvoice(db, tenant, id))
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
}

/**
 * Completes a planned draft with its parties and its original, or refuses. Validating and the fallback use this function. The hot
 * statement decides with the same SQL (`draft-parties.store.ts`).
 */
export async function completeDraft(context: CompletionContext, plan: InvoicePlan): Promise<CompletedDraft> {
  const { draft, kinds, primarySellerOnly, originalNumber } = plan
  const original = originalNumber === undefined ? undefined : await originalFor(context, draft, originalNumber)
  const parties = await partiesFor(context, { ...draft, kinds, primarySellerOnly }, original)
  const amounts =
    original && draft.type === 'credit_note'
      ? await fittedToRest(context.db, context.caller.tenant, original, draft)
      : draft
  const invoice: Invoice = {
    ...amounts,
    sellerId: parties.sellerId,
    kind: parties.draftKind,
    buyerName: parties.buyerName,
    buyerTaxId: parties.buyerTaxId,
    originalId: original?.id ?? null,
    originalNumber: original?.number ?? null,
  }
  return { invoice, original }
}
