import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { type Decimal, parseDecimal } from '../../kernel/decimal.ts'
import type { DocumentAddress, DocumentLine, DocumentParty, InvoiceDocument } from '../../kernel/invoice-document.ts'
import { nothingWritten } from '../../kernel/written-fields.ts'
import { lineTotals, totalsOf } from '../../modules/invoices/amounts/totals.ts'
import type { CodeEntry, ListsInForce, ListType } from '../port.ts'
import { builtInLists } from './lists.ts'
import { type ReadinessFacts, readinessOf } from './readiness.ts'

const builtIn = builtInLists()
const entries = (type: ListType): readonly CodeEntry[] => builtIn.find((list) => list.type === type)?.entries ?? []
const codes = new Map(builtIn.map(({ type }) => [type, new Set(entries(type).map(({ code }) => code))]))
const lists: ListsInForce = { entries, has: (type, code) => codes.get(type)?.has(code) ?? false }
const decimal = (text: string) => parseDecimal(text) as Decimal
const today = '2026-11-15'

const address: DocumentAddress = {
  line1: '8 Alausa Road',
  city: 'Ikeja',
  state: 'Lagos',
  district: 'Epe',
  country: 'NG',
}
const seller: DocumentParty = {
  name: 'Zuma Farms Ltd',
  legalName: null,
  tradingName: null,
  partyType: 'company',
  taxIdType: 'national',
  taxId: '20198222-0002',
  vatNumber: null,
  registrationNumber: null,
  email: 'billing@zuma.example',
  phone: '+234 802 540 9900',
  businessDescription: null,
  address,
}
const buyer: DocumentParty = { ...seller, name: 'Oke Foods Plc', taxId: '00311855-0001', email: 'ap@oke.example' }

type LineInput = Omit<DocumentLine, 'grossMinor' | 'netMinor'>
const goods: LineInput = {
  description: 'Laptop, 15 inches',
  itemName: null,
  hsnCode: '8471.30',
  serviceCode: null,
  productCategory: 'Portable computers',
  quantity: decimal('2'),
  unitCode: 'EA',
  unitPrice: decimal('200000'),
  discountMinor: 0n,
  feeMinor: 0n,
  taxCategory: 'STANDARD_VAT',
  taxRate: decimal('7.5'),
}
const service: LineInput = {
  ...goods,
  description: 'Setting it up',
  hsnCode: null,
  serviceCode: '6201',
  productCategory: 'Programming',
  quantity: decimal('1.5'),
  unitCode: 'HUR',
}

/** A document with the amounts of its lines. */
function documentOf(inputs: readonly LineInput[], allowanceMinor = 0n, chargeMinor = 0n): InvoiceDocument {
  const { groups, payableMinor, ...totals } = totalsOf({ lines: inputs, allowanceMinor, chargeMinor })
  return {
    type: 'standard',
    kind: 'B2B',
    number: 'INV000049',
    mode: 'sandbox',
    isDraft: true,
    issueDate: '2026-11-14',
    issueTime: '10:30:00',
    dueDate: '2026-12-14',
    instalments: null,
    homeTax: null,
    supplyDate: null,
    currency: 'NGN',
    seller,
    buyer,
    ...totals,
    lines: inputs.map((line) => ({ ...line, ...lineTotals(line) })),
    taxGroups: groups,
    roundingMinor: 0n,
    payableMinor,
    paidMinor: 0n,
    creditedMinor: 0n,
    dueMinor: payableMinor,
    ...nothingWritten,
    original: null,
    reason: null,
    authorityReference: null,
    stamp: null,
  }
}
const ready = documentOf([goods, service], 1_000n, 250n)
const original = { number: 'INV000048', issueDate: '2026-11-01', authorityReference: 'INV000048-F6B4C898-20261101' }

const faults = (change: Partial<InvoiceDocument>, facts: Partial<ReadinessFacts> = {}) =>
  readinessOf({ ...ready, ...change }, lists, { today, ...facts })
const said = (change: Partial<InvoiceDocument>, facts?: Partial<ReadinessFacts>) =>
  faults(change, facts).map(({ path, rule }) => `${path} ${rule}`)
const ofSeller = (change: Partial<DocumentParty>) => said({ seller: { ...seller, ...change } })
const ofBuyer = (change: Partial<DocumentParty>, more: Partial<InvoiceDocument> = {}, status?: string) =>
  said({ buyer: { ...buyer, ...change }, ...more }, status === undefined ? {} : { buyerTaxIdStatus: status })
