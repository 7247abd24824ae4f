import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkInvoice } from '../../../../simulators/src/authority/invoice-rules.ts'
import {
  business,
  buyer,
  decimal,
  documentOf,
  goods,
  type LineInput,
  lists,
  seller,
  service,
} from '../../../../test/harness/authority-documents.ts'
import { sampleOf } from '../../../../test/harness/written-fields.ts'
import { parseDecimal } from '../../kernel/decimal.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { everyField, writtenFieldNames } from '../../kernel/written-fields.ts'
import { isSameDocument, readCopy } from './authority-copy.ts'
import { documentFor } from './authority-document.ts'
import { faultsOfCopy } from './copy-faults.ts'
import { readinessOf } from './readiness.ts'
import { placeOf } from './refusal-places.ts'

const original = { number: 'INV000049', issueDate: '2026-11-14', authorityReference: 'INV000049-F6B4C898-20261114' }
const exempt: LineInput = {
  ...goods,
  description: 'School books',
  hsnCode: '4901.99',
  taxCategory: 'EXEMPTED',
  taxRate: decimal('0'),
}
const zero: LineInput = {
  ...goods,
  description: 'Rice',
  hsnCode: '1006.30',
  taxCategory: 'ZERO_VAT',
  taxRate: decimal('0'),
}

/** Every kind of document that we issue, each with a field that the others lack. */
const documents: Readonly<Record<string, InvoiceDocument>> = {
  'invoice-b2b': documentOf(),
  'invoice-b2g': documentOf([service], { kind: 'B2G', number: 'INV-2026/0007' }),
  'invoice-g2b': documentOf([service], { kind: 'G2B' }),
  'invoice-b2c': documentOf([goods], { kind: 'B2C', buyer: null, dueDate: null, issueTime: null }),
  'invoice-b2c-named': documentOf([goods], { kind: 'B2C' }),
  'invoice-with-everything': documentOf(
    [
      { ...goods, discountMinor: 5_000_00n, feeMinor: 250_50n },
      { ...service, quantity: decimal('0.333'), unitPrice: decimal('1234.5678') },
      exempt,
      zero,
    ],
    {
      allowanceMinor: 1_000_01n,
      chargeMinor: 333_33n,
      ...everyField(sampleOf),
      paymentTerms: 'Net 30',
      notes: 'Thank you\nfor "everything"',
      purchaseOrderReference: 'PO-7781',
      buyerReference: 'BR-1',
      accountingCost: 'CC-100',
      buyer: { ...buyer, businessDescription: 'Food processing' },
    },
  ),
  'invoice-supplied-before': documentOf([goods], { supplyDate: '2026-10-30' }),
  'invoice-exempt': documentOf([exempt]),
  'invoice-zero-rated': documentOf([zero]),
  'invoice-in-dollars': documentOf([{ ...service, unitPrice: decimal('99.9999') }], { currency: 'USD' }),
  'invoice-to-abroad': documentOf([service], {
    currency: 'EUR',
    buyer: {
      ...buyer,
      name: 'Müller & Söhne GmbH',
      taxIdType: 'foreign',
      taxId: 'DE 123 456 789',
      phone: null,
      address: { line1: 'Hafenstraße 1', line2: 'Hinterhof', city: 'Hamburg', state: 'Hamburg', country: 'DE' },
    },
  }),
  'invoice-by-registration-number': documentOf([goods], {
    buyer: { ...buyer, taxIdType: 'registration', taxId: 'RC 1401999', businessDescription: 'IT' },
    seller: { ...seller, registrationNumber: null, taxId: '2522520314833' },
  }),
  'invoice-paid': documentOf([goods], { paidMinor: 430_000_00n, dueMinor: 0n }),
  'invoice-of-millions': documentOf([{ ...goods, quantity: decimal('999999'), unitPrice: decimal('99999999.99') }]),
  prepayment: documentOf([goods], { type: 'prepayment', number: 'PP000001' }),
  'credit-note': documentOf([{ ...goods, quantity: decimal('1') }], {
    type: 'credit_note',
    number: 'CN000001',
    original,
    reason: 'One came back',
  }),
  'credit-note-that-closes': documentOf([{ ...goods, unitPrice: decimal('33.33') }], {
    type: 'credit_note',
    number: 'CN000002',
    original,
    reason: 'All of it came back',
    roundingMinor: -1n,
  }),
  'debit-note': documentOf([service], { type: 'debit_note', number: 'DN000001', original, reason: 'An hour more' }),
}

const jsonOf = (document: InvoiceDocument) => documentFor(document, business, lists).bytes.toString()

