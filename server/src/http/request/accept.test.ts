import { expect, test } from 'vitest'
import { preferredMedia } from './accept.ts'

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; charset=utf-8', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv, application/json', 'application/json'],
  ['text/csv, application/json;q=0.5', 'text/csv'],
  ['application/json;q=0.2, text/csv;q=0.9', 'text/csv'],
  ['text/csv;q=0, */*', 'application/json'],
  ['text/csv;q=nonsense', 'application/json'],
  ['image/png', 'application/json'],
])('Accept: %s gets %s', (accept, media) => {
  expect(preferredMedia(accept, ['application/json', 'text/csv'])).toBe(media)
})
