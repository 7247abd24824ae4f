import { createHash } from 'node:crypto'
import { instalmentsInWords } from '../../kernel/instalments.ts'
import {
  type DocumentAddress,
  type DocumentLine,
  type DocumentParty,
  type DocumentType,
  type InvoiceDocument,
  supplyDay,
} from '../../kernel/invoice-document.ts'
import type { ListsInForce, ReportedDocument, ReportingBusiness } from '../port.ts'
import { type ExactObject, exact, exactJson, money } from './exact-json.ts'
import { irnOf } from './irn.ts'
import { findLocalGovernment, findState } from './places.ts'
import { namesBuyer } from './readiness-parties.ts'
import { asAuthorityWrites, taxIds } from './tax-ids.ts'

/**
 * The authority swaps 380 and 381 against the international list. It has no type for a prepayment, which counts as an
 * invoice.
 */
export const typeCodes: Readonly<Record<DocumentType, string>> = {
  standard: '381',
  credit_note: '380',
  debit_note: '384',
  prepayment: '381',
}

/** The authority has no kind for sales by a government: such a seller counts as a business. */
const kindOf = (kind: string): string => (kind === 'G2B' ? 'B2B' : kind)

/**
 * An invoice or note in the authority's JSON. The order of fields is fixed, so the same document gives the same
 * bytes.
 */
/** The authority has one due date, so the instalments are described beside the terms. */
const termsOf = ({ paymentTerms, instalments, currency }: InvoiceDocument): string | null =>
  instalments
    ? [paymentTerms ?? '', instalmentsInWords(instalments, currency)].filter(Boolean).join('\n')
    : paymentTerms

export function documentFor(
  document: InvoiceDocument,
  business: ReportingBusiness,
  lists: ListsInForce,
  reference = irnOf(document.number, business.serviceId, document.issueDate),
): ReportedDocument {
  const { seller, buyer, original, kind } = document
  const paymentStatus = isPaid(document) ? 'paid' : 'pending'
  const bytes = Buffer.from(
    exactJson({
      business_id: business.businessId,
      irn: reference,
      issue_date: document.issueDate,
      due_date: document.dueDate ?? undefined,
      issue_time: document.issueTime ?? undefined,
      invoice_type_code: typeCodes[document.type],
      invoice_kind: kindOf(kind),
      payment_status: paymentStatus.toUpperCase(),
      note: noteOf(document),
      // The day of supply, by the Tax Act.
      tax_point_date: supplyDay(document) ?? document.issueDate,
      document_currency_code: document.currency,
      // All amounts, also taxes, are in the document's currency.
      tax_currency_code: document.currency,
      accounting_cost: textOf(document.accountingCost),
      buyer_reference: textOf(document.buyerReference),
      order_reference: textOf(document.purchaseOrderReference),
      invoice_delivery_period: periodOf(document),
      billing_reference: original?.authorityReference
        ? [{ irn: original.authorityReference, issue_date: original.issueDate }]
        : undefined,
      accounting_supplier_party: seller ? partyOf(seller, lists) : undefined,
      accounting_customer_party: buyer && namesBuyer(kind) ? partyOf(buyer, lists) : undefined,
      actual_delivery_date: document.supplyDate ?? undefined,
      payment_terms_note: textOf(termsOf(document)),
      allowance_charge: allowancesOf(document),
      tax_total: [taxTotalOf(document)],
      legal_monetary_total: totalsOf(document),
      invoice_line: document.lines.map(lineOf),
    }),
  )
  return { reference, bytes, sha256: createHash('sha256').update(bytes).digest('hex'), paymentStatus }
}

/** The authority knows no period that is open at one end. */
const periodOf = ({ periodStart, periodEnd }: InvoiceDocument): ExactObject | undefined =>
  periodStart !== null && periodEnd !== null ? { start_date: periodStart, end_date: periodEnd } : undefined

const textOf = (text: string | null | undefined): string | undefined => text?.trim() || undefined

/** A credit note is never paid, and neither is a document of zero. */
const isPaid = ({ type, payableMinor, dueMinor, paidMinor }: InvoiceDocument): boolean =>
  type !== 'credit_note' && payableMinor > 0n && dueMinor <= 0n && paidMinor > 0n

/**
 * Facts without a field of their own: the reason of a note, and the seller's registration number, which the Tax Act
 * (s. 153) requires on every VAT invoice.
 */
