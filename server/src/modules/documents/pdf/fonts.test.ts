import { expect, test } from 'vitest'
import { drawable } from './fonts.ts'

test.each([
  ['Plain words, 12.50 − é', 'Plain words, 12.50 − é'],
  ['Ọ̀rọ̀ ₦ ɓɗƙ', 'Ọ̀rọ̀ ₦ ɓɗƙ'],
  ['o\u0323\u0301', '\u1ecd\u0301'],
  ['lines\r\nof\rany\u2028kind\nstay', 'lines\nof\nany\nkind\nstay'],
  ['no\u0000control\ud800characters\tat\u0085all', 'no control characters at all'],
  ['what\u200bnobody\u00adsees\ufeff ọ', 'whatnobodysees ọ'],
  ['no letter: 中文 😀', 'no letter: □□ □'],
])('%j is drawn as %j', (text, shown) => {
  expect(drawable(text)).toBe(shown)
})
