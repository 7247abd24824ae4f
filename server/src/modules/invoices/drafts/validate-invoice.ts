import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { jurisdictionOf, listsInForce } from '../../reference/index.ts'
import { findPrimarySeller, findSeller } from '../../sellers/index.ts'
import { buyerParty, documentOf, sellerParty } from '../document.ts'
import type { Invoice } from '../invoice.ts'
import { findIdByReading, findInvoice, isNumberTaken, listNotes } from '../invoices.store.ts'
import { faultsOfCredit, leftToCredit } from '../notes/credit.ts'
import { asOriginal, kindFor } from './create-invoice.ts'
import type { DraftInput } from './draft.ts'
import { numberIn, readingOf, seriesOf } from './numbers.ts'
import { planInvoice } from './plan-invoice.ts'

export interface ReadinessReport {
  /** what it would come to */
  readonly invoice: Invoice
  /** everything that the authority would refuse */
  readonly problems: readonly Fault[]
}

async function findOriginal(db: Queryable, tenant: Tenant, note: Invoice, number: string): Promise<Invoice> {
  const id = await findIdByReading(db, tenant, readingOf(number))
  return asOriginal(id === undefined ? undefined : await findInvoice(db, tenant, id), note)
}

/** Says what would become of a draft, without saving or charging anything. What could not even be saved is refused as it would be. */
export const validateInvoice = reading(
  {
    needs: ['invoice.validate'],
    refuses: [
      'request.invalid',
      'jurisdiction.unsupported',
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
  async (context: Outside<TokenCaller>, input: DraftInput): Promise<ReadinessReport> => {
    const { db, caller, ports, now } = context
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const { draft, number, kinds, primarySellerOnly } = await planInvoice(context, input)
    const original =
      input.originalNumber === undefined ? undefined : await findOriginal(db, tenant, draft, input.originalNumber)
    const buyer = draft.buyerId === null ? undefined : await findBuyer(db, tenant, draft.buyerId)
    if (draft.buyerId !== null && !buyer) throw refuse('invoice.buyer_unknown')
    if (buyer?.archivedAt) throw refuse('invoice.buyer_archived')
    const seller =
      draft.sellerId === null ? await findPrimarySeller(db, tenant) : await findSeller(db, tenant, draft.sellerId)
    if (draft.sellerId !== null && (!seller || (primarySellerOnly && !seller.isPrimary)))
      throw refuse('invoice.seller_unknown')
    if (original && draft.type === 'credit_note') {
      const notes = await listNotes(db, tenant, original.id, 'credit_note')
      const details = faultsOfCredit(leftToCredit(original, notes), draft)
      if (details.length > 0) throw refuse('invoice.note.too_much', { details })
    }
    if (number !== undefined && (await isNumberTaken(db, tenant, readingOf(number))))
      throw refuse('invoice.number_taken')
    const invoice: Invoice = {
      ...draft,
      sellerId: seller?.id ?? null,
      buyerName: buyer?.name ?? null,
      buyerTaxId: buyer?.taxId ?? null,
      kind: draft.kind === '' ? kindFor(kinds, buyer) : draft.kind,
      number: number ?? '',
    }
    // Which number it will get is not known yet; that it will have one of its series is.
    const named = { ...invoice, number: number ?? numberIn(seriesOf[draft.type], 1n) }
    const document = documentOf(
      named,
      tenant.mode,
      { seller: seller ? sellerParty(seller) : null, buyer: buyer ? buyerParty(buyer) : null },
      original ? { number: original.number, issueDate: original.issueDate, irn: original.irn } : null,
    )
    const problems = jurisdiction.readinessOf(document, listsInForce(ports.codeLists, jurisdiction.country), {
      today: businessDay(now, jurisdiction.zone),
      buyerTaxIdStatus: buyer?.taxIdStatus,
    })
    return { invoice, problems }
  },
)
