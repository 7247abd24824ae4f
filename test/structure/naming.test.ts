import { expect, test } from 'vitest'
import { checkNaming } from './naming.ts'
import { file, readTree, type SourceFile } from './source-tree.ts'

const readme = file('server/src/modules/items/README.md', '- **Owns** `items`.\n- **Invariants.** None.')
const index = file('server/src/modules/items/index.ts')
const lines = (count: number) => 'export {}\n'.repeat(count)

const planted: readonly [violation: string, files: readonly SourceFile[], complaint: RegExp][] = [
  ['camel case', [file('server/src/kernel/moneyTotals.ts')], /moneyTotals\.ts is not kebab-case/],
  ['snake case', [file('test/harness/test_app.ts')], /test_app\.ts is not kebab-case/],
  ['a folder in capitals', [file('dashboard/src/Invoices/list.tsx')], /the folder Invoices is not kebab-case/],
  ['camel case in the client', [file('sdk/src/invoiceList.ts')], /invoiceList\.ts is not kebab-case/],
  ['camel case in the command line', [file('cli/src/cursorFile.ts')], /cursorFile\.ts is not kebab-case/],
  ['a file called utils', [file('server/src/http/utils.ts')], /"utils" does not say/],
  ['a folder called common', [file('server/src/common/money.ts')], /"common" does not say/],
  ['a name that ends in service', [file('server/src/http/invoice-service.ts')], /"invoice-service" does not say/],
  ['a test of helpers', [file('server/src/http/date-helpers.test.ts')], /"date-helpers" does not say/],
  ['a module without an index', [readme], /items has no index\.ts/],
  ['a module without a page', [index], /items has no README\.md/],
  ['a page without invariants', [index, { ...readme, text: '**Owns** all.' }], /Invariants/],
  ['a page that owns nothing', [index, { ...readme, text: '**Invariants.** None.' }], /Owns/],
  ['a default export', [file('server/src/bin/a.ts', '\nexport default 1')], /a\.ts:2 exports by default/],
  ['a default function', [file('server/src/bin/a.ts', 'export default function go() {}')], /exports by default/],
  ['a renamed default', [file('server/src/bin/a.ts', 'const a = 1\nexport { a as default }')], /exports by default/],
  ['unfinished code', [file('bench/run.ts', '// TODO measure')], /run\.ts:1 is left unfinished/],
  ['unfinished SQL', [file('db/migrations/0001_a.sql', '-- FIXME: index')], /is left unfinished/],
  ['a file that is too long', [file('server/src/bin/a.ts', lines(401))], /has 401 lines/],
]

test.each(planted)('the check finds %s', (_, files, complaint) => {
  const complaints = checkNaming(files)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(complaint)
})

test('the check lets pass what is allowed', () => {
  const allowed = [
    readme,
    index,
    file('server/src/http/service-id.ts', `switch (1) {\n  default:\n}\nexport { default as x } from 'fastify'`),
    file('server/src/http/long.test.ts', lines(500)),
    file('server/src/http/list.gen.ts', lines(500)),
    file('server/src/bin/a.ts', lines(400)),
    file('db/migrations/0001_machinery.sql'),
    file('sdk/LICENSE'),
  ]
  expect(checkNaming(allowed)).toEqual([])
})

test('files are named and shaped by the rules of the house', () => {
  expect(checkNaming(readTree())).toEqual([])
})
