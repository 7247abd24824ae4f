import { ublRules } from '../../server/src/jurisdictions/ng/ubl-rules.ts'
import { ublOf } from '../../server/src/modules/documents/ubl/ubl.ts'
import { documentOf, buyer as exampleBuyer, exempt, letterhead, line, serviceLine, zeroRated } from './documents.ts'

export interface Plant {
  readonly id: string
  readonly before: string
  readonly after: string
}

const adjusted = { discountMinor: 100n, feeMinor: 200n }
/** A document with one of each thing that a rule is about. */
const told = {
  lines: [line(adjusted), serviceLine({ ...exempt, ...adjusted }), line({ ...zeroRated, ...adjusted })],
  allowanceMinor: 5_000n,
  chargeMinor: 7_000n,
  // An older number, which is no electronic address: the faults below add addresses of their own.
  buyer: { ...exampleBuyer, taxId: '252252031483' },
}
const invoice = ublOf(documentOf(told), ublRules, letterhead)
const creditNote = ublOf(documentOf({ ...told, type: 'credit_note' }), ublRules)
const debitNote = ublOf(documentOf({ ...told, type: 'debit_note' }), ublRules)
const closing = ublOf(documentOf({ ...told, type: 'credit_note', roundingMinor: 1n }), ublRules)

type Fault = (xml: string) => string

const swap =
  (from: string | RegExp, to: string): Fault =>
  (xml) =>
    xml.replace(from, to)

/** Takes the first of these elements away, with what is in it. */
const without = (name: string): Fault => swap(new RegExp(`<${name}[ >].*?</${name}>`), '')

const say = (name: string, text: string): Fault => swap(new RegExp(`(<${name}(?: [^>]*)?>)[^<]*`), `$1${text}`)

/** Works inside the first stretch that matches only. */
const inside =
  (stretch: RegExp, fault: Fault): Fault =>
  (xml) =>
    xml.replace(stretch, (found) => fault(found))

const rootOnly = (fault: Fault): Fault => inside(/^.*?<cac:AccountingSupplierParty>/s, fault)
const seller = (fault: Fault): Fault => inside(/<cac:AccountingSupplierParty>.*<\/cac:AccountingSupplierParty>/, fault)
const buyer = (fault: Fault): Fault => inside(/<cac:AccountingCustomerParty>.*<\/cac:AccountingCustomerParty>/, fault)
const totals = (fault: Fault): Fault => inside(/<cac:LegalMonetaryTotal>.*<\/cac:LegalMonetaryTotal>/, fault)
const inLines = (fault: Fault): Fault => inside(/<cac:InvoiceLine>.*<\/cac:InvoiceLine>/, fault)
const aLine = (fault: Fault): Fault => inside(/<cac:InvoiceLine>.*?<\/cac:InvoiceLine>/, fault)
const aSubtotal = (fault: Fault): Fault => inside(/<cac:TaxSubtotal>.*?<\/cac:TaxSubtotal>/, fault)
const ofDocument = (fault: Fault): Fault => inside(/<\/cac:PaymentTerms>.*<cac:TaxTotal>/, fault)
const adjustment = (charge: boolean, fault: Fault): Fault =>
  inside(new RegExp(`<cac:AllowanceCharge><cbc:ChargeIndicator>${charge}.*?</cac:AllowanceCharge>`), fault)
const withoutReason: Fault = (xml) =>
  without('cbc:AllowanceChargeReason')(without('cbc:AllowanceChargeReasonCode')(xml))
const endpoint = (scheme: string): Fault =>
  swap('<cac:Party>', `<cac:Party><cbc:EndpointID${scheme}>a</cbc:EndpointID>`)
const category = (code: string, name: string): RegExp => new RegExp(`<cac:${name}><cbc:ID>${code}<.*?</cac:${name}>`)

/** The subtotal of a category, and not those before it. */
const subtotalOf = (code: string, fault: Fault): Fault =>
  inside(new RegExp(`<cac:TaxSubtotal>(?:(?!</cac:TaxSubtotal>).)*<cbc:ID>${code}<.*?</cac:TaxSubtotal>`), fault)
