import { expect, test } from 'vitest'
import { isUsual } from './fonts.ts'
import { directionOf, runsOf } from './runs.ts'

const seen = (text: string): string[] =>
  runsOf(text, directionOf(text), isUsual).map(({ font = 'usual', text }) => `${font.split('/')[0]}: ${text}`)

test('a line is drawn in pieces of one font, from left to right', () => {
  expect(seen('Lagos 中文')).toEqual(['usual: Lagos ', 'chinese: 中文'])
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
