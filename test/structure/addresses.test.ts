import { expect, test } from 'vitest'
import { checkAddresses } from './addresses.ts'
import { file, readTree } from './source-tree.ts'

const code = (text: string, path = 'server/src/modules/items/a.ts') => [file(path, text)]

test.each([
  `const message = 'is no plan; GET /b/v1/plans lists them'`,
  `const message = \`see /i/v1/invoices/resources/\${list}\``,
  `const message = \`\${list} is at /r/v1/lists\``,
  `const message = 'see the reference at /docs'`,
  `const path = '/form-b/i/v1/items'`,
])('the check finds %s', (text) => {
  expect(checkAddresses(code(text))).toEqual([expect.stringMatching(/a\.ts:1 names an address of a form/)])
  expect(checkAddresses(code(text, 'server/src/kernel/refusals.ts'))).toHaveLength(1)
})

test('the check allows foreign addresses, comments, forms and tests', () => {
  expect(checkAddresses(code(`const path = 'https://authority.test/api/v1/invoice'`))).toEqual([])
  expect(checkAddresses(code(`// GET /b/v1/plans\nconst path = '/v1/charges'`))).toEqual([])
  expect(checkAddresses(code(`const path = '/b/v1/plans'`, 'server/src/http/routes/a.ts'))).toEqual([])
  expect(checkAddresses(code(`const path = '/b/v1/plans'`, 'server/src/modules/items/a.test.ts'))).toEqual([])
})

test('the core names no address of a form', () => {
  expect(checkAddresses(readTree())).toEqual([])
})
