import { expect, test } from 'vitest'
import { drawable, undrawable } from './fonts.ts'

test.each([
  ['Plain words, 12.50 − é', 'Plain words, 12.50 − é'],
  ['Ọ̀rọ̀ ₦ ɓɗƙ', 'Ọ̀rọ̀ ₦ ɓɗƙ'],
  ['o\u0323\u0301', '\u1ecd\u0301'],
  ['lines\r\nof\rany\u2028kind\nstay', 'lines\nof\nany\nkind\nstay'],
  ['no\u0000control\ud800characters\tat\u0085all', 'no control characters at all'],
  ['what\u200bnobody\u00adsees\ufeff ọ', 'whatnobodysees ọ'],
  ['中文 あおぞら 대한민국 😀', '中文 あおぞら 대한민국 😀'],
  ['شركة חברה दिल्ली จำกัด አዲስ', 'شركة חברה दिल्ली จำกัด አዲስ'],
  ['joined or not: می\u200cخواهم a\u200cb', 'joined or not: می\u200cخواهم ab'],
  ['no letter: 𐎠 ꦏ', 'no letter: □ □'],
])('%j is drawn as %j', (text, shown) => {
  expect(drawable(text)).toBe(shown)
})

test('characters without a font are listed, each once', () => {
  expect(undrawable('Rice 中文 شركة')).toEqual([])
  expect(undrawable('𐎠 and 𐎠, ꦏ\n')).toEqual(['𐎠', 'ꦏ'])
})
