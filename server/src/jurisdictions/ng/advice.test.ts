import { expect, test } from 'vitest'
import { decimal, documentOf, goods, lists, seller, service } from '../../../../test/harness/authority-documents.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { adviceOn } from './advice.ts'

const today = '2026-11-15'
const said = (document: InvoiceDocument) =>
  adviceOn(document, lists, { today }).map(({ path, rule }) => `${path} ${rule}`)
const unregistered = { seller: { ...seller, registrationNumber: ' ' } }
const wantsNumber = ['seller.registrationNumber law.registration_number']

test('a document with everything that the law requires gets no advice', () => {
  expect(said(documentOf())).toEqual([])
  expect(said(documentOf([goods], { supplyDate: '2026-10-30' }))).toEqual([])
})

test.each<[string, Partial<InvoiceDocument>, string[]]>([
  ['an invoice', {}, wantsNumber],
  ['a debit note', { type: 'debit_note' }, wantsNumber],
  ['a prepayment', { type: 'prepayment' }, wantsNumber],
  ['a credit note', { type: 'credit_note' }, []],
  ['an invoice from before the Act', { issueDate: '2025-12-31' }, []],
  ['an invoice of a supply from before the Act', { supplyDate: '2025-12-31' }, []],
  ['a draft without a seller', { seller: null }, []],
])('advice about the missing registration number of the seller, for %s: %j', (_, more, advice) => {
  expect(said(documentOf([service], { ...unregistered, ...more }))).toEqual(advice)
})

test('an invoice with a future supply date should be a prepayment invoice', () => {
  const ahead = { supplyDate: '2026-12-24' }
  expect(said(documentOf([service], ahead))).toEqual(['supplyDate law.supply_date'])
  expect(said(documentOf([service], { ...ahead, type: 'prepayment' }))).toEqual([])
})

test.each([
  ['1006.30', 'STANDARD_VAT', 'should be ZERO_VAT: on 2026-11-14 this code is zero-rated as basic food'],
  ['1006.30', 'EXEMPTED', 'should be ZERO_VAT: on 2026-11-14 this code is zero-rated as basic food'],
  ['1006.30', 'ZERO_VAT', undefined],
  ['3923.30', 'ZERO_VAT', 'should be EXEMPTED: on 2026-11-14 this code is exempt as baby products'],
  ['2523.29', 'ZERO_VAT', undefined],
  ['1006.30', 'TOURISM_TAX', undefined],
])('advice about goods with code %s and tax category %s: %s', (hsnCode, taxCategory, message) => {
  const line = { ...goods, hsnCode, taxCategory, taxRate: decimal(taxCategory === 'STANDARD_VAT' ? '7.5' : '0') }
  const advice = adviceOn(documentOf([service, line]), lists, { today })
  if (message === undefined) return expect(advice).toEqual([])
  expect(advice).toMatchObject([{ path: 'lineItems[1].taxCategory', rule: 'law.tax_category' }])
  expect(advice[0]?.message).toBe(`${message} (Nigeria Tax Act 2025, ss. 186–187)`)
})

test('a supply before the Act is checked by the law of its day, and a credit note is not checked', () => {
  const rice = { ...goods, hsnCode: '1006.30', taxCategory: 'EXEMPTED', taxRate: decimal('0') }
  expect(said(documentOf([rice], { supplyDate: '2025-12-31' }))).toEqual([])
  expect(said(documentOf([rice], { type: 'credit_note' }))).toEqual([])
})
