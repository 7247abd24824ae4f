import { expect, test } from 'vitest'
import { nigeria } from './index.ts'

test('every tax category has a label that fits into a narrow column', () => {
  const { builtInLists, taxLabels } = nigeria()
  const list = builtInLists.find(({ type }) => type === 'tax-categories')
  expect(Object.keys(taxLabels).sort()).toEqual(list?.entries.map(({ code }) => code).sort())
  for (const label of Object.values(taxLabels)) expect(label.length, label).toBeLessThanOrEqual(15)
})
