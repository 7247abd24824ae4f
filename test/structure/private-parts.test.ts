import { expect, test } from 'vitest'
import { checkPrivateParts } from './private-parts.ts'
import { file, readTree } from './source-tree.ts'

const inCode = (text: string, path = 'server/src/jobs/a.ts') => [file(path, text)]

test.each([
  ['const { stream } = (client as unknown as { readonly stream: Duplex }).stream', 'cast of client'],
  ['const row = value as unknown as Row', 'cast of value'],
  ['use(doc._font)', 'private name _font'],
  ['use(doc?._font?.glyphs)', 'private name _font'],
  ['const { _font: font } = doc', 'private name _font'],
  ['const { _font } = doc', 'private name _font'],
  ['doc.addContent = (words) => add(words)', 'replaced doc.addContent'],
  ['client.connection.write = function (bytes) { return bytes }', 'replaced client.connection.write'],
])('the check finds %s', (text, way) => {
  const complaints = [expect.stringContaining(`a.ts:2 looks behind a type (${way})`)]
  expect(checkPrivateParts(inCode(`\n${text}`), {})).toEqual(complaints)
  expect(checkPrivateParts(inCode(`\n${text}`, 'cli/src/a.ts'), {})).toHaveLength(1)
})

test.each([
  'const known = value as Row',
  'const { cursorKeys: _, ...row } = found',
  'const two = [_first, second].map((_) => 1)',
  'channel.onmessage = () => {}',
  'this.stop = () => {}',
  'row.total = sum(lines)',
])('the check lets pass %s', (text) => {
  expect(checkPrivateParts(inCode(text), {})).toEqual([])
})

test('a listed place is allowed, and the list has no unused entries', () => {
  const listed = { 'server/src/jobs/a.ts': { 'private name _font': 'no other way' } }
  expect(checkPrivateParts(inCode('use(doc._font)'), listed)).toEqual([])
  expect(checkPrivateParts(inCode('use(doc.font)'), listed)).toEqual([expect.stringContaining('does not have')])
})

test('nothing uses private parts of a library, except for listed places', () => {
  expect(checkPrivateParts(readTree())).toEqual([])
})