const ofLine = (change: Partial<LineInput>, more: Partial<InvoiceDocument> = {}) => {
  const { lines, taxGroups, netMinor, taxMinor, payableMinor } = documentOf([goods, { ...service, ...change }])
  const none = { allowanceMinor: 0n, chargeMinor: 0n }
  return said({ lines, taxGroups, netMinor, taxMinor, payableMinor, ...none, ...more })
}

test('a complete document is ready', () => {
  expect(faults({}, { buyerTaxIdStatus: 'verified' })).toEqual([])
  expect(faults({ issueDate: today, dueDate: today, issueTime: null })).toEqual([])
  expect(faults({ dueDate: null, number: 'inv-2026/49', kind: 'G2B' })).toEqual([])
})

describe('the head of a document', () => {
  test.each<[Partial<InvoiceDocument>, string[]]>([
    [{ kind: 'C2C' }, ['invoiceKind kind']],
    [{ number: '---' }, ['invoiceNumber number']],
    [{ number: '' }, ['invoiceNumber number']],
    [{ number: 'A-'.repeat(50) }, []],
    [{ number: 'A'.repeat(51) }, ['invoiceNumber number.length']],
    [{ number: 'INVÉ1' }, ['invoiceNumber number.letters']],
    [{ number: 'INV١' }, ['invoiceNumber number.letters']],
    [{ currency: 'NGX' }, ['currency currency']],
    [{ issueDate: '2026-11-16' }, ['invoiceDate issue_date.future']],
    [{ issueDate: '2026-02-29', dueDate: null }, ['invoiceDate issue_date']],
    [{ issueDate: '2024-02-29' }, []],
    [{ issueDate: '1900-02-29' }, ['invoiceDate issue_date']],
    [{ issueDate: '2026-11-31' }, ['invoiceDate issue_date']],
    [{ issueDate: '2026-11-00' }, ['invoiceDate issue_date']],
    [{ issueDate: '2026-13-01' }, ['invoiceDate issue_date', 'dueDate due_date.early']],
    [{ issueDate: '15.11.2026' }, ['invoiceDate issue_date']],
    [{ issueTime: '24:00:00' }, ['issueTime issue_time']],
    [{ issueTime: '9:30' }, ['issueTime issue_time']],
    [{ dueDate: '2026-11-13' }, ['dueDate due_date.early']],
    [{ dueDate: '2026-12-32' }, ['dueDate due_date']],
    [{ supplyDate: '2026-11-31' }, ['supplyDate supply_date']],
    [{ supplyDate: '2026-10-30' }, []],
  ])('with %j has the faults %j', (change, lacks) => {
    expect(said(change)).toEqual(lacks)
  })

  test('has a fault if there are no lines', () => {
    const nothing = { netMinor: 0n, allowanceMinor: 0n, chargeMinor: 0n, taxMinor: 0n, payableMinor: 0n }
    expect(said({ ...nothing, lines: [], taxGroups: [] })).toEqual(['lineItems lines'])
  })
})

describe('a seller', () => {
  test.each<[Partial<DocumentParty>, string[]]>([
    [{ name: ' ' }, ['seller.name seller.name']],
    [{ taxIdType: 'none', taxId: null }, ['seller.taxId seller.tax_id']],
    [{ taxId: ' ' }, ['seller.taxId seller.tax_id']],
    [{ taxId: '123' }, ['seller.taxId seller.tax_id_format']],
    [{ taxId: '2522520314833' }, []],
    [{ taxIdType: 'registration', taxId: 'RC1401999' }, []],
    [{ taxIdType: 'foreign', taxId: 'GB123456789' }, ['seller.taxIdType seller.tax_id_type']],
    [{ taxIdType: 'ssn' }, ['seller.taxId seller.tax_id_format']],
    [{ email: null }, ['seller.email seller.email']],
    [{ phone: null }, []],
    [{ phone: '08025409900' }, ['seller.phone seller.phone']],
    [{ phone: '+' }, ['seller.phone seller.phone']],
    [{ phone: '+234-(0)802.540 9900' }, []],
    [{ address: null }, ['seller.address seller.address']],
  ])('with %j has the faults %j', (change, lacks) => {
    expect(ofSeller(change)).toEqual(lacks)
  })

  test('is required for every kind of buyer', () => {
    for (const kind of ['B2B', 'B2C', 'B2G', 'G2B']) expect(said({ seller: null, kind })).toEqual(['sellerId seller'])
  })
})

