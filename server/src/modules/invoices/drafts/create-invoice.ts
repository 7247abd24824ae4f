import type { TokenCaller } from '../../../kernel/callers.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type Inside, type Planned, statement } from '../../../platform/operations/operation.ts'
import { type Buyer, type BuyerId, lockBuyer } from '../../buyers/index.ts'
import { charge } from '../../credits/index.ts'
import { noteUses } from '../../items/index.ts'
import { findPrimarySeller, findSeller, type SellerId } from '../../sellers/index.ts'
import type { Invoice } from '../invoice.ts'
import { tellOfInvoice } from '../invoice-events.ts'
import { findIdByReading, insertInvoice, itemsOf, lockInvoice } from '../invoices.store.ts'
import { canHaveNotes, fittedToRest } from '../notes/notes.ts'
import { createInvoices } from './create-invoices.store.ts'
import { numberFor } from './number-for.ts'
import { readingOf } from './numbers.ts'
import { type InvoicePlan, itemsFor, planInvoice } from './plan-invoice.ts'

/** The buyer that a draft is to name: one of the tenant's own that is not archived, or the one of what it corrects. */
export async function buyerFor(tx: Tx, tenant: Tenant, id: BuyerId, original?: Invoice): Promise<Buyer> {
  const buyer = await lockBuyer(tx, tenant, id)
  if (!buyer) throw refuse('invoice.buyer_unknown')
  if (buyer.archivedAt && id !== original?.buyerId) throw refuse('invoice.buyer_archived')
  return buyer
}

/** The seller that a draft is to name. Without a word, the organisation itself, as soon as it is there. */
export async function sellerFor(
  tx: Tx,
  tenant: Tenant,
  wanted: SellerId | null,
  primaryOnly: boolean,
): Promise<SellerId | null> {
  if (wanted === null) return (await findPrimarySeller(tx, tenant))?.id ?? null
  const seller = await findSeller(tx, tenant, wanted)
  if (!seller || (primaryOnly && !seller.isPrimary)) throw refuse('invoice.seller_unknown')
  return seller.id
}

export const kindFor = (kinds: InvoicePlan['kinds'], buyer: Pick<Buyer, 'partyType' | 'taxId'> | undefined): string =>
  buyer?.partyType === 'government' ? kinds.government : buyer?.taxId ? kinds.registered : kinds.unregistered

/** What a note refers to: an issued invoice in the same currency. */
export function asOriginal(found: Invoice | undefined, { currency }: Pick<Invoice, 'currency'>): Invoice {
  if (!found || found.status === 'draft') throw refuse('invoice.original_unknown')
  if (!canHaveNotes(found)) throw refuse('invoice.note.not_possible')
  if (found.currency !== currency)
    throw invalid([{ path: 'currency', rule: 'original', message: `must be ${found.currency}, as on the original` }])
  return found
}

async function lockOriginal(tx: Tx, tenant: Tenant, note: Invoice, number: string): Promise<Invoice> {
  const id = await findIdByReading(tx, tenant, readingOf(number))
  return asOriginal(id === undefined ? undefined : await lockInvoice(tx, tenant, id), note)
}

/** The same as the statement, step by step: it counts on where the statement could not, or says why not. */
async function createStepByStep(context: Inside<TokenCaller>, plan: InvoicePlan): Promise<Invoice> {
  const { tx, caller } = context
  const { tenant } = caller
  const { draft } = plan
  const original =
    plan.originalNumber === undefined ? undefined : await lockOriginal(tx, tenant, draft, plan.originalNumber)
  const buyer = draft.buyerId === null ? undefined : await buyerFor(tx, tenant, draft.buyerId, original)
  const sellerId = await sellerFor(tx, tenant, draft.sellerId, plan.primarySellerOnly)
  // They were there when it was planned.
  await itemsFor(context, draft.lines)
  const amounts = original && draft.type === 'credit_note' ? await fittedToRest(tx, tenant, original, draft) : draft
  // The balance before the number, as in the statement: whoever locks them the other way round would meet it.
  await charge(context, tenant, 'invoice.create', `invoice:${draft.id}`)
  const invoice: Invoice = {
    ...amounts,
    sellerId,
    kind: draft.kind === '' ? kindFor(plan.kinds, buyer) : draft.kind,
    buyerName: buyer?.name ?? null,
    buyerTaxId: buyer?.taxId ?? null,
    originalId: original?.id ?? null,
    originalNumber: original?.number ?? null,
    number: await numberFor(tx, tenant, draft.id, draft.type, plan.number),
  }
  await insertInvoice(tx, tenant, invoice)
  await noteUses(context, tenant, itemsOf(invoice))
  tellOfInvoice(context, 'invoice.created', tenant, invoice)
  return invoice
}

/** All of them are of one tenant: that is what a lane is. */
const createTogether = (db: Queryable, planned: readonly Planned<TokenCaller, InvoicePlan>[]) =>
  createInvoices(db, (planned[0] as Planned<TokenCaller, InvoicePlan>).caller.tenant, planned)

/** Saves a draft and charges for it: one round trip. A draft that cannot be saved costs nothing. */
export const createInvoice = statement(
  {
    needs: ['invoice.create'],
    refuses: [
      'request.invalid',
      'jurisdiction.unsupported',
      'credits.insufficient',
      'invoice.number_taken',
      'invoice.seller_unknown',
      'invoice.buyer_unknown',
      'invoice.buyer_archived',
      'invoice.item_unknown',
      'invoice.item_archived',
      'invoice.original_unknown',
      'invoice.note.not_possible',
      'invoice.note.too_much',
    ],
  },
  { plan: planInvoice, write: createTogether, operate: createStepByStep },
)
