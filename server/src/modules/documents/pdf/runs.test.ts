import { expect, test } from 'vitest'
import { isUsual } from './fonts.ts'
import { directionOf, runsOf } from './runs.ts'

const seen = (text: string): string[] =>
  runsOf(text, directionOf(text), isUsual).map(({ font = 'usual', text }) => `${font.split('/')[0]}: ${text}`)

test('a line is drawn in pieces of one font, from left to right', () => {
  expect(seen('Lagos あおぞら')).toEqual(['usual: Lagos ', 'japanese: あおぞら'])
})

test('what is read from the right stands on the right, its numbers and brackets as they are read', () => {
  expect(seen('שלום (12)')).toEqual(['usual: (', 'usual: 12', 'usual: ) ', 'hebrew: שלום'])
})

test('signs that three countries share are written as the text’s other letters tell', () => {
  expect(seen('中国')[0]).toMatch(/^chinese/)
  expect(seen('中国あ')[0]).toMatch(/^japanese/)
  expect(seen('中한')[0]).toMatch(/^korean/)
})

test('a Thai tone stands on top of the vowel that follows it', () => {
  expect(seen('น้ำ')).toEqual(['thai: น\u0e4d\u0e49\u0e32'])
})

test('what signs do not tell by themselves goes with them', () => {
  const meant = (text: string) => runsOf(text, directionOf(text), isUsual).flatMap((run) => run.meant ?? [])
  expect(meant('Ẹ ṣé púpọ\u0300 o')).toEqual(['púpọ\u0300'])
  expect(meant('हिन्दी')).toEqual(['हिन्दी'])
  expect(meant('(שלום)')).toEqual([')', '('])
  expect(meant('Ẹ ṣé, 中文')).toEqual([])
})