describe('an address', () => {
  test.each<[Partial<DocumentAddress>, string[]]>([
    [{ line1: '' }, ['line1']],
    [{ city: ' ' }, ['city']],
    [{ country: 'XX' }, ['country']],
    [{ state: 'NG-LA', district: 'NG-LA-EPE' }, []],
    [{ state: 'lagos state', district: 'epe lga' }, []],
    [{ state: 'Lagoss' }, ['state']],
    [{ state: 'Oyo' }, ['lga']],
    [{ district: 'Nowhere' }, ['lga']],
    [{ state: '' }, ['state']],
    [{ state: '', district: '' }, []],
    [{ district: '' }, []],
    [{ country: 'GH', state: 'Greater Accra', district: 'Tema' }, []],
  ])('with %j is wrong in %j', (change, fields) => {
    const changed = { ...address, ...change }
    expect(ofBuyer({ address: changed })).toEqual(fields.map((one) => `buyer.address.${one} buyer.address.${one}`))
    expect(ofSeller({ address: changed })).toEqual(fields.map((one) => `seller.address.${one} seller.address.${one}`))
  })
})

describe('a buyer', () => {
  const abroad = { ...address, country: 'GB', state: 'Kent', lga: '' }
  const foreign = { taxIdType: 'foreign', taxId: 'GB123456789' }

  test.each<[Partial<DocumentParty>, string[]]>([
    [{ name: '' }, ['buyer.name buyer.name']],
    [{ taxIdType: 'none', taxId: null }, ['buyer.taxId buyer.tax_id']],
    [{ taxIdType: 'national', taxId: null }, ['buyer.taxId buyer.tax_id']],
    [{ taxId: 'TIN-1' }, ['buyer.taxId buyer.tax_id_format']],
    [{ taxIdType: 'registration', taxId: 'RC 1401999' }, []],
    [{ ...foreign, address: abroad }, []],
    [{ ...foreign, taxId: '?', address: abroad }, ['buyer.taxId buyer.tax_id_format']],
    [foreign, ['buyer.taxIdType buyer.tax_id_type']],
    [{ address: abroad }, []],
    [{ email: '' }, ['buyer.email buyer.email']],
    [{ phone: '0802' }, ['buyer.phone buyer.phone']],
    [{ address: null }, ['buyer.address buyer.address']],
  ])('with %j has the faults %j', (change, lacks) => {
    for (const kind of ['B2B', 'G2B']) expect(ofBuyer(change, { kind })).toEqual(lacks)
  })

  test('that is a government body has a tax number of this country', () => {
    expect(ofBuyer({ partyType: 'government' }, { kind: 'B2G' })).toEqual([])
    expect(ofBuyer({ ...foreign, address: abroad }, { kind: 'B2G' })).toEqual(['buyer.taxIdType buyer.tax_id_type'])
  })

  test('is required unless it is a consumer, and a consumer needs no details', () => {
    for (const kind of ['B2B', 'B2G', 'G2B']) expect(said({ buyer: null, kind })).toEqual(['buyerId buyer'])
    expect(said({ buyer: null, kind: 'B2C' })).toEqual([])
    const unknown = { name: '', email: null, phone: '1', taxId: '?', address: null }
    expect(ofBuyer(unknown, { kind: 'B2C' }, 'not_found')).toEqual([])
  })

  test.each(['unverified', 'pending', 'checking', 'not_found', 'name_mismatch', 'unavailable', 'valid_off_network'])(
    'whose tax number is %s makes the document not ready',
    (status) => {
      expect(ofBuyer({}, {}, status)).toEqual(['buyer.taxId buyer.tax_id_verified'])
      expect(ofBuyer({ taxIdType: 'registration', taxId: 'RC1' }, {}, status)).toEqual([
        'buyer.taxId buyer.tax_id_verified',
      ])
      // The authority cannot verify a foreign number.
      expect(ofBuyer({ ...foreign, address: abroad }, {}, status)).toEqual([])
      expect(ofBuyer({ taxId: null }, {}, status)).toEqual(['buyer.taxId buyer.tax_id'])
    },
  )
})

