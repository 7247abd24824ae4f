import type { UblRules } from '../../../jurisdictions/ubl-rules.ts'
import { instalmentsInWords } from '../../../kernel/instalments.ts'
import {
  type DocumentType,
  type InvoiceDocument,
  type Letterhead,
  supplyDay,
} from '../../../kernel/invoice-document.ts'
import { creditNoteLine, invoiceLine, lineOf } from './lines.ts'
import { buyerOf, sellerOf } from './party.ts'
import { documentAdjustments, taxTotal, ublTaxGroups } from './taxes.ts'
import { amount, around, escaped, holdable, optional, required } from './xml.ts'

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd'
const customisation = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** UNCL1001 as in the standard, whatever codes an authority uses. */
const typeCodes: Readonly<Record<DocumentType, string>> = {
  standard: '380',
  credit_note: '381',
  debit_note: '383',
  prepayment: '386',
}

/**
 * A document as UBL 2.1 in the profile of Peppol BIS Billing 3.0. It shows what was issued: later payments and
 * credits do not change it, so the same document always gives the same bytes. docs/ubl.md maps each fact.
 */
export function ublOf(document: InvoiceDocument, rules: UblRules, letterhead?: Letterhead): string {
  const root = document.type === 'credit_note' ? 'CreditNote' : 'Invoice'
  const words = document.type === 'credit_note' ? creditNoteLine : invoiceLine
  const groups = ublTaxGroups(document, rules)
  const { currency } = document
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${ubl}:${root}-2" xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2">`,
    head(document, root),
    references(document, rules),
    sellerOf(document, rules),
    buyerOf(document, rules),
    around('cac:Delivery', optional('cbc:ActualDeliveryDate', supplyDay(document))),
    payment(document, letterhead),
    documentAdjustments(groups, currency, rules),
    taxTotal(groups, document.taxMinor, currency, rules),
    homeTaxTotal(document),
    monetaryTotal(document),
    ...document.lines.map((line, at) => lineOf(line, at, words, currency, rules)),
    `</${root}>\n`,
  ].join('')
}

const head = (document: InvoiceDocument, root: 'Invoice' | 'CreditNote'): string =>
  [
    `<cbc:CustomizationID>${customisation}</cbc:CustomizationID><cbc:ProfileID>${profile}</cbc:ProfileID>`,
    required('cbc:ID', document.number),
    `<cbc:IssueDate>${document.issueDate}</cbc:IssueDate>`,
    // For payments in parts, BT-9 is the first due date, and BT-20 describes the others.
    root === 'Invoice' ? optional('cbc:DueDate', document.instalments?.[0]?.dueDate ?? document.dueDate) : '',
    `<cbc:${root}TypeCode>${typeCodes[document.type]}</cbc:${root}TypeCode>`,
    note(document),
    `<cbc:DocumentCurrencyCode>${document.currency}</cbc:DocumentCurrencyCode>`,
    optional('cbc:TaxCurrencyCode', document.homeTax?.currency ?? null),
    optional('cbc:AccountingCost', document.accountingCost),
    optional('cbc:BuyerReference', document.buyerReference),
  ].join('')

/** One note element with everything, as Peppol requires; warnings about drafts and tests come first. */
function note({ isDraft, mode, reason, notes, currency, homeTax }: InvoiceDocument): string {
  const [why, more] = [holdable(reason ?? ''), holdable(notes ?? '')]
  const parts = [
    isDraft ? 'DRAFT: this document has not been issued.' : '',
    mode === 'sandbox' ? 'TEST: this document comes from a sandbox and asks for no payment.' : '',
    why && `Reason: ${why}`,
    // EN 16931 has no element for the rate.
    homeTax ? `Exchange rate of ${homeTax.day}: 1 ${currency} = ${homeTax.rate} ${homeTax.currency}` : '',
    more,
  ]
  const text = parts.filter((part) => part !== '').join('\n')
  // Three characters between two `#` would be read as a subject code.
  return optional('cbc:Note', text.replace(/#(?=[^#]{3}#)/gu, '＃'))
}

function references(document: InvoiceDocument, rules: UblRules): string {
  const { purchaseOrderReference, original, authorityReference, stamp } = document
  const order = optional('cbc:ID', purchaseOrderReference)
  const buyer = optional('cbc:BuyerReference', document.buyerReference)
  const name = rules.authorityReference
  const period = optional('cbc:StartDate', document.periodStart) + optional('cbc:EndDate', document.periodEnd)
  return [
    around('cac:InvoicePeriod', period),
    // Peppol requires one of the two; NA is its word for a missing order.
    around('cac:OrderReference', order || (buyer ? '' : '<cbc:ID>NA</cbc:ID>')),
    original &&
      `<cac:BillingReference><cac:InvoiceDocumentReference>${required('cbc:ID', original.number)}<cbc:IssueDate>${original.issueDate}</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>`,
    around('cac:ContractDocumentReference', optional('cbc:ID', document.contractReference)),
    document.quoteReference && additionalReference(document.quoteReference, 'Quote'),
    authorityReference && additionalReference(authorityReference, name),
    stamp && additionalReference('QR', stamp),
    original?.authorityReference &&
      additionalReference(original.authorityReference, `${name}, of the document that this one corrects`),
  ].join('')
}

/** A supporting document of the standard; nothing if either part is empty. */
function additionalReference(id: string, description: string): string {
  const [named, described] = [optional('cbc:ID', id), optional('cbc:DocumentDescription', description)]
  return named && described && around('cac:AdditionalDocumentReference', named + described)
}

function payment(document: InvoiceDocument, letterhead: Letterhead | undefined): string {
  if (document.type === 'credit_note')
    return creditNoteDueDate(document.dueDate) + around('cac:PaymentTerms', optional('cbc:Note', document.paymentTerms))
  const { instalments, paymentTerms } = document
  const parts = instalments ? instalmentsInWords(instalments, document.currency) : ''
  const terms =
    optional('cbc:Note', [holdable(paymentTerms ?? ''), parts].filter((text) => text !== '').join('\n')) ||
    (document.dueDate === null ? '<cbc:Note>No due date and no terms of payment were stated.</cbc:Note>' : '')
  return bankTransfer(document, letterhead) + around('cac:PaymentTerms', terms)
}

/** A credit note has its due date in the means of payment, which is undefined (UNCL4461, 1). */
const creditNoteDueDate = (day: string | null): string =>
  day === null
    ? ''
    : `<cac:PaymentMeans><cbc:PaymentMeansCode>1</cbc:PaymentMeansCode><cbc:PaymentDueDate>${day}</cbc:PaymentDueDate></cac:PaymentMeans>`

/**
 * UNCL4461, 30: credit transfer. The standard has an element for a bank's BIC only, so the bank's name goes with the
 * means.
 */
function bankTransfer({ number }: InvoiceDocument, letterhead: Letterhead | undefined): string {
  const bank = letterhead?.bank
  if (!bank) return ''
  const bankName = escaped(holdable(`Transfer to ${bank.bankName}`))
  return `<cac:PaymentMeans><cbc:PaymentMeansCode name="${bankName}">30</cbc:PaymentMeansCode>${required('cbc:PaymentID', number)}<cac:PayeeFinancialAccount>${required('cbc:ID', bank.accountNumber)}${optional('cbc:Name', bank.accountName)}</cac:PayeeFinancialAccount></cac:PaymentMeans>`
}

/** The total tax in the currency of accounting (BT-111), without its parts. */
const homeTaxTotal = ({ homeTax }: InvoiceDocument): string =>
  homeTax ? around('cac:TaxTotal', amount('cbc:TaxAmount', homeTax.taxMinor, homeTax.currency)) : ''

function monetaryTotal(document: InvoiceDocument): string {
  const { currency, netMinor, allowanceMinor, chargeMinor, taxMinor, roundingMinor, payableMinor } = document
  const exclusive = netMinor - allowanceMinor + chargeMinor
  const unlessZero = (name: string, minor: bigint) => (minor === 0n ? '' : amount(name, minor, currency))
  return around(
    'cac:LegalMonetaryTotal',
    [
      amount('cbc:LineExtensionAmount', netMinor, currency),
      amount('cbc:TaxExclusiveAmount', exclusive, currency),
      amount('cbc:TaxInclusiveAmount', exclusive + taxMinor, currency),
      unlessZero('cbc:AllowanceTotalAmount', allowanceMinor),
      unlessZero('cbc:ChargeTotalAmount', chargeMinor),
      unlessZero('cbc:PayableRoundingAmount', roundingMinor),
      amount('cbc:PayableAmount', payableMinor, currency),
    ].join(''),
  )
}
