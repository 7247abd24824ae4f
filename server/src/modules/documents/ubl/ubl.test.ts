import { describe, expect, test } from 'vitest'
import {
  buyer,
  decimal,
  documentOf,
  documents,
  exempt,
  letterhead,
  line,
  nasty,
  seller,
  serviceLine,
} from '../../../../../test/ubl/documents.ts'
import { all, type Element, has, text, treeOf } from '../../../../../test/ubl/tree.ts'
import { ublRules } from '../../../jurisdictions/ng/ubl-rules.ts'
import type { DocumentParty, InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { ublOf } from './ubl.ts'
import { holdable } from './xml.ts'

const told = (document: InvoiceDocument, head?: Letterhead): Element => treeOf(ublOf(document, ublRules, head))
const elementWith = (more: Partial<InvoiceDocument>): Element => told(documentOf({ lines: [line()], ...more }))
const textsAt = (root: Element, path: string): string[] => all(root, path).map((element) => element.text)
const ofSeller = (party: Partial<DocumentParty>) =>
  all(elementWith({ seller: { ...seller, ...party } }), 'cac:AccountingSupplierParty/cac:Party')[0] as Element
const ofBuyer = (party: Partial<DocumentParty>) =>
  all(elementWith({ buyer: { ...buyer, ...party } }), 'cac:AccountingCustomerParty/cac:Party')[0] as Element

describe('the type of a document', () => {
  test.each([
    ['standard', 'Invoice', '380'],
    ['debit_note', 'Invoice', '383'],
    ['prepayment', 'Invoice', '386'],
    ['credit_note', 'CreditNote', '381'],
  ] as const)('%s becomes %s %s', (type, root, code) => {
    const tree = elementWith({ type })
    expect([tree.name, text(tree, `cbc:${root}TypeCode`)]).toEqual([root, code])
  })

  test('a draft and a sandbox document say so first', () => {
    const note = text(
      elementWith({ isDraft: true, mode: 'sandbox', reason: 'Wrong price', notes: 'Hello' }),
      'cbc:Note',
    )
    expect(note.split('\n').map((part) => part.slice(0, 7))).toEqual(['DRAFT: ', 'TEST: t', 'Reason:', 'Hello'])
    expect(text(elementWith({}), 'cbc:Note')).toBe('Thank you for your business.')
  })

  test('no note starts with a subject code', () => {
    expect(text(elementWith({ notes: '#AAI#Pay #123 or #4#56#' }), 'cbc:Note')).toBe('＃AAI#Pay #123 or #4#56#')
  })

  test('a note contains the corrected invoice and the reason', () => {
    const tree = elementWith({ type: 'credit_note' })
    const path = 'cac:BillingReference/cac:InvoiceDocumentReference'
    expect([text(tree, `${path}/cbc:ID`), text(tree, `${path}/cbc:IssueDate`)]).toEqual(['INV000007', '2026-10-01'])
    expect(text(tree, 'cbc:Note')).toMatch(/^Reason: Two bags were wet\n/)
  })

  test.each([
    ['standard', '2026-10-30', '2026-10-30'],
    ['standard', null, '2026-11-15'],
    ['debit_note', null, '2026-11-15'],
    ['prepayment', null, ''],
    ['prepayment', '2026-12-24', '2026-12-24'],
    ['credit_note', null, ''],
  ] as const)('%s, supplied on %j, says that it was on %j', (type, supplyDate, day) => {
    const tree = elementWith({ type, supplyDate, issueDate: '2026-11-15' })
    expect(text(tree, 'cac:Delivery/cbc:ActualDeliveryDate')).toBe(day)
  })

  test('later payments and credits do not change the XML', () => {
    const later = { paidMinor: 500n, creditedMinor: 70n, dueMinor: 1n }
    expect(ublOf(documentOf({ lines: [line()], ...later }), ublRules)).toBe(
      ublOf(documents.goods as InvoiceDocument, ublRules),
    )
  })
})

describe('references', () => {
  test('the number of the authority, its QR code and the number of the original are supporting documents', () => {
    const path = 'cac:AdditionalDocumentReference/cbc:'
    const tree = elementWith({ type: 'debit_note', authorityReference: 'A-1', stamp: 'qr', quoteReference: null })
    expect(textsAt(tree, `${path}ID`)).toEqual(['A-1', 'QR', 'INV000007-94ND90NR-20261001'])
    expect(textsAt(tree, `${path}DocumentDescription`)[1]).toBe('qr')
    expect(textsAt(elementWith({ authorityReference: null, stamp: null }), `${path}ID`)).toEqual(['The quoteReference'])
  })

  test.each([
    ['PO-7', 'Store 4', 'PO-7', 'Store 4'],
    [null, 'Store 4', '', 'Store 4'],
    ['PO-7', null, 'PO-7', ''],
    [null, null, 'NA', ''],
  ])('order %j and buyer reference %j become %j and %j', (purchaseOrderReference, buyerReference, order, of) => {
    const tree = elementWith({ purchaseOrderReference, buyerReference })
    expect([text(tree, 'cac:OrderReference/cbc:ID'), text(tree, 'cbc:BuyerReference')]).toEqual([order, of])
  })
})

describe('a party', () => {
  const numbers = (party: Element) =>
    all(party, 'cac:PartyTaxScheme').map((of) => [text(of, 'cac:TaxScheme/cbc:ID'), text(of, 'cbc:CompanyID')])

  test.each([
    [
      {},
      [
        ['VAT', 'NG20198222-0002'],
        ['TAX', '201982220002'],
      ],
    ],
    [
      { vatNumber: 'ng 123' },
      [
        ['VAT', 'NG123'],
        ['TAX', '201982220002'],
      ],
    ],
    [{ vatNumber: null }, [['TAX', '201982220002']]],
    [{ vatNumber: ' \u0000' }, [['TAX', '201982220002']]],
    [{ vatNumber: null, taxIdType: 'registration', taxId: 'RN-1401999' }, [['TAX', 'RN-1401999']]],
    [{ vatNumber: null, taxIdType: 'none', taxId: null }, []],
  ])('that sells with %j has the numbers %j', (party, expected) => {
    expect(numbers(ofSeller(party))).toEqual(expected)
  })

  test('as buyer has its tax number as its identifier', () => {
    const party = ofBuyer({ vatNumber: '77' })
    expect(numbers(party)).toEqual([['VAT', 'NG77']])
    expect(text(party, 'cac:PartyIdentification/cbc:ID')).toBe('2522520314833')
  })

  test.each([
    ['EL 123456789', 'GR', 'EL123456789'],
    ['xi123456789', 'GB', 'XI123456789'],
    ['123456789', 'GR', 'EL123456789'],
  ])('abroad keeps the prefix of its VAT number: %s in %s is %s', (vatNumber, country, whole) => {
    const address = { line1: '1 High Street', city: 'Somewhere', country }
    expect(numbers(ofBuyer({ vatNumber, address }))).toEqual([['VAT', whole]])
  })

  test('has its tax ID of thirteen digits as its electronic address, and no other number', () => {
    const [address] = all(ofBuyer({}), 'cbc:EndpointID')
    expect([address?.attributes.schemeID, address?.text]).toEqual(['0244', '2522520314833'])
    expect(has(ofBuyer({ taxId: '252252031483' }), 'cbc:EndpointID')).toBe(false)
    expect(has(ofBuyer({ taxIdType: 'foreign' }), 'cbc:EndpointID')).toBe(false)
  })

  test('with a registration number has it as its company id', () => {
    const party = ofBuyer({ taxIdType: 'registration', taxId: 'RN-55', registrationNumber: null })
    expect(has(party, 'cac:PartyIdentification')).toBe(false)
    expect(text(party, 'cac:PartyLegalEntity/cbc:CompanyID')).toBe('RN-55')
  })

  test.each([
    [{ name: 'A', legalName: 'A Ltd', tradingName: 'T' }, 'A Ltd', 'T'],
    [{ name: 'A', legalName: 'A Ltd', tradingName: null }, 'A Ltd', 'A'],
    [{ name: 'A', legalName: null, tradingName: null }, 'A', ''],
  ])('of the names %j is %s, trading as %j', (party, legal, trading) => {
    const names = [
      text(ofBuyer(party), 'cac:PartyLegalEntity/cbc:RegistrationName'),
      text(ofBuyer(party), 'cac:PartyName/cbc:Name'),
    ]
    expect(names).toEqual([legal, trading])
  })

  test('without an address is in the home country, unless its number is foreign', () => {
    const country = 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'
    expect(text(ofBuyer({ address: null }), country)).toBe('NG')
    expect(has(ofBuyer({ address: null, taxIdType: 'foreign' }), 'cac:PostalAddress')).toBe(false)
  })

  test.each([
    [false, 'Final consumer'],
    [true, 'Not named yet'],
  ])('without a name, in a draft: %s, is called %s', (isDraft, name) => {
    const tree = elementWith({ kind: 'B2C', isDraft, buyer: null })
    const path = 'cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName'
    expect(text(tree, path)).toBe(name)
  })
})

describe('payment', () => {
  const means = 'cac:PaymentMeans'

  test('goes to the bank account of the letterhead', () => {
    const [transfer] = all(told(documents.goods as InvoiceDocument, letterhead), means)
    expect(transfer && text(transfer, 'cbc:PaymentMeansCode')).toBe('30')
    expect(transfer && all(transfer, 'cbc:PaymentMeansCode')[0]?.attributes).toEqual({
      name: 'Transfer to Zenith Bank',
    })
    expect(transfer && text(transfer, 'cac:PayeeFinancialAccount/cbc:ID')).toBe('1012345678')
    expect(has(told(documents.goods as InvoiceDocument), means)).toBe(false)
  })

  test('of a credit note omits the seller’s account, and keeps the due date', () => {
    const tree = told(documentOf({ lines: [line()], type: 'credit_note' }), letterhead)
    expect([textsAt(tree, `${means}/cbc:PaymentMeansCode`), textsAt(tree, `${means}/cbc:PaymentDueDate`)]).toEqual([
      ['1'],
      ['2026-12-15'],
    ])
  })

  test('in instalments has the first due date, and describes the others in the terms', () => {
    const instalments = [
      { dueDate: '2026-11-20', amountMinor: 50_00n, dueMinor: 0n, percent: null },
      { dueDate: '2026-12-15', amountMinor: 70_50n, dueMinor: 70_50n, percent: null },
    ]
    const tree = elementWith({ instalments })
    expect(text(tree, 'cbc:DueDate')).toBe('2026-11-20')
    expect(text(tree, 'cac:PaymentTerms/cbc:Note')).toBe(
      'Net 30 days\nInstalment 1 of 2: NGN 50.00, due on 2026-11-20.\nInstalment 2 of 2: NGN 70.50, due on 2026-12-15.',
    )
  })

  test('without a date and terms has a placeholder', () => {
    const tree = elementWith({ dueDate: null, paymentTerms: null })
    expect(text(tree, 'cac:PaymentTerms/cbc:Note')).toMatch(/^No due date/)
    expect(has(elementWith({ paymentTerms: null }), 'cac:PaymentTerms')).toBe(false)
  })
})

describe('a line', () => {
  const item = (of: ReturnType<typeof line>) =>
    all(told(documentOf({ lines: [of] })), 'cac:InvoiceLine/cac:Item')[0] as Element
  const properties = (of: Element) =>
    all(of, 'cac:AdditionalItemProperty').map((each) => [text(each, 'cbc:Name'), text(each, 'cbc:Value')])

  test('of goods has its HS code, of a service its ISIC class', () => {
    const goods = all(item(line()), 'cac:CommodityClassification/cbc:ItemClassificationCode')
    expect(goods.map((code) => [code.text, code.attributes])).toEqual([['1006.30', { listID: 'HS' }]])
    expect(properties(item(serviceLine()))).toEqual([
      ['ISIC Rev. 4', '6201'],
      ['Category', 'Computer programming'],
    ])
  })

  test.each([
    ['STANDARD_VAT', '7.5', 'S', null, null],
    ['STANDARD_VAT', '0', 'Z', null, null],
    ['ZERO_VAT', '0', 'Z', null, null],
    ['EXEMPTED', '0', 'E', 'Exempt from VAT under Nigerian law', null],
    ['STATE_SALES_TAX', '5', 'S', null, 'STATE_SALES_TAX'],
    ['STAMP_DUTY', '0', 'E', 'No VAT: the line is under STAMP_DUTY, at nil', 'STAMP_DUTY'],
  ])('under %s at %s is %s, for the reason %j, of the tax %j', (taxCategory, rate, code, reason, tax) => {
    const tree = told(documentOf({ lines: [line({ taxCategory, taxRate: decimal(rate), productCategory: null })] }))
    expect(text(tree, 'cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:ID')).toBe(code)
    const group = 'cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory'
    expect([text(tree, `${group}/cbc:ID`), text(tree, `${group}/cbc:TaxExemptionReason`)]).toEqual([code, reason ?? ''])
    expect(properties(all(tree, 'cac:InvoiceLine/cac:Item')[0] as Element)).toEqual(tax ? [['Tax', tax]] : [])
  })

  test('taxes that the standard does not distinguish form one group with both reasons', () => {
    const lines = [line(exempt), line({ taxCategory: 'STAMP_DUTY', taxRate: decimal('0') })]
    expect(
      textsAt(told(documentOf({ lines })), 'cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason'),
    ).toEqual(['Exempt from VAT under Nigerian law; No VAT: the line is under STAMP_DUTY, at nil'])
  })

  test('with markup is read back unchanged', () => {
    const nastyItem = item(line({ itemName: nasty, description: `${nasty}.` }))
    expect([text(nastyItem, 'cbc:Name'), text(nastyItem, 'cbc:Description')]).toEqual([
      holdable(nasty),
      holdable(`${nasty}.`),
    ])
  })
})
