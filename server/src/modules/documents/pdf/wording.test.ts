import { describe, expect, test } from 'vitest'
import { fiveLines, sampleInvoice } from '../../../../../test/harness/sample-invoice.ts'
import { titleOf } from '../../../kernel/document-words.ts'
import { wordingOf } from '../../../kernel/languages/wording.ts'
import { watermarkOf } from './wording.ts'

describe('words', () => {
  test('currencies have names, and unknown codes stay unchanged', () => {
    expect(wordingOf('en').currencyName('NGN')).toBe('NGN (Nigerian Naira)')
    expect(wordingOf('en').currencyName('no')).toBe('no')
    expect(wordingOf('en').currencyName('QQQ')).toBe('QQQ')
  })

  test('a title shows the document type, and whether there is tax', () => {
    const title = (changes: Parameters<typeof sampleInvoice>[1]) => titleOf(sampleInvoice(fiveLines, changes))
    expect(title({})).toBe('Tax invoice')
    expect(title({ taxMinor: 0n })).toBe('Invoice')
    expect(title({ type: 'credit_note' })).toBe('Credit note')
    expect(title({ type: 'debit_note' })).toBe('Debit note')
    expect(title({ type: 'prepayment' })).toBe('Prepayment invoice')
  })

  test('a watermark marks drafts and the sandbox', () => {
    const watermark = (isDraft: boolean, mode: 'live' | 'sandbox') =>
      watermarkOf(sampleInvoice([], { isDraft, mode }), wordingOf('en'))
    expect(watermark(false, 'live')).toBeUndefined()
    expect(watermark(true, 'live')).toBe('DRAFT')
    expect(watermark(false, 'sandbox')).toBe('SANDBOX')
    expect(watermark(true, 'sandbox')).toBe('DRAFT · SANDBOX')
  })
})
