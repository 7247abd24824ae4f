import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filledBody, filledSubject, placeholders, unknownPlaceholders } from './placeholders.ts'

const values = {
  buyer: 'Bello Foods',
  seller: 'Eze Stores',
  number: 'INV000042',
  'amount due': '₦1,000.00',
  'due date': '2 March 2026',
  'days overdue': '7',
}

test.each([
  ['{number} of {seller}', 'INV000042 of Eze Stores'],
  ['{ Amount Due } since {due_date}', '₦1,000.00 since 2 March 2026'],
  ['{days overdue} days, {buyer}', '7 days, Bello Foods'],
  ['No {placeholder}, {}, { or }', 'No {placeholder}, {}, { or }'],
  ['See {link}', 'See'],
])('the subject %s becomes %s', (text, filled) => {
  expect(filledSubject(text, values)).toBe(filled)
})

test('the link stands where the body says, otherwise at its end', () => {
  expect(filledBody('Dear {buyer},\n\nplease pay {amount due}.\n{link}\nThank you.', values)).toEqual({
    before: ['Dear Bello Foods,', 'please pay ₦1,000.00.'],
    after: ['Thank you.'],
  })
  expect(filledBody('Please pay. {LINK} See {link}', values)).toEqual({ before: ['Please pay.'], after: ['See'] })
  expect(filledBody('Please pay.', values)).toEqual({ before: ['Please pay.'], after: [] })
})

test('unknown placeholders are named once, as they were written', () => {
  expect(unknownPlaceholders('{Buyer} {name} {amount} {name} {amount_due}')).toEqual(['{name}', '{amount}'])
  expect(unknownPlaceholders(placeholders.map((name) => `{${name}}`).join(' '))).toEqual([])
})

test('values are never read as placeholders', () => {
  fc.assert(
    fc.property(fc.constantFrom(...placeholders), fc.string(), (name, words) => {
      const filled = filledSubject('{buyer}', { ...values, buyer: `{${name}}${words}` })
      expect(filled).toBe(`{${name}}${words}`.replace(/\s+/g, ' ').trim())
    }),
  )
})
