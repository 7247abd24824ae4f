import { expect, test } from 'vitest'
import { internationalPhone } from '../src/ui/phone.ts'

const country = { phonePrefix: '+234', phoneTrunkPrefix: '0' }

test.each([
  ['08031234567', '+2348031234567'],
  ['0803 123 4567', '+2348031234567'],
  ['(0803) 123-4567', '+2348031234567'],
  ['+234 803 123 4567', '+2348031234567'],
  ['+234 (0)803 123 4567', '+2348031234567'],
  ['234 803 123 4567', '+2348031234567'],
  ['0044 20 7946 0000', '+442079460000'],
  ['+44 20 7946 0000', '+442079460000'],
  ['803 123 4567', '803 123 4567'],
  ['call the shop', 'call the shop'],
])('the typed telephone number %s becomes %s', (typed, sent) => {
  expect(internationalPhone(typed, country)).toBe(sent)
})

test('without a trunk prefix, a national number stays as it is', () => {
  expect(internationalPhone('22 12 34 56', { phonePrefix: '+47', phoneTrunkPrefix: '' })).toBe('22 12 34 56')
})
