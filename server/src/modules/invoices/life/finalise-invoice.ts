import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { lockBuyer } from '../../buyers/index.ts'
import { getLetterheadCopy } from '../../organisations/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { lockSeller } from '../../sellers/index.ts'
import { saveCredited } from '../crediting/save-credited.ts'
import { buyerParty, sellerParty } from '../document.ts'
import type { Invoice, InvoiceId } from '../invoice.ts'
import { tellOfInvoice } from '../invoice-events.ts'
import { saveInvoice, saveIssuedParties } from '../invoices.store.ts'
import { statusAfter } from '../life.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'

const lack = (path: string, message: string): Fault => ({ path, rule: 'required', message })

/** Issues a draft: from here on its amounts stay; parties, logo and bank details are those of today, whatever becomes of them. */
export const finaliseInvoice = operation(
  {
    needs: ['invoice.finalise'],
    refuses: [
      'resource.not_found',
      'jurisdiction.unsupported',
      'invoice.finalise.not_draft',
      'invoice.finalise.incomplete',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Invoice> => {
    const { tx, caller, ports, now } = context
    const { tenant } = caller
    const { invoice, original } = await lockOwnInvoice(tx, tenant, id)
    const status = statusAfter(invoice.status, 'finalise')
    if (!status) throw refuse('invoice.finalise.not_draft')
    const seller = invoice.sellerId === null ? undefined : await lockSeller(tx, tenant.organisationId, invoice.sellerId)
    const buyer = invoice.buyerId === null ? undefined : await lockBuyer(tx, tenant, invoice.buyerId)
    const lacks: Fault[] = []
    if (!seller) lacks.push(lack('sellerId', 'is needed: name a seller of your organisation'))
    if (!buyer && invoice.kind !== jurisdictionOf(ports, caller).kindsByBuyer.unregistered)
      lacks.push(lack('buyerId', `is needed on an invoice of kind ${invoice.kind}`))
    // What was sold to a buyer who was archived since can still be corrected.
    if (buyer?.archivedAt && buyer.id !== original?.buyerId)
      lacks.push(lack('buyerId', 'names a buyer that is archived; choose another one'))
    if (lacks.length > 0) throw refuse('invoice.finalise.incomplete', { details: lacks })
    const finalised = await saveInvoice(tx, tenant, {
      ...invoice,
      status,
      sellerCopy: seller ? sellerParty(seller) : null,
      buyerCopy: buyer ? buyerParty(buyer) : null,
      letterheadCopy: await getLetterheadCopy(tx, tenant.organisationId),
      finalisedAt: now,
      updatedAt: now,
    })
    await saveIssuedParties(tx, tenant, finalised)
    if (original) await saveCredited(context, original, finalised, finalised.payableMinor)
    tellOfInvoice(context, 'invoice.finalised', tenant, finalised)
    return finalised
  },
)
