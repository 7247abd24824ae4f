import { expect, test } from 'vitest'
import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import { meaningOf } from './what-to-do.ts'

test('every refusal has a meaning and a remedy', () => {
  const names = Object.keys(refusals) as RefusalName[]
  const silent = names.filter((name) => meaningOf(name).remedy === undefined)
  expect(silent, 'add a second sentence to the refusal').toEqual([])
  expect(meaningOf('auth.capability_missing')).toEqual({
    means: 'You lack a capability that this action needs.',
    remedy: 'Ask an administrator of your organisation for it.',
  })
})
