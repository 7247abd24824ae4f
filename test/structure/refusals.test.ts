import { expect, test } from 'vitest'
import { refusals } from '../../server/src/kernel/refusals.ts'
import { checkRefusals } from './refusals.ts'
import { file, readTree } from './source-tree.ts'

const names = ['item.edit.gone']
const code = (text: string, path = 'modules/items/edit-item.ts') => file(`server/src/${path}`, text)
const said = code(`throw refuse('item.edit.gone')`)
const tested = code(`expect(reason).toBe('item.edit.gone')`, 'modules/items/edit-item.test.ts')

test('the check finds planted violations', () => {
  expect(checkRefusals(names, [said, tested])).toEqual([])
  expect(checkRefusals(names, [said])).toEqual(['item.edit.gone occurs in no test'])
  expect(checkRefusals(names, [said, code('// item.edit.gone', 'a.test.ts')])).toHaveLength(1)
  expect(checkRefusals(names, [said, { ...tested, path: 'test/structure/refusals.test.ts' }])).toHaveLength(1)

  const unsaid = ['item.edit.gone is never thrown or returned']
  expect(checkRefusals(names, [tested])).toEqual(unsaid)
  const notSaying = [
    code(`const facts = { refuses: ['item.edit.gone'] }`),
    code(`if (refusal.refusal === 'item.edit.gone') retry()`),
    code(`const answer = answers[name as 'item.edit.gone']`),
    code(`// throw refuse('item.edit.gone')`),
    code(`export const answers = { 'item.edit.gone': 1 }`, 'http/form-a/answers.ts'),
    code(`export const refusals = { 'item.edit.gone': '' }`, 'kernel/refusals.ts'),
    code(`when(true, 'item.edit.gone')`, 'http/openapi/responses.ts'),
  ]
  for (const source of notSaying) expect(checkRefusals(names, [source, tested])).toEqual(unsaid)
})

test('every refusal is used and tested', () => {
  expect(checkRefusals(Object.keys(refusals), readTree())).toEqual([])
})
