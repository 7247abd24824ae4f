import { expect, test } from 'vitest'
import { checkDays } from './days.ts'
import { file, readTree } from './source-tree.ts'

const code = (text: string, path = 'server/src/modules/items/a.ts') => [file(path, text)]

test.each([
  'const day = now.toISOString().slice(0, 10)',
  'const day = clock.now().toISOString().substring(0, 10)',
  `const [day] = new Date().toJSON().split('T')`,
])('the check finds %s', (text) => {
  expect(checkDays(code(text))).toEqual([expect.stringMatching(/a\.ts:1 cuts a day out of an instant/)])
})

test('the check allows full timestamps, and days in tests', () => {
  expect(checkDays(code('const at = now.toISOString()'))).toEqual([])
  expect(checkDays(code('const day = text.slice(0, 10)'))).toEqual([])
  expect(checkDays(code('const day = now.toISOString().slice(0, 10)', 'server/src/modules/a.test.ts'))).toEqual([])
})

test('every calendar day has a time zone', () => {
  expect(checkDays(readTree())).toEqual([])
})