/** An allowance or charge of the document in a category. */
const adjustmentOf = (code: string, charge: boolean, fault: Fault): Fault =>
  ofDocument(
    inside(
      new RegExp(
        `<cac:AllowanceCharge><cbc:ChargeIndicator>${charge}(?:(?!</cac:AllowanceCharge>).)*<cbc:ID>${code}<.*?</cac:AllowanceCharge>`,
      ),
      fault,
    ),
  )

const faults: Readonly<Record<string, Fault>> = {
  'BR-01': without('cbc:CustomizationID'),
  'BR-02': without('cbc:ID'),
  'BR-03': without('cbc:IssueDate'),
  'BR-04': without('cbc:InvoiceTypeCode'),
  'BR-05': without('cbc:DocumentCurrencyCode'),
  'BR-06': seller(without('cbc:RegistrationName')),
  'BR-07': buyer(without('cbc:RegistrationName')),
  'BR-08': seller(without('cac:PostalAddress')),
  'BR-09': seller(without('cac:Country')),
  'BR-10': buyer(without('cac:PostalAddress')),
  'BR-11': buyer(without('cac:Country')),
  'BR-12': totals(without('cbc:LineExtensionAmount')),
  'BR-13': totals(without('cbc:TaxExclusiveAmount')),
  'BR-14': totals(without('cbc:TaxInclusiveAmount')),
  'BR-15': totals(without('cbc:PayableAmount')),
  'BR-16': swap(/<cac:InvoiceLine>.*<\/cac:InvoiceLine>/, ''),
  'BR-21': aLine(without('cbc:ID')),
  'BR-22': aLine(without('cbc:InvoicedQuantity')),
  'BR-23': aLine(swap(' unitCode="XBG"', '')),
  'BR-24': aLine(without('cbc:LineExtensionAmount')),
  'BR-25': aLine(without('cbc:Name')),
  'BR-26': aLine(without('cbc:PriceAmount')),
  'BR-27': aLine(say('cbc:PriceAmount', '-1')),
  'BR-31': ofDocument(adjustment(false, without('cbc:Amount'))),
  'BR-32': ofDocument(adjustment(false, without('cac:TaxCategory'))),
  'BR-33': ofDocument(adjustment(false, withoutReason)),
  'BR-36': ofDocument(adjustment(true, without('cbc:Amount'))),
  'BR-37': ofDocument(adjustment(true, without('cac:TaxCategory'))),
  'BR-38': ofDocument(adjustment(true, withoutReason)),
  'BR-41': aLine(adjustment(false, without('cbc:Amount'))),
  'BR-42': aLine(adjustment(false, withoutReason)),
  'BR-43': aLine(adjustment(true, without('cbc:Amount'))),
  'BR-44': aLine(adjustment(true, withoutReason)),
  'BR-45': aSubtotal(without('cbc:TaxableAmount')),
  'BR-46': aSubtotal(without('cbc:TaxAmount')),
  'BR-47': aSubtotal(swap('<cac:TaxScheme><cbc:ID>VAT', '<cac:TaxScheme><cbc:ID>GST')),
  'BR-48': aSubtotal(without('cbc:Percent')),
  'BR-49': without('cbc:PaymentMeansCode'),
  'BR-50': inside(/<cac:PayeeFinancialAccount>.*?<\/cac:PayeeFinancialAccount>/, without('cbc:ID')),
  'BR-52': inside(/<cac:AdditionalDocumentReference>.*?<\/cac:AdditionalDocumentReference>/, without('cbc:ID')),
  'BR-54': inside(/<cac:AdditionalItemProperty>.*?<\/cac:AdditionalItemProperty>/, without('cbc:Value')),
  'BR-61': without('cac:PayeeFinancialAccount'),
  'BR-62': seller(endpoint('')),
  'BR-63': buyer(endpoint('')),
  'BR-65': swap(' listID="HS"', ''),
  'BR-CO-04': aLine(without('cac:ClassifiedTaxCategory')),
  'BR-CO-09': seller(say('cbc:CompanyID', '201982220002')),
  'BR-CO-10': totals(say('cbc:LineExtensionAmount', '1.00')),
  'BR-CO-11': totals(say('cbc:AllowanceTotalAmount', '50.01')),
  'BR-CO-12': totals(without('cbc:ChargeTotalAmount')),
  'BR-CO-13': totals(say('cbc:TaxExclusiveAmount', '1.00')),
  'BR-CO-14': swap(/(<cac:TaxTotal><cbc:TaxAmount[^>]*>)[^<]*/, '$11.00'),
  'BR-CO-15': totals(say('cbc:TaxInclusiveAmount', '1.00')),
  'BR-CO-16': totals(say('cbc:PayableAmount', '1.00')),
  'BR-CO-17': aSubtotal(say('cbc:TaxAmount', '1.00')),
  'BR-CO-18': swap(/<cac:TaxSubtotal>.*<\/cac:TaxSubtotal>/, ''),
  'BR-CO-21': ofDocument(adjustment(false, withoutReason)),
  'BR-CO-22': ofDocument(adjustment(true, withoutReason)),
  'BR-CO-23': aLine(adjustment(false, withoutReason)),
  'BR-CO-24': aLine(adjustment(true, withoutReason)),
  'BR-CO-25': (xml) => without('cac:PaymentTerms')(without('cbc:DueDate')(xml)),
  'BR-CO-26': seller((xml) =>
    ['cac:PartyIdentification', 'cac:PartyTaxScheme'].reduce(
      (left, name) => without(name)(left),
      swap(/<cbc:CompanyID>RC.*?<\/cbc:CompanyID>/, '')(xml),
    ),
  ),
  'BR-DEC-01': adjustmentOf('S', false, swap('</cbc:Amount>', '1</cbc:Amount>')),
  'BR-DEC-05': adjustmentOf('S', true, swap('</cbc:Amount>', '1</cbc:Amount>')),
  'BR-DEC-09': totals(swap('</cbc:LineExtensionAmount>', '1</cbc:LineExtensionAmount>')),
  'BR-DEC-10': totals(swap('</cbc:AllowanceTotalAmount>', '1</cbc:AllowanceTotalAmount>')),
  'BR-DEC-11': totals(swap('</cbc:ChargeTotalAmount>', '1</cbc:ChargeTotalAmount>')),
  'BR-DEC-12': totals(swap('</cbc:TaxExclusiveAmount>', '1</cbc:TaxExclusiveAmount>')),
  'BR-DEC-13': swap(/(<cac:TaxTotal><cbc:TaxAmount[^>]*>[^<]*)/, '$11'),
  'BR-DEC-14': totals(swap('</cbc:TaxInclusiveAmount>', '1</cbc:TaxInclusiveAmount>')),
  'BR-DEC-16': totals(
    swap('<cbc:PayableAmount', '<cbc:PrepaidAmount currencyID="NGN">0.001</cbc:PrepaidAmount><cbc:PayableAmount'),
  ),
  'BR-DEC-18': totals(swap('</cbc:PayableAmount>', '1</cbc:PayableAmount>')),
  'BR-DEC-19': aSubtotal(swap('</cbc:TaxableAmount>', '1</cbc:TaxableAmount>')),
  'BR-DEC-20': aSubtotal(swap('</cbc:TaxAmount>', '1</cbc:TaxAmount>')),
  'BR-DEC-23': aLine(swap('</cbc:LineExtensionAmount>', '1</cbc:LineExtensionAmount>')),
  'BR-DEC-24': aLine(adjustment(false, swap('</cbc:Amount>', '1</cbc:Amount>'))),
  'BR-DEC-27': aLine(adjustment(true, swap('</cbc:Amount>', '1</cbc:Amount>'))),
  'BR-CL-01': say('cbc:InvoiceTypeCode', '381'),
  'BR-CL-03': aLine(swap(/currencyID="NGN"/g, 'currencyID="NAI"')),
  'BR-CL-04': say('cbc:DocumentCurrencyCode', 'NAI'),
  'BR-CL-08': say('cbc:Note', '#XY1#Hello'),
  'BR-CL-10': seller(swap('<cac:PartyIdentification><cbc:ID>', '<cac:PartyIdentification><cbc:ID schemeID="TIN">')),
  'BR-CL-11': seller(swap('<cbc:CompanyID>RC', '<cbc:CompanyID schemeID="RC">')),
  'BR-CL-13': swap(' listID="HS"', ' listID="ISIC"'),
  'BR-CL-14': say('cbc:IdentificationCode', 'XX'),
  'BR-CL-16': say('cbc:PaymentMeansCode', '99'),
  'BR-CL-17': aSubtotal(swap(/(<cac:TaxCategory><cbc:ID>)./, '$1Q')),
  'BR-CL-18': aLine(swap(/(<cac:ClassifiedTaxCategory><cbc:ID>)./, '$1Q')),
  'BR-CL-19': say('cbc:AllowanceChargeReasonCode', '999'),
  'BR-CL-20': aLine(
    adjustment(
      true,
      swap(
        '<cbc:AllowanceChargeReason>',
        '<cbc:AllowanceChargeReasonCode>QQQ</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>',
      ),
    ),
  ),
  'BR-CL-22': subtotalOf(
    'E',
    swap(
      '<cbc:TaxExemptionReason>',
      '<cbc:TaxExemptionReasonCode>NG-1</cbc:TaxExemptionReasonCode><cbc:TaxExemptionReason>',
    ),
  ),
  'BR-CL-23': aLine(swap('unitCode="XBG"', 'unitCode="BAG"')),
  'BR-CL-25': seller(endpoint(' schemeID="NG"')),
  'BR-S-01': swap(category('S', 'TaxCategory'), ''),
  'BR-S-05': inLines(swap(/(<cbc:ID>S<\/cbc:ID><cbc:Percent>)7.5/, '$10')),
  'BR-S-06': adjustmentOf('S', false, say('cbc:Percent', '0')),
  'BR-S-07': adjustmentOf('S', true, say('cbc:Percent', '0')),
  'BR-S-08': subtotalOf('S', say('cbc:TaxableAmount', '5.00')),
  'BR-S-09': subtotalOf('S', say('cbc:TaxAmount', '5.00')),
  'BR-S-10': subtotalOf(
    'S',
    swap('</cbc:Percent>', '</cbc:Percent><cbc:TaxExemptionReason>No</cbc:TaxExemptionReason>'),
  ),
  ...Object.fromEntries(
    ['S', 'Z', 'E'].flatMap((code) =>
      ['02', '03', '04'].map((number) => [
        `BR-${code}-${number}`,
        seller(swap(/<cac:PartyTaxScheme>.*<\/cac:PartyTaxScheme>/, '')),
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['Z', 'E'].flatMap((code): [string, Fault][] => [
      [`BR-${code}-01`, subtotalOf(code, (subtotal) => subtotal + subtotal)],
      [`BR-${code}-05`, inLines(swap(new RegExp(`(<cbc:ID>${code}</cbc:ID><cbc:Percent>)0`), '$15'))],
      [`BR-${code}-06`, adjustmentOf(code, false, say('cbc:Percent', '5'))],
      [`BR-${code}-07`, adjustmentOf(code, true, say('cbc:Percent', '5'))],
      [`BR-${code}-08`, subtotalOf(code, say('cbc:TaxableAmount', '5.00'))],
      [`BR-${code}-09`, subtotalOf(code, say('cbc:TaxAmount', '0.01'))],
    ]),
  ),
  'BR-Z-10': subtotalOf(
    'Z',
    swap('</cbc:Percent>', '</cbc:Percent><cbc:TaxExemptionReason>No</cbc:TaxExemptionReason>'),
  ),
  'BR-E-10': subtotalOf('E', without('cbc:TaxExemptionReason')),
  'UBL-CR': swap('<cbc:IssueDate>', '<cbc:UUID>1</cbc:UUID><cbc:IssueDate>'),
  'UBL-DT': swap('<cbc:Note>', '<cbc:Note languageID="en">'),
  'UBL-DT-01': aLine(say('cbc:InvoicedQuantity', '1e3')),
  'UBL-SR-43': swap(
    '<cbc:DocumentDescription>',
    '<cbc:DocumentTypeCode>50</cbc:DocumentTypeCode><cbc:DocumentDescription>',
  ),
  'PEPPOL-EN16931-R001': without('cbc:ProfileID'),
  'PEPPOL-EN16931-R002': swap('<cbc:Note>', '<cbc:Note>One</cbc:Note><cbc:Note>'),
  'PEPPOL-EN16931-R003': rootOnly((xml) => without('cbc:BuyerReference')(without('cac:OrderReference')(xml))),
  'PEPPOL-EN16931-R004': say('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
  'PEPPOL-EN16931-R007': say('cbc:ProfileID', 'billing'),
  'PEPPOL-EN16931-R008': say('cbc:Note', ' '),
  'PEPPOL-EN16931-R041': aLine(
    swap('<cbc:Amount', '<cbc:MultiplierFactorNumeric>5</cbc:MultiplierFactorNumeric><cbc:Amount'),
  ),
  'PEPPOL-EN16931-R042': aLine(
    swap('</cbc:Amount>', '</cbc:Amount><cbc:BaseAmount currencyID="NGN">5.00</cbc:BaseAmount>'),
  ),
  'PEPPOL-EN16931-R043': aLine(say('cbc:ChargeIndicator', '1')),
  'PEPPOL-EN16931-R051': aLine(swap('currencyID="NGN"', 'currencyID="USD"')),
  'PEPPOL-EN16931-R053': (xml) => xml.replace(/<cac:TaxTotal>.*<\/cac:TaxTotal>/, (total) => total + total),
  'PEPPOL-EN16931-R054': swap(
    '<cac:TaxTotal>',
    '<cac:TaxTotal><cbc:TaxAmount currencyID="NGN">0.00</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>',
  ),
  'PEPPOL-EN16931-R120': aLine(say('cbc:LineExtensionAmount', '105001.03')),
  'PEPPOL-EN16931-R121': aLine(
    swap('</cac:Price>', '<cbc:BaseQuantity unitCode="XBG">0</cbc:BaseQuantity></cac:Price>'),
  ),
  'PEPPOL-EN16931-F001': say('cbc:DueDate', '15.12.2026'),
  'PEPPOL-EN16931-P0100': say('cbc:InvoiceTypeCode', '389'),
  'PEPPOL-EN16931-P0112': say('cbc:InvoiceTypeCode', '384'),
  'PEPPOL-EN16931-CL002': say('cbc:AllowanceChargeReasonCode', '1'),
  'PEPPOL-EN16931-CL003': aLine(
    adjustment(
      true,
      swap(
        '<cbc:AllowanceChargeReason>',
        '<cbc:AllowanceChargeReasonCode>95</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>',
      ),
    ),
  ),
  'PEPPOL-EN16931-CL007': aLine(swap(/currencyID="NGN"/g, 'currencyID="NAI"')),
  'PEPPOL-EN16931-CL008': seller(endpoint(' schemeID="EM"')),
  ...Object.fromEntries(
    Object.entries({
      P0104: 'G',
      P0105: 'O',
      P0106: 'IC',
      P0107: 'AE',
      P0108: 'D',
      P0109: 'F',
      P0110: 'I',
      P0111: 'J',
    }).map(([name, code]) => [
      `PEPPOL-EN16931-${name}`,
      subtotalOf(
        'Z',
        swap(
          '</cbc:Percent>',
          `</cbc:Percent><cbc:TaxExemptionReasonCode>VATEX-EU-${code}</cbc:TaxExemptionReasonCode>`,
        ),
      ),
    ]),
  ),
}

const plant =
  (before: string) =>
  ([id, fault]: readonly [string, Fault]): Plant => ({ id, before, after: fault(before) })

/** A sound document for each rule, and the same with a fault that breaks it. */
export const plants: readonly Plant[] = [
  ...Object.entries(faults).map(plant(invoice)),
  plant(creditNote)(['BR-CL-01', say('cbc:CreditNoteTypeCode', '380')]),
  plant(creditNote)(['PEPPOL-EN16931-P0101', say('cbc:CreditNoteTypeCode', '261')]),
  plant(debitNote)(['BR-55', inside(/<cac:BillingReference>.*?<\/cac:BillingReference>/, without('cbc:ID'))]),
  plant(closing)(['BR-DEC-17', swap('</cbc:PayableRoundingAmount>', '1</cbc:PayableRoundingAmount>')]),
  // Order, cardinality and places, beside what must not be there at all.
  plant(invoice)(['UBL-CR', swap(/(<cbc:IssueDate>.*?<\/cbc:IssueDate>)(<cbc:DueDate>.*?<\/cbc:DueDate>)/, '$2$1')]),
  plant(invoice)(['UBL-CR', totals((xml) => `${xml}${xml}`)]),
  plant(invoice)(['UBL-CR', aLine(swap(/(<cac:Item>.*<\/cac:Item>)(<cac:Price>.*<\/cac:Price>)/, '$2$1'))]),
  plant(invoice)(['UBL-CR', swap(/<cbc:Note>(.*?)<\/cbc:Note>/, '<cac:Note>$1</cac:Note>')]),
]
