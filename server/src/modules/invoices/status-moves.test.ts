import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invoiceMoves, invoiceStatuses, isIssued, statusAfter } from './status-moves.ts'

/** All moves, written a second time by hand: from, move, to. */
const allowed = `
  draft edit draft | draft finalise finalised | finalised reopen draft | rejected reopen draft | finalised submit queued
  queued sign signed | signed transmit transmitted | signed accept accepted | transmitted accept accepted
  queued reject rejected | signed reject rejected | transmitted reject rejected | failed reject rejected
  finalised reject_with_original rejected
  queued fail failed | signed fail failed | transmitted fail failed | failed retry queued
  failed retry_signed signed | failed retry_transmitted transmitted
  failed sign signed | failed transmit transmitted | failed accept accepted
  accepted cancel cancellation_pending | cancellation_pending confirm_cancellation cancelled
  cancellation_pending refuse_cancellation accepted
  accepted deliver accepted | cancellation_pending deliver cancellation_pending | cancelled deliver cancelled`
  .split(/[|\n]/)
  .map((words) => words.trim())
  .filter((words) => words !== '')

test('exactly the listed moves are allowed', () => {
  const made = invoiceStatuses.flatMap((status) =>
    invoiceMoves.flatMap((move) => {
      const after = statusAfter(status, move)
      return after === undefined ? [] : [`${status} ${move} ${after}`]
    }),
  )
  expect(made.toSorted()).toEqual(allowed.toSorted())
})

test('after any moves, a cancelled invoice stays cancelled, and only an unsigned one becomes a draft again', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...invoiceMoves), { maxLength: 60 }), (tried) => {
      let status: (typeof invoiceStatuses)[number] = 'draft'
      for (const move of tried) {
        const after = statusAfter(status, move)
        if (after === undefined) continue
        if (after === 'draft') expect(['draft', 'finalised', 'rejected']).toContain(status)
        expect(status).not.toBe('cancelled')
        status = after
      }
      expect(isIssued(status)).toBe(status !== 'draft')
    }),
    { numRuns: 4096 },
  )
})
