import { expect, test } from 'vitest'
import { isUsual } from './fonts.ts'
import { directionOf, runsOf } from './runs.ts'

const seen = (text: string): string[] =>
  runsOf(text, directionOf(text), isUsual).map(({ font = 'usual', text }) => `${font.split('/')[0]}: ${text}`)

test('a line is split into runs of one font, from left to right', () => {
  expect(seen('Lagos あおぞら')).toEqual(['usual: Lagos ', 'japanese: あおぞら'])
})

test('right-to-left text is on the right, with numbers and brackets in reading order', () => {
  expect(seen('שלום (12)')).toEqual(['usual: (', 'usual: 12', 'usual: ) ', 'hebrew: שלום'])
})

test('a mark of direction is not drawn, and keeps an amount in Arabic text together', () => {
  expect(seen('تم \u200e₦4,354.23\u200e الآن')).toEqual([
    'arabic: الآن',
    'usual:  ',
    'usual: ₦4,354.23',
    'usual:  ',
    'arabic: تم',
  ])
})

test('characters that Chinese, Japanese and Korean share follow the other letters of the text', () => {
  expect(seen('中国')[0]).toMatch(/^chinese/)
  expect(seen('中国あ')[0]).toMatch(/^japanese/)
  expect(seen('中한')[0]).toMatch(/^korean/)
})

test('a Thai tone mark is above the vowel that follows it', () => {
  expect(seen('น้ำ')).toEqual(['thai: น\u0e4d\u0e49\u0e32'])
})

test('neutral characters join the run of their neighbours', () => {
  const meant = (text: string) => runsOf(text, directionOf(text), isUsual).flatMap((run) => run.meant ?? [])
  expect(meant('Ẹ ṣé púpọ\u0300 o')).toEqual(['púpọ\u0300'])
  expect(meant('हिन्दी')).toEqual(['हिन्दी'])
  expect(meant('(שלום)')).toEqual([')', '('])
  expect(meant('Ẹ ṣé, 中文')).toEqual([])
})
