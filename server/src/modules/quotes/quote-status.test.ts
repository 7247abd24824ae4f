import { expect, test } from 'vitest'
import { type QuoteMove, quoteStatuses, statusAfter, statusAt } from './quote-status.ts'

const moves: readonly QuoteMove[] = ['change', 'send', 'accept', 'decline', 'convert', 'cancel']

test('every move, by the status before it', () => {
  const table = Object.fromEntries(
    quoteStatuses.map((status) => [status, moves.filter((move) => statusAfter(status, move)).join(' ')]),
  )
  expect(table).toEqual({
    draft: 'change send cancel',
    sent: 'change send accept decline convert cancel',
    accepted: 'convert cancel',
    declined: 'change cancel',
    expired: 'change cancel',
    converted: '',
    cancelled: '',
  })
})

test('only a sent quote expires, at the first moment after its last day', () => {
  const end = new Date('2026-11-30T23:00:00Z')
  expect(statusAt('sent', end, new Date('2026-11-30T22:59:59.999Z'))).toBe('sent')
  expect(statusAt('sent', end, end)).toBe('expired')
  expect(statusAt('sent', null, end)).toBe('sent')
  for (const status of ['draft', 'accepted', 'declined', 'converted', 'cancelled'] as const)
    expect(statusAt(status, end, end)).toBe(status)
})