function noteOf({ notes, reason, seller }: InvoiceDocument): string | undefined {
  const registration = textOf(seller?.registrationNumber)
  const parts = [textOf(notes), textOf(reason), registration && `Supplier's registration number: ${registration}`]
  return parts.filter((part) => part !== undefined).join('\n') || undefined
}

function partyOf(party: DocumentParty, lists: ListsInForce): ExactObject {
  return {
    party_name: party.name.trim(),
    tin: taxIdOf(party),
    email: textOf(party.email),
    telephone: textOf(party.phone)?.replace(/[\s().-]/g, ''),
    business_description: describedBy(party),
    postal_address: party.address ? addressOf(party.address, lists) : undefined,
  }
}

function taxIdOf({ taxIdType, taxId }: DocumentParty): string | undefined {
  const type = taxIds.types.find((known) => known.type === taxIdType)?.type ?? 'none'
  const normal = taxIds.normalise(type, taxId ?? '')
  return normal === undefined ? textOf(taxId) : asAuthorityWrites(normal)
}

/** The authority refuses shorter ones, and accepts a party without one. */
const shortestDescription = 5
function describedBy({ businessDescription }: DocumentParty): string | undefined {
  const text = textOf(businessDescription)
  return text !== undefined && text.length >= shortestDescription ? text : undefined
}

/** Domestic addresses use codes where known; foreign ones use the text. */
function addressOf({ line1, line2, city, state, district, postalCode, country }: DocumentAddress, lists: ListsInForce) {
  const isHome = country === 'NG'
  const found = isHome && state ? findState(state, lists.entries('states')) : undefined
  const local = found && district ? findLocalGovernment(district, found, lists.entries('lgas')) : undefined
  return {
    street_name: [textOf(line1), textOf(line2)].filter((part) => part !== undefined).join(', '),
    city_name: city.trim(),
    postal_zone: textOf(postalCode),
    // For most local governments only our own code is known, which means nothing to the authority.
    lga: local && isAuthorityCode(local.code) ? local.code : undefined,
    state: isHome ? found?.code : textOf(state),
    country,
  }
}

const isAuthorityCode = (code: string): boolean => /^NG-[A-Z]{2}-[A-Z]{3}$/.test(code)

function allowancesOf({ allowanceMinor, chargeMinor }: InvoiceDocument): readonly ExactObject[] | undefined {
  const all = [
    ...(allowanceMinor > 0n ? [{ charge_indicator: false, amount: money(allowanceMinor) }] : []),
    ...(chargeMinor > 0n ? [{ charge_indicator: true, amount: money(chargeMinor) }] : []),
  ]
  return all.length === 0 ? undefined : all
}

const taxTotalOf = ({ taxMinor, taxGroups }: InvoiceDocument): ExactObject => ({
  tax_amount: money(taxMinor),
  tax_subtotal: taxGroups.map((group) => ({
    taxable_amount: money(group.taxableMinor),
    tax_amount: money(group.taxMinor),
    tax_category: { id: group.category, percent: exact(group.rate) },
  })),
})

function totalsOf({ netMinor, allowanceMinor, chargeMinor, taxMinor, payableMinor }: InvoiceDocument): ExactObject {
  const exclusiveMinor = netMinor - allowanceMinor + chargeMinor
  return {
    line_extension_amount: money(netMinor),
    tax_exclusive_amount: money(exclusiveMinor),
    tax_inclusive_amount: money(exclusiveMinor + taxMinor),
    payable_amount: money(payableMinor),
  }
}

/** Goods and services use different pairs of fields; a line has one pair. */
function lineOf(line: DocumentLine): ExactObject {
  const category = textOf(line.productCategory)
  const codes = line.hsnCode
    ? { hsn_code: line.hsnCode, product_category: category }
    : { isic_code: line.serviceCode ?? undefined, service_category: category }
  return {
    ...codes,
    // Discounts and fees are amounts, never rates.
    discount_rate: money(0n),
    discount_amount: money(line.discountMinor),
    fee_rate: money(0n),
    fee_amount: money(line.feeMinor),
    invoiced_quantity: exact(line.quantity),
    line_extension_amount: money(line.netMinor),
    item: { name: textOf(line.itemName) ?? line.description.trim(), description: line.description.trim() },
    price: {
      price_amount: exact(line.unitPrice),
      base_quantity: exact({ units: 1n, scale: 0 }),
      price_unit: line.unitCode,
    },
  }
}
