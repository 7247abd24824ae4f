import { expect, test } from 'vitest'
import { columnsThatStay, isInSchema, lastColumn, oldNames, oldWordsIn, ordinaryWords } from './old-words.ts'
import { file, readCommitted, readTree } from './source-tree.ts'

const glossary = readCommitted('docs/glossary.md')
const words = oldWordsIn(glossary)

test('the words come from the last column of the glossary', () => {
  const planted = [
    '| word | meaning | not |',
    '| --- | --- | --- |',
    '| caller | Who calls. | asker, "who asks" |',
    '| route | A path. | endpoint |',
    '| endpoint | An address. | route |',
    '| remark | A text. | note |',
  ].join('\n')
  expect([...oldWordsIn(planted)]).toEqual(['asker'])
  expect(words).toContain('gathering')
})

test('each ordinary word is in the last column', () => {
  expect(Object.keys(ordinaryWords).filter((word) => !lastColumn(glossary).has(word))).toEqual([])
})

test('the names that stay are in the schema', () => {
  const schema = readCommitted('db/schema.sql')
  const columns = columnsThatStay(glossary)
  expect(columns).toContain('received_payment_moves.to_place')
  expect(columns.filter((name) => !isInSchema(schema, name))).toEqual([])
  for (const wrong of ['webhooks', 'webhook_endpoints.tongue', 'invoices.payment_told'])
    expect(isInSchema(schema, wrong)).toBe(false)
})

test.each([
  ['a function', 'server/src/a.ts', 'function askerOf() {}'],
  ['a type', 'sdk/src/a.ts', 'interface RouteAsker {}'],
  ['a property', 'cli/src/a.ts', 'interface A { readonly lastAsker: string }'],
  ['a private field', 'server/src/a.ts', 'class A { #asker = 1 }'],
  ['a parameter', 'dashboard/src/a.tsx', 'export const a = (asker: string) => 1'],
  ['a part of a destructured object', 'simulators/src/a.ts', 'const { asker } = request'],
  ['an import under another name', 'server/src/a.ts', `import { caller as asker } from './b.ts'`],
  ['a plural', 'server/src/a.ts', 'const askers = 2'],
  ['a variable with the name of a column', 'server/src/a.ts', 'const said = 3'],
])('the check finds an old word in %s', (_, path, text) => {
  expect(oldNames([file(path, text)], words)).toHaveLength(1)
})

test.each([
  ['a name that only contains the letters', 'server/src/a.ts', 'const tasker = 1'],
  ['a text', 'server/src/a.ts', `const who = 'the asker'`],
  ['the use of a foreign name', 'server/src/a.ts', 'const who = foreign.asker'],
  ['a test', 'server/src/a.test.ts', 'const asker = 1'],
  ['a generated file', 'sdk/src/a.gen.ts', 'const asker = 1'],
  ['a field of the API', 'server/src/http/shared/a.ts', 'interface A { readonly told: string }'],
])('the check lets pass %s', (_, path, text) => {
  expect(oldNames([file(path, text)], words)).toEqual([])
})

test('names use the words of the glossary', () => {
  expect(oldNames(readTree(), words)).toEqual([])
})
