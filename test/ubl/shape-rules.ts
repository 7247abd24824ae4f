import { type Rule, rule } from './rule.ts'
import { type Element, within } from './tree.ts'

const party = 'PartyIdentification? PartyName? PostalAddress? PartyTaxScheme? PartyTaxScheme? PartyLegalEntity Contact?'
const middle =
  'Note? DocumentCurrencyCode TaxCurrencyCode? AccountingCost? BuyerReference? InvoicePeriod? OrderReference? BillingReference* ContractDocumentReference? AdditionalDocumentReference* AccountingSupplierParty AccountingCustomerParty Delivery? PaymentMeans* PaymentTerms? AllowanceCharge* TaxTotal TaxTotal? LegalMonetaryTotal'
const adjustment = 'ChargeIndicator AllowanceChargeReasonCode? AllowanceChargeReason Amount'
const line = 'LineExtensionAmount AllowanceCharge* Item Price'

/**
 * The children of each element in the order of the UBL schema, with how often EN 16931 and Peppol let each be there. What is
 * not named here must not be there at all: that is what the many rules UBL-CR say, one element each.
 */
const shapes: Readonly<Record<string, string>> = {
  Invoice: `CustomizationID ProfileID ID IssueDate DueDate? InvoiceTypeCode ${middle} InvoiceLine+`,
  CreditNote: `CustomizationID ProfileID ID IssueDate CreditNoteTypeCode ${middle} CreditNoteLine+`,
  InvoicePeriod: 'StartDate? EndDate?',
  OrderReference: 'ID',
  BillingReference: 'InvoiceDocumentReference',
  InvoiceDocumentReference: 'ID IssueDate?',
  ContractDocumentReference: 'ID',
  AdditionalDocumentReference: 'ID DocumentTypeCode? DocumentDescription? Attachment?',
  AccountingSupplierParty: 'Party',
  AccountingCustomerParty: 'Party',
  Delivery: 'ActualDeliveryDate',
  Party: `EndpointID? ${party}`,
  PartyIdentification: 'ID',
  PartyName: 'Name',
  PostalAddress: 'StreetName? AdditionalStreetName? CityName? PostalZone? CountrySubentity? AddressLine? Country',
  AddressLine: 'Line',
  Country: 'IdentificationCode',
  PartyTaxScheme: 'CompanyID TaxScheme',
  TaxScheme: 'ID',
  PartyLegalEntity: 'RegistrationName CompanyID?',
  Contact: 'Name? Telephone? ElectronicMail?',
  PaymentMeans: 'PaymentMeansCode PaymentID? PayeeFinancialAccount?',
  'CreditNote/PaymentMeans': 'PaymentMeansCode PaymentDueDate? PaymentID? PayeeFinancialAccount?',
  PayeeFinancialAccount: 'ID Name?',
  PaymentTerms: 'Note',
  'Invoice/AllowanceCharge': `${adjustment} TaxCategory`,
  'CreditNote/AllowanceCharge': `${adjustment} TaxCategory`,
  AllowanceCharge: adjustment,
  'AllowanceCharge/TaxCategory': 'ID Percent TaxScheme',
  TaxCategory: 'ID Percent TaxExemptionReasonCode? TaxExemptionReason? TaxScheme',
  ClassifiedTaxCategory: 'ID Percent TaxScheme',
  TaxTotal: 'TaxAmount TaxSubtotal*',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount AllowanceTotalAmount? ChargeTotalAmount? PrepaidAmount? PayableRoundingAmount? PayableAmount',
  InvoiceLine: `ID InvoicedQuantity ${line}`,
  CreditNoteLine: `ID CreditedQuantity ${line}`,
  Item: 'Description? Name CommodityClassification* ClassifiedTaxCategory AdditionalItemProperty*',
  CommodityClassification: 'ItemClassificationCode',
  AdditionalItemProperty: 'Name Value',
  Price: 'PriceAmount BaseQuantity?',
}

/** `A B?` as a pattern over the names of children, each with a blank behind it. */
const patternOf = (shape: string): RegExp =>
  new RegExp(
    `^${shape
      .split(' ')
      .map((word) => word.replace(/^(\w+)(.?)$/, '($1 )$2'))
      .join('')}$`,
  )
const patterns = new Map(Object.entries(shapes).map(([name, shape]) => [name, patternOf(shape)]))

const bare = (name: string): string => name.replace(/^c[ab]c:/, '')

/** Aggregates have children and basic components have none, and stand in their own namespaces. */
const isAggregate = (name: string): boolean => name.startsWith('cac:') || !name.includes(':')

function isShaped(element: Element, parent: string): boolean {
  const name = bare(element.name)
  const pattern = patterns.get(`${parent}/${name}`) ?? patterns.get(name)
  if (!isAggregate(element.name)) return element.children.length === 0
  if (pattern === undefined) return false
  const children = element.children.map((child) => `${bare(child.name)} `).join('')
  const attributes = Object.keys(element.attributes).length === 0
  return attributes && pattern.test(children) && element.children.every((child) => isShaped(child, name))
}

const isAmount = (name: string): boolean => name.endsWith('Amount')

/** The attributes that the standard knows, where it knows them. */
function attributesOf({ name }: Element): readonly string[] {
  if (isAmount(name)) return ['currencyID']
  if (name.endsWith('Quantity')) return ['unitCode']
  if (name === 'cbc:ItemClassificationCode') return ['listID', 'listVersionID']
  if (name === 'cbc:PaymentMeansCode') return ['name']
  return name === 'cbc:EndpointID' || name === 'cbc:ID' || name === 'cbc:CompanyID' ? ['schemeID'] : []
}

const hasKnownAttributes = (element: Element): boolean =>
  Object.keys(element.attributes).every((attribute) => attributesOf(element).includes(attribute)) &&
  ['currencyID', 'unitCode', 'listID'].every(
    (attribute) => !attributesOf(element).includes(attribute) || element.attributes[attribute] !== undefined,
  )

/** Order, cardinality, and nothing that the standard has no use for. */
export const shapeRules: readonly Rule[] = [
  rule('UBL-CR', (root) => isShaped(root, '')),
  rule('UBL-DT', (root) => within(root).every(hasKnownAttributes)),
  rule('PEPPOL-EN16931-R008', (root) =>
    within(root).every((element) => element.children.length > 0 || element.text.trim() !== ''),
  ),
]