describe('a line', () => {
  const at = (field: string, rule: string) => [`lineItems[1].${field} line.${rule}`]
  const coded = { hsnCode: '8471.30', serviceCode: null }

  test.each<[string, Partial<LineInput>, string[]]>([
    ['no description', { description: ' ' }, at('description', 'description')],
    ['no code', { serviceCode: null }, at('hsnCode', 'code')],
    ['an empty code', { serviceCode: '' }, at('hsnCode', 'code')],
    ['both codes', { hsnCode: '8471.30' }, at('isicCode', 'code')],
    ['a code without its dot', { ...coded, hsnCode: '847130' }, at('hsnCode', 'code_format')],
    ['a heading', { ...coded, hsnCode: '8471' }, at('hsnCode', 'code_format')],
    ['a tariff line', { ...coded, hsnCode: '8471.3000' }, at('hsnCode', 'code_format')],
    ['an unknown product', { ...coded, hsnCode: '7700.00' }, at('hsnCode', 'code_list')],
    ['an unknown service', { serviceCode: '9999' }, at('isicCode', 'code_list')],
    ['goods of no category', { ...coded, productCategory: null }, at('productCategory', 'category')],
    ['a service of no category', { productCategory: '' }, at('serviceCategory', 'category')],
    ['an unknown unit', { unitCode: 'PIECES' }, at('unitCode', 'unit')],
    ['a package', { unitCode: 'XBG' }, []],
    ['no quantity', { quantity: decimal('0') }, at('quantity', 'quantity')],
    ['nothing to pay', { unitPrice: decimal('0') }, []],
    ['an unknown tax', { taxCategory: 'VAT' }, at('taxCategory', 'tax_category')],
    ['the rate of another day', { taxRate: decimal('5') }, at('taxCategory', 'tax_rate')],
    ['the rate with a zero more', { taxRate: decimal('7.50') }, []],
    ['a taxed exemption', { taxCategory: 'EXEMPTED' }, at('taxCategory', 'tax_rate')],
    ['an exemption', { taxCategory: 'EXEMPTED', taxRate: decimal('0.0') }, []],
    ['a rate that no law fixes', { taxCategory: 'TOURISM_TAX', taxRate: decimal('100.00') }, []],
    ['a rate of nothing', { taxCategory: 'TOURISM_TAX', taxRate: decimal('0') }, []],
    ['more tax than price', { taxCategory: 'TOURISM_TAX', taxRate: decimal('100.01') }, at('taxCategory', 'tax_rate')],
  ])('with %s has exactly the expected faults', (_, change, lacks) => {
    expect(ofLine(change)).toEqual(lacks)
  })

  test('with a price below zero is refused', () => {
    const below = { quantity: decimal('1'), unitPrice: decimal('-0.001') }
    expect(ofLine(below)).toEqual(at('unitPrice', 'price'))
  })

  test('has the tax rate of its day, and a credit note may have the rate of the invoice that it corrects', () => {
    const old = { issueDate: '2020-01-31' }
    const standard = decimal('5')
    const both = documentOf([{ ...goods, taxRate: standard }])
    const change = { ...both, ...old, dueDate: null }
    expect(said(change)).toEqual([])
    expect(said({ ...change, issueDate: '2020-02-01' })).toEqual(['lineItems[0].taxCategory line.tax_rate'])
    expect(said({ ...change, issueDate: '2020-02-01', supplyDate: old.issueDate })).toEqual([])
    const note = { ...both, type: 'credit_note' as const }
    expect(said({ ...note, original: { ...original, ...old } })).toEqual([])
    expect(said({ ...note, original: { ...original, supplyDate: old.issueDate } })).toEqual([])
  })
})

describe('a credit or debit note', () => {
  test.each(['credit_note', 'debit_note'] as const)(
    '(%s) names the invoice that it corrects, which the authority has signed',
    (type) => {
      expect(said({ type, original })).toEqual([])
      expect(said({ type, original: null })).toEqual(['originalInvoiceNumber original'])
      expect(said({ type, original: { ...original, authorityReference: null } })).toEqual([
        'originalInvoiceNumber original.irn',
      ])
    },
  )

  test('is the only type of document that must name another one', () => {
    for (const type of ['standard', 'prepayment'] as const) expect(said({ type, original: null })).toEqual([])
  })

  test('may have a rounding amount only if it is a credit note', () => {
    const rounded = { roundingMinor: -1n, payableMinor: ready.payableMinor - 1n, original }
    expect(said({ ...rounded, type: 'credit_note' })).toEqual([])
    expect(said({ ...rounded, type: 'debit_note' })).toEqual([
      'roundingMinor total.rounding',
      'payableMinor total.payable',
    ])
  })
})