describe.each(Object.entries(documents))('%s', (name, document) => {
  test('is sent as its golden file says', async () => {
    // One field per line, with every digit as it is sent.
    const readable = jsonOf(document).replace(/([{[,])(?=["{])/g, '$1\n')
    await expect(`${readable}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `${name}.txt`))
  })

  test('is ready, and what is sent has its reference, type and amounts', () => {
    expect(readinessOf(document, lists, { today: '2026-11-15' })).toEqual([])
    const copy = readCopy(Buffer.from(jsonOf(document)))
    expect(copy).toMatchObject({
      reference: `${document.number.replace(/[^A-Z0-9]/g, '')}-F6B4C898-20261114`,
      type: document.type === 'prepayment' ? 'standard' : document.type,
      payableMinor: document.payableMinor,
      taxMinor: document.taxMinor,
      netMinor: document.netMinor,
      lines: document.lines.map(({ netMinor }) => ({ netMinor })),
    })
  })

  test('gives the same bytes every time', () => {
    const [one, other] = [
      documentFor(document, business, lists),
      documentFor(structuredClone(document), business, lists),
    ]
    expect(one).toEqual(other)
    expect(one.sha256).toBe(createHash('sha256').update(one.bytes).digest('hex'))
    expect(isSameDocument(one.bytes, other.bytes)).toBe(true)
  })
})

test('the authority can read a document with any one of the written fields', () => {
  for (const name of writtenFieldNames) {
    const document = documentOf([goods], { [name]: sampleOf(name) })
    expect(() => checkInvoice(JSON.parse(jsonOf(document))), name).not.toThrow()
  }
})

/** The paths of all days in what is sent. */
const daysIn = (value: unknown, path: string): string[] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => daysIn(one, `${path}.${name}`))
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? [path] : []
}

test('each day that the authority may refuse has a place in our document', () => {
  const sent: unknown = JSON.parse(jsonOf(documents['invoice-with-everything'] as InvoiceDocument))
  const days = daysIn(sent, 'invoicerequest.invoice')
  expect(days).toContain('invoicerequest.invoice.issue_date')
  for (const path of days) expect([path, placeOf(path)]).toEqual([path, expect.any(String)])
})

test('a document keeps the reference that was sent before, even if the connection has changed', () => {
  const { reference, bytes } = documentFor(
    documentOf(),
    { ...business, serviceId: 'NEWNEW00' },
    lists,
    original.authorityReference,
  )
  expect(reference).toBe(original.authorityReference)
  expect(readCopy(bytes)?.reference).toBe(original.authorityReference)
})

test.each<[string, Partial<InvoiceDocument>]>([
  ['total', { payableMinor: 1n }],
  ['currency', { currency: 'USD' }],
  ['type', { type: 'debit_note', original }],
  ['issuer', { seller: { ...seller, taxId: '20198222-0003' } }],
  ['buyer', { buyer: { ...buyer, taxId: '20198222-0004' } }],
  ['split between net and tax', { netMinor: 1n, taxMinor: 1n }],
])('a change of the %s makes another document', (_, more) => {
  const ours = documentFor(documentOf(), business, lists)
  const theirs = documentFor(documentOf(undefined, more), business, lists, ours.reference)
  expect(isSameDocument(ours.bytes, theirs.bytes)).toBe(false)
})

describe('any document', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 9n })
  const line = fc
    .record({
      quantity: fc.bigInt({ min: 1n, max: 10n ** 7n }),
      unitPrice: fc.bigInt({ min: 0n, max: 10n ** 11n }),
      discount: fc.bigInt({ min: 0n, max: 100n }),
      feeMinor: amount,
      tax: fc.constantFrom<readonly [string, string]>(
        ['STANDARD_VAT', '7.5'],
        ['ZERO_VAT', '0'],
        ['EXEMPTED', '0'],
        ['WITHHOLDING_TAX', '2.125'],
      ),
      kind: fc.constantFrom(goods, service),
    })
    .map(({ quantity, unitPrice, discount, feeMinor, tax, kind }): LineInput => {
      const [taxCategory, rate] = tax
      const worth = (quantity * unitPrice) / 100_000n
      return {
        ...kind,
        quantity: { units: quantity, scale: 3 },
        unitPrice: { units: unitPrice, scale: 4 },
        discountMinor: (worth * discount) / 100n,
        feeMinor,
        taxCategory,
        taxRate: decimal(rate),
      }
    })

  test('is sent with amounts that add up to the last digit', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.bigInt({ min: 0n, max: 100n }),
        amount,
        (lines, share, chargeMinor) => {
          const net = documentOf(lines).netMinor
          const document = documentOf(lines, { allowanceMinor: (net * share) / 100n, chargeMinor })
          const text = jsonOf(document)
          const numbers = [...text.matchAll(/"(\w+_amount|amount)":(-?\d+\.\d\d)[,}]/g)]
          const sumOf = (name: string, within: string) =>
            numbersIn(within, name).reduce((sum, minor) => sum + minor, 0n)
          const [head = '', tail = ''] = text.split('"invoice_line":')
          const total = (name: string) => sumOf(name, head.slice(head.indexOf('"legal_monetary_total"')))
          const taxes = head.slice(head.indexOf('"tax_subtotal"'), head.indexOf('"legal_monetary_total"'))
          expect(numbers.length).toBeGreaterThan(6)
          expect(sumOf('line_extension_amount', tail)).toBe(total('line_extension_amount'))
          expect(sumOf('taxable_amount', taxes)).toBe(total('tax_exclusive_amount'))
          expect(total('tax_exclusive_amount') + sumOf('tax_amount', taxes)).toBe(total('tax_inclusive_amount'))
          expect(total('payable_amount')).toBe(document.payableMinor)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('keeps every digit when it is read back', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const document = documentOf(lines)
        const copy = readCopy(Buffer.from(jsonOf(document)))
        expect(copy?.lines.map(({ netMinor }) => netMinor)).toEqual(document.lines.map(({ netMinor }) => netMinor))
        expect(copy && faultsOfCopy(copy, lists)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

function numbersIn(text: string, name: string): bigint[] {
  return [...text.matchAll(new RegExp(`"${name}":(-?\\d+\\.\\d\\d)[,}]`, 'g'))].map(
    ([, digits = '']) => parseDecimal(digits)?.units ?? 0n,
  )
}
