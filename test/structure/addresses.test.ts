import { expect, test } from 'vitest'
import { checkAddresses, checkNamesOfFormB } from './addresses.ts'
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

const page = 'dashboard/src/features/sign-in/a.tsx'

test.each([
  [`await risiti.request('POST', '/form-b/a/v1/accept-invitation', given)`, page],
  [`import { Risiti } from '@risiti/sdk/form-b'`, page],
  ['const page = <a href="/form-b/docs">Reference</a>', page],
  [`const path = \`\${origin}/form-b\``, page],
  ['const page = <p>See /form-b/docs.</p>', page],
  [`export * from './form-b.ts'`, 'sdk/src/index.ts'],
  [`import { formB } from './form-b/index.ts'`, 'server/src/http/forms-in-use.ts'],
  [`await call('/form-b/i/v1/sellers')`, 'server/src/demo/a.ts'],
  [`await call('/form-b/i/v1/sellers')`, 'simulators/src/bank/a.ts'],
])('the check finds a use of Form B: %s', (text, path) => {
  expect(checkNamesOfFormB([file(path, `\n${text}`)])).toEqual([
    expect.stringMatching(/^\S+:2 names Form B \(.+\): use Form A instead$/),
  ])
})

test('the check allows Form B itself, its line, its client, tests and words', () => {
  const text = `export { formB } from './form-b/index.ts'`
  for (const path of [
    'server/src/http/form-b/a.ts',
    'server/src/http/forms.ts',
    'sdk/src/form-b.ts',
    'sdk/src/form-b.gen.ts',
    'sdk/src/form-b-webhooks.ts',
    'server/src/http/server/a.test.ts',
    'dashboard/test/a.test.ts',
  ])
    expect(checkNamesOfFormB([file(path, text)])).toEqual([])
  expect(checkNamesOfFormB([file(page, '// Form B has GET /form-b/i/v1/sellers.')])).toEqual([])
})

test('the dashboard, the simulators, the client of Form A and the rest of the server do without Form B', () => {
  expect(checkNamesOfFormB(readTree())).toEqual([])
})
