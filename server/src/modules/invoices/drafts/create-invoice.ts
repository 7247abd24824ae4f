import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Inside, statement } from '../../../platform/operations/operation.ts'
import { charge } from '../../credits/index.ts'
import { usesOf } from '../../items/index.ts'
import type { Invoice } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
import { insertInvoice, itemsOf } from '../invoices.store.ts'
import { completeDraft } from './complete-draft.ts'
import { createInvoices, createSharedInvoices, fitsStatement, type NumberedDraft } from './create-invoices.store.ts'
import { numberFor } from './number-for.ts'
import { type InvoicePlan, itemsFor, planInvoice } from './plan-invoice.ts'

/** Charges for a new draft, numbers it and saves it with its event. `wanted` is its number, or the next of the series. */
export async function saveNewDraft(
  context: Inside<TokenCaller>,
  draft: Invoice,
  wanted: string | undefined,
): Promise<Invoice> {
  const { tx, caller } = context
  const { tenant } = caller
  // Lock order as in the statement: the balance before the number.
  await charge(context, tenant, 'invoice.create', `invoice:${draft.id}`)
  const invoice: Invoice = { ...draft, number: await numberFor(tx, tenant, draft.id, draft.type, wanted) }
  await insertInvoice(tx, tenant, invoice)
  emitInvoiceEvent(context, 'invoice.created', tenant, invoice, { itemUses: usesOf(itemsOf(invoice)) })
  return invoice
}

/** The fallback: like the statement, with locks. It finds a number if the statement could not, or refuses. */
async function createFallback(context: Inside<TokenCaller>, plan: InvoicePlan): Promise<Invoice> {
  const locking = { db: context.tx, tx: context.tx, caller: context.caller }
  const { invoice } = await completeDraft(locking, plan)
  // Since the plan they may have been deleted or archived.
  await itemsFor(locking, plan.draft.lines)
  return await saveNewDraft(context, invoice, plan.number)
}

/** Saves a draft and charges for it, in one round trip. A draft that cannot be saved costs nothing. */
export const createInvoice = statement(
  {
    needs: ['invoice.create'],
    refuses: [
      'request.invalid',
      'jurisdiction.unsupported',
      'credits.insufficient',
      'invoice.number_taken',
      'state.changed',
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
  {
    plan: planInvoice,
    fitsStatement,
    write: createInvoices,
    writeShared: createSharedInvoices,
    returning: ['number', 'kind', 'sellerId', 'buyerName', 'buyerTaxId'],
    replyHasNoSecret: true,
    output: ({ draft }: InvoicePlan, returned: NumberedDraft): Invoice => ({
      ...draft,
      ...returned,
      // A draft without a buyer has no buyer name.
      ...(draft.buyerId === null ? { buyerName: null, buyerTaxId: null } : {}),
    }),
    fallback: createFallback,
  },
)
