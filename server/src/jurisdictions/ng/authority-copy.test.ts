import { describe, expect, test } from 'vitest'
import { business, documentOf, lists } from '../../../../test/harness/authority-documents.ts'
import type { AuthorityCopy, ClaimFacts } from '../port.ts'
import { readCopy } from './authority-copy.ts'
import { faultsOfCopy } from './copy-faults.ts'
import { inputTaxClaim } from './input-tax.ts'
import { reporting } from './reporting.ts'

const sent = JSON.parse(reporting.documentFor(documentOf(), business, lists).bytes.toString()) as Record<
  string,
  unknown
>
const copyOf = (more: object = {}) => readCopy(Buffer.from(JSON.stringify({ ...sent, ...more })))
const totals = sent.legal_monetary_total as object

test.each<[string, object]>([
  ['no reference', { irn: 'INV-1' }],
  ['no day', { issue_date: 'tomorrow' }],
  ['a day that is in no calendar', { due_date: '2026-02-31' }],
  ['a year that nobody trades in', { issue_date: '0000-01-01' }],
  ['no lines', { invoice_line: [] }],
  ['no seller', { accounting_supplier_party: undefined }],
  ['no totals', { legal_monetary_total: undefined }],
  ['an amount that is none', { legal_monetary_total: { ...totals, payable_amount: 'a lot' } }],
  ['a third decimal', { legal_monetary_total: { ...totals, payable_amount: 1.005 } }],
  ['more money than there is', { legal_monetary_total: { ...totals, payable_amount: 1e30 } }],
  ['a currency that is none', { document_currency_code: 'naira' }],
])('a copy with %s is not accepted as a document', (_, more) => {
  expect(copyOf(more)).toBeUndefined()
})

test.each(['', 'null', '[]', '{', '<xml/>'])('the text %j is not accepted as a document', (text) => {
  expect(readCopy(Buffer.from(text))).toBeUndefined()
})

test('a copy may have texts for numbers, an empty buyer and unknown fields', () => {
  const copy = copyOf({
    legal_monetary_total: { ...totals, payable_amount: '446125.40' },
    accounting_customer_party: {},
    invoice_kind: 'B2C',
    something_new: true,
  })
  expect(copy).toMatchObject({ buyer: null, payableMinor: 44_612_540n, kind: 'B2C' })
})

test('a copy contains no character that the database cannot store', () => {
  const copy = copyOf({
    invoice_type_code: '38\u00001',
    business_id: 'a\u0000b',
    billing_reference: [{ irn: 'x\u0000y' }, { irn: 'X Y' }],
  })
  expect(copy).toMatchObject({ typeCode: '38 1', businessId: 'a b', corrects: ['X Y'] })
})

test('only VAT counts as input tax', () => {
  const tax = (id: string, tax_amount: number) => ({ taxable_amount: 1000, tax_amount, tax_category: { id } })
  const subtotals = [tax('STANDARD_VAT', 75), tax('REDUCED_VAT', 25), tax('TOURISM_TAX', 50)]
  const copy = copyOf({ tax_total: [{ tax_amount: 150, tax_subtotal: subtotals }] }) as AuthorityCopy
  const facts = { isReported: true, today: '2026-11-15', faults: [], ownTaxIds: ['003118550001'] }
  expect(inputTaxClaim(copy, facts)).toMatchObject({ claimable: true, taxMinor: 10_000n })
  const note: AuthorityCopy = { ...copy, type: 'credit_note' }
  expect(inputTaxClaim(note, facts)).toMatchObject({ rule: 'credit_note', taxMinor: 10_000n, until: null })
  // A document that is unreported or withdrawn takes nothing away.
  expect(inputTaxClaim(note, { ...facts, isReported: false })).toMatchObject({ rule: 'not_validated', taxMinor: 0n })
  expect(inputTaxClaim({ ...note, paymentStatus: 'rejected' }, facts)).toMatchObject({ taxMinor: 0n })
})