describe('the amounts of a document', () => {
  const lineOf = (change: Partial<DocumentLine>) => ({
    lines: ready.lines.map((line, at) => (at === 1 ? { ...line, ...change } : line)),
  })
  const [group] = ready.taxGroups
  if (!group) throw new Error('the document has no taxes')

  test.each<[string, Partial<InvoiceDocument>, string[]]>([
    ['gross', lineOf({ grossMinor: 1n }), ['lineItems[1].grossMinor line.gross']],
    ['net', lineOf({ netMinor: 1n }), ['lineItems[1].netMinor line.net', 'taxMinor tax', 'netMinor total.net']],
    ['a fee that is not in the net', lineOf({ feeMinor: 1n }), ['lineItems[1].netMinor line.net']],
    ['the tax', { taxGroups: [{ ...group, taxMinor: group.taxMinor + 1n }] }, ['taxMinor tax', 'taxMinor total.tax']],
    ['what is taxed', { taxGroups: [{ ...group, taxableMinor: 0n }] }, ['taxMinor tax']],
    [
      'a tax taken twice',
      { taxGroups: [group, { ...group, allowanceMinor: 0n, chargeMinor: 0n, taxMinor: 0n }] },
      ['taxMinor tax'],
    ],
    [
      'no tax at all',
      { taxGroups: [] },
      ['taxMinor tax', 'allowanceAmount total.allowance', 'chargeAmount total.charge', 'taxMinor total.tax'],
    ],
    ['the allowance', { allowanceMinor: 0n }, ['allowanceAmount total.allowance', 'payableMinor total.payable']],
    ['the payable amount', { payableMinor: 0n }, ['payableMinor total.payable']],
  ])('are calculated again: %s', (_, change, wrong) => {
    expect(said(change)).toEqual(wrong)
  })

  test('of a line are not below zero', () => {
    const below = documentOf([
      { ...goods, feeMinor: -1n },
      { ...goods, discountMinor: -1n },
    ])
    expect(said(below)).toEqual(['lineItems[0].feeAmount line.discount', 'lineItems[1].discountAmount line.discount'])
    const over = documentOf([goods, { ...goods, unitPrice: decimal('0'), discountMinor: 1n }])
    expect(said(over)).toEqual(['lineItems[1].discountAmount line.discount'])
  })

  test('are written as money in messages', () => {
    expect(faults({ payableMinor: 5n })).toEqual([
      {
        path: 'payableMinor',
        rule: 'total.payable',
        message: 'must be 752491.94, and is 0.05: save it again',
      },
    ])
  })
})

test('the message of each fault says what to correct, and where', () => {
  const changes: Partial<InvoiceDocument> = {
    buyer: { ...buyer, taxIdType: 'none', taxId: null, email: null, address: { ...address, state: 'Kent' } },
    seller: { ...seller, phone: '0802' },
  }
  expect(faults(changes).map(({ message }) => message)).toEqual([
    'must begin with + and the code of its country: correct it on the seller',
    'must have an email address: add it to the buyer',
    'must be a Nigerian state, by its name or its code such as NG-LA: correct it in the address of the buyer',
    'must have a tax number: add it to the buyer',
  ])
})

test.each([
  ['national', '20198222-0002'],
  ['registration', 'RC1401999'],
  ['foreign', 'GB123456789'],
  ['ssn', '20198222-0002'],
])('the message about a wrong tax number of type %s gives the example %s', (taxIdType, example) => {
  const [first] = faults({ buyer: { ...buyer, taxIdType, taxId: '?' } })
  expect(first?.message).toBe(`must look like ${example}: correct it on the buyer`)
})

