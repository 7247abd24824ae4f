import { expect, test } from 'vitest'
import { checkMessages } from './messages.ts'
import { file, readTree } from './source-tree.ts'

const code = (text: string) => [file('server/src/modules/a/a.ts', text)]

test.each([
  `refuse('x', { message: \`is more than the \${left} minor units that are left\` })`,
  `const fault = { path: 'amount', message: \`is more than \${left.payableMinor}\` }`,
  "const fault = { message: 'at least one minor unit' }",
])('the check finds %s', (text) => {
  expect(checkMessages(code(text))).toHaveLength(1)
})

test('the check allows amounts in major units', () => {
  const right = `const fault = { message: \`is more than \${moneyInWords(left.payableMinor, currency)}\` } // minor units`
  expect(checkMessages(code(right))).toEqual([])
})

test('no message shows an amount in minor units', () => {
  expect(checkMessages(readTree())).toEqual([])
})