test.each<[string, object, string]>([
  ['a total that does not add up', { legal_monetary_total: { ...totals, tax_inclusive_amount: 1 } }, 'copy.inclusive'],
  ['another day than that of the reference', { issue_date: '2026-11-13' }, 'copy.reference'],
  ['a note that corrects nothing', { invoice_type_code: '380' }, 'copy.original'],
  ['a due day before that of issue', { due_date: '2026-11-01' }, 'copy.due_date'],
  ['an unknown type', { invoice_type_code: '999' }, 'copy.type'],
])('the check of a copy finds %s', (_, more, rule) => {
  const copy = copyOf(more) as AuthorityCopy
  expect(faultsOfCopy(copy, lists).map((fault) => fault.rule)).toContain(rule)
})

describe('the tax on a purchase', () => {
  const facts: ClaimFacts = { isReported: true, today: '2026-11-15', faults: [], ownTaxIds: ['003118550001'] }
  const claim = (more: object = {}, other: Partial<ClaimFacts> = {}) =>
    inputTaxClaim(copyOf(more) as AuthorityCopy, { ...facts, ...other })

  test('can be claimed for five years', () => {
    expect(claim()).toEqual({
      claimable: true,
      rule: 'claimable',
      message: 'The VAT on it can be claimed until 2031-11-14.',
      until: '2031-11-14',
      taxMinor: 3_112_503n,
    })
    expect(claim({}, { today: '2031-11-14' }).claimable).toBe(true)
  })

  test.each<[string, object, Partial<ClaimFacts>]>([
    ['not_validated', {}, { isReported: false }],
    ['too_old', {}, { today: '2031-11-15' }],
    ['other_buyer', {}, { ownTaxIds: ['999'] }],
    ['other_buyer', { accounting_customer_party: null }, {}],
    ['no_tax', { tax_total: [] }, {}],
    ['credit_note', { invoice_type_code: '380' }, {}],
    ['rejected', { payment_status: 'CANCELED' }, {}],
    ['services_before_2026', { issue_date: '2025-12-31' }, {}],
    ['faulty', {}, { faults: [{ path: '', rule: 'copy.tax', message: 'is wrong' }] }],
  ])('cannot be claimed: %s', (rule, more, other) => {
    expect(claim(more, other)).toMatchObject({ claimable: false, rule, message: expect.stringMatching(/^[A-Z].+\.$/) })
  })
})

test('sales to consumers must be reported within a day, and other sales have no deadline', () => {
  const issuedAt = new Date('2026-11-15T10:00:00Z')
  expect(reporting.reportBy({ kind: 'B2C' }, issuedAt)).toEqual(new Date('2026-11-16T10:00:00Z'))
  expect(reporting.reportBy({ kind: 'B2B' }, issuedAt)).toBeUndefined()
  expect([reporting.goesToBuyer({ kind: 'B2C' }), reporting.goesToBuyer({ kind: 'B2G' })]).toEqual([false, true])
})

test.each<[string, object | undefined]>([
  ['{"irn":"INV1-F6B4C898-20261114","message":"TRANSMITTED"}', { reference: 'INV1-F6B4C898-20261114' }],
  ['{"irn":"../../x"}', undefined],
  ['{"irn":7}', undefined],
  ['null', undefined],
  ['hello', undefined],
  [JSON.stringify({ irn: 'INV1-F6B4C898-20261114', padding: 'x'.repeat(20_000) }), undefined],
])('the notification %.60s is read or ignored', (body, told) => {
  expect(reporting.readNotification(Buffer.from(body))).toEqual(told)
})

test('the service id is read from the template of an IRN', () => {
  const template = '{{invoice_id(e.g:INV00XXX)}}-59854B81-{{YYYYMMDD(e.g:20250629)}}'
  expect(reporting.serviceIdIn(template)).toBe('59854B81')
  expect(reporting.serviceIdIn('{{invoice_id}}-94ND90NR-{{YYYYMMDD}}')).toBe('94ND90NR')
  for (const other of ['', 'INV-59854B81-X', '{{a}}-59854b81-{{b}}', '{{a}}-1234567-{{b}}'])
    expect(reporting.serviceIdIn(other)).toBeUndefined()
})