describe('any document', () => {
  const lines = fc.array(
    fc
      .record({
        base: fc.constantFrom(goods, service),
        quantity: fc.bigInt({ min: 1n, max: 10n ** 9n }).map((units) => ({ units, scale: 6 })),
        unitPrice: fc.bigInt({ min: 0n, max: 10n ** 10n }).map((units) => ({ units, scale: 4 })),
        feeMinor: fc.bigInt({ min: 0n, max: 10n ** 6n }),
        discount: fc.bigInt({ min: 0n, max: 100n }),
        tax: fc.constantFrom(
          { taxCategory: 'STANDARD_VAT', taxRate: decimal('7.5') },
          { taxCategory: 'STANDARD_VAT', taxRate: decimal('7.50') },
          { taxCategory: 'ZERO_VAT', taxRate: decimal('0') },
          { taxCategory: 'TOURISM_TAX', taxRate: decimal('2.25') },
          { taxCategory: 'TOURISM_TAX', taxRate: decimal('5') },
        ),
      })
      .map(({ base, quantity, unitPrice, feeMinor, discount, tax }): LineInput => {
        const bare = { ...base, quantity, unitPrice, feeMinor, ...tax }
        return { ...bare, discountMinor: (lineTotals(bare).grossMinor * discount) / 100n }
      }),
    { minLength: 1, maxLength: 12 },
  )
  const documents = fc
    .tuple(lines, fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 10n ** 8n }))
    .map(([inputs, part, chargeMinor]) => {
      const net = inputs.reduce((sum, line) => sum + lineTotals(line).netMinor, 0n)
      return documentOf(inputs, (net * part) / 100n, chargeMinor)
    })

  test('has no fault if we calculated its totals', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(readinessOf(document, lists, { today })).toEqual([])
      }),
      { numRuns: casesToTry(200, 1000) },
    )
  })

  test('has a fault if one of its amounts is changed', () => {
    const amounts = ['netMinor', 'allowanceMinor', 'chargeMinor', 'taxMinor', 'roundingMinor', 'payableMinor'] as const
    const ofGroup = ['netMinor', 'allowanceMinor', 'chargeMinor', 'taxableMinor', 'taxMinor'] as const
    const ofLineToo = ['grossMinor', 'discountMinor', 'feeMinor', 'netMinor'] as const
    const off = fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }).filter((one) => one !== 0n)
    fc.assert(
      fc.property(documents, off, fc.nat(), (document, by, pick) => {
        const at = pick % document.lines.length
        const group = pick % document.taxGroups.length
        const changed = [
          ...amounts.map((name) => ({ ...document, [name]: document[name] + by })),
          ...ofGroup.map((name) => ({
            ...document,
            taxGroups: document.taxGroups.map((one, place) =>
              place === group ? { ...one, [name]: one[name] + by } : one,
            ),
          })),
          ...ofLineToo.map((name) => ({
            ...document,
            lines: document.lines.map((one, place) => (place === at ? { ...one, [name]: one[name] + by } : one)),
          })),
        ]
        for (const one of changed) expect(readinessOf(one, lists, { today })).not.toEqual([])
      }),
      { numRuns: casesToTry(60, 300) },
    )
  })

  test('never makes the check throw, and every fault has a path, a rule and a message', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    const party = fc.record({
      name: text,
      taxIdType: fc.oneof(text, fc.constantFrom('national', 'registration', 'foreign', 'none')),
      taxId: fc.option(text),
      email: fc.option(text),
      phone: fc.option(text),
      address: fc.option(fc.record({ line1: text, city: text, state: text, lga: text, country: text })),
    })
    const heads = fc.record({ number: text, kind: text, currency: text, issueDate: text, dueDate: fc.option(text) })
    fc.assert(
      fc.property(heads, party, party, text, (head, from, to, code) => {
        const document: InvoiceDocument = {
          ...ready,
          ...head,
          seller: { ...seller, ...from },
          buyer: { ...buyer, ...to },
          lines: ready.lines.map((line) => ({ ...line, hsnCode: code, unitCode: code, taxCategory: code })),
        }
        const found = readinessOf(document, lists, { today, buyerTaxIdStatus: code })
        expect(found.length).toBeGreaterThan(0)
        for (const { path, rule, message } of found) {
          expect(path).toMatch(/^[a-z][A-Za-z0-9[\].]+$/)
          expect(rule).toMatch(/^[a-z][a-z0-9_.]+$/)
          expect(message).toMatch(/^must /)
        }
      }),
      { numRuns: casesToTry(200, 1000) },
    )
  })
})
