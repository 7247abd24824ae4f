import { expect, test } from 'vitest'
import { checkExports, checkOperations } from './module-exports.ts'
import { file, readTree, type SourceFile } from './source-tree.ts'

const server = (path: string, text: string) => file(`server/src/${path}`, text)
const offers = (names: string) => server('modules/a/index.ts', `export { ${names} } from './a.ts'`)

const planted: readonly [offer: string, files: readonly SourceFile[]][] = [
  ['that nobody takes', [offers('x')]],
  ['of a type that nobody takes', [offers('type x')]],
  ['under another name', [offers('y as x'), server('http/a.ts', `import { y } from '../modules/a/index.ts'`)]],
  ['to the module itself', [offers('x'), server('modules/a/b.ts', `import { x } from './index.ts'`)]],
  ['to its own test', [offers('x'), server('modules/a/b.test.ts', `import { x } from './index.ts'`)]],
  ['to a test of others', [offers('x'), server('modules/b/b.test.ts', `import { x } from '../a/index.ts'`)]],
  ['to a test that takes all', [offers('x'), server('http/a.test.ts', `import * as a from '../modules/a/index.ts'`)]],
  [
    'to the harness',
    [offers('x'), file('test/harness/a.ts', `import { x } from '../../server/src/modules/a/index.ts'`)],
  ],
  ['to a bench', [offers('x'), file('bench/a.ts', `import { x } from '../server/src/modules/a/index.ts'`)]],
]

test.each(planted)('the check finds an offer %s', (_, files) => {
  expect(checkExports(files)).toEqual([
    'server/src/modules/a/index.ts:1 offers x, which nobody outside the module uses, tests aside',
  ])
})

test('the check finds an export of everything', () => {
  expect(checkExports([server('modules/a/index.ts', `export * from './a.ts'`)])).toEqual([
    'server/src/modules/a/index.ts:1 offers everything, which nobody outside the module uses, tests aside',
  ])
})

test.each([
  ['an import', `import { type x as here } from '../modules/a/index.ts'`],
  ['an import of all', `import * as a from '../modules/a/index.ts'`],
  ['a re-export', `export { x } from '../modules/a/index.ts'`],
  ['an import inside a type', `type Y = import('../modules/a/index.ts').x`],
])('the check counts %s as a use', (_, text) => {
  expect(checkExports([offers('x'), server('http/a.ts', text)])).toEqual([])
})

test('index files of modules offer what others use, and nothing else', () => {
  expect(checkExports(readTree())).toEqual([])
})

const operations = server('modules/a/operations.ts', `export { x, y } from './a.ts'`)

test('the check finds an operation that the outer layer does not use', () => {
  expect(checkOperations([operations, server('http/a.ts', 'const route = aOperations.y')])).toEqual([
    'server/src/modules/a/operations.ts:1 offers x, which nobody in the outer layer uses',
  ])
})

test('the check finds a module that uses the operations of another', () => {
  const route = server('http/a.ts', 'const routes = [aOperations.x, aOperations.y]')
  expect(checkOperations([operations, route, server('modules/b/b.ts', 'const x = aOperations.x')])).toEqual([
    'server/src/modules/b/b.ts:1 uses aOperations, which is for the outer layer',
  ])
})

test('modules offer the operations that the outer layer uses, and nothing else', () => {
  expect(checkOperations(readTree())).toEqual([])
})
