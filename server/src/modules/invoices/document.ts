import { leftOfEach } from '../../kernel/instalments.ts'
import type { DocumentParty, InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Buyer } from '../buyers/index.ts'
import type { Seller } from '../sellers/index.ts'
import { dueMinor } from './derived-statuses.ts'
import type { Invoice } from './invoice.ts'

/** The fields of a seller and of a buyer that a document copies. */
export type SellerFields = Pick<Seller, keyof Seller & keyof DocumentParty>
export type BuyerFields = Pick<Buyer, keyof DocumentParty>

export const sellerParty = (seller: SellerFields): DocumentParty => ({
  name: seller.name,
  legalName: null,
  tradingName: seller.tradingName,
  partyType: seller.partyType,
  taxIdType: seller.taxId === null ? 'none' : 'national',
  taxId: seller.taxId,
  vatNumber: seller.vatNumber,
  registrationNumber: seller.registrationNumber,
  email: seller.email,
  phone: seller.phone,
  businessDescription: null,
  address: seller.address,
})

export const buyerParty = (buyer: BuyerFields): DocumentParty => ({
  name: buyer.name,
  legalName: buyer.legalName,
  tradingName: buyer.tradingName,
  partyType: buyer.partyType,
  taxIdType: buyer.taxIdType,
  taxId: buyer.taxId,
  vatNumber: buyer.vatNumber,
  registrationNumber: buyer.registrationNumber,
  email: buyer.email,
  phone: buyer.phone,
  businessDescription: buyer.businessDescription,
  address: buyer.address,
})

export interface Parties {
  readonly seller: DocumentParty | null
  readonly buyer: DocumentParty | null
}

/** What a note names of the document that it corrects. */
const correctedIn = (original: Invoice | undefined): InvoiceDocument['original'] =>
  original
    ? {
        number: original.number,
        issueDate: original.issueDate,
        supplyDate: original.supplyDate,
        authorityReference: original.authorityReference,
      }
    : null

/** The document for drawing, UBL and checks. */
export function documentOf(
  invoice: Invoice,
  mode: Mode,
  { seller, buyer }: Parties,
  original: Invoice | undefined,
): InvoiceDocument {
  const due = dueMinor(invoice)
  const left = invoice.instalments && leftOfEach(invoice.instalments, due)
  const { id: _id, status, lines, taxGroups, sellerCopy, buyerCopy, letterheadCopy: _letterhead, ...rest } = invoice
  return {
    ...rest,
    mode,
    isDraft: status === 'draft',
    seller: sellerCopy ?? seller,
    buyer: buyerCopy ?? buyer,
    lines,
    taxGroups,
    dueMinor: due,
    instalments: invoice.instalments?.map((one, at) => ({ ...one, dueMinor: left?.[at] ?? 0n })) ?? null,
    original: correctedIn(original),
  }
}
