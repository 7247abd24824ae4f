import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterMoves, type MoveType, type PaymentBalances, partsOfMove, refundableMinor } from './payment-balances.ts'

const received = (amountMinor: bigint): PaymentBalances => ({
  amountMinor,
  unmatchedMinor: amountMinor,
  creditedMinor: 0n,
  appliedMinor: 0n,
  refundedMinor: 0n,
})
const types = (Object.keys(partsOfMove) as MoveType[]).filter((type) => type !== 'receive')

test('after any moves, the balances add up to the payment', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 1_000n }),
      fc.array(fc.record({ type: fc.constantFrom(...types), amountMinor: fc.bigInt({ min: 1n, max: 1_000n }) })),
      (amountMinor, moves) => {
        let balances = received(amountMinor)
        for (const move of moves) {
          try {
            balances = afterMoves(balances, [move])
          } catch {
            continue
          }
          const { unmatchedMinor, creditedMinor, appliedMinor, refundedMinor } = balances
          const all = [unmatchedMinor, creditedMinor, appliedMinor, refundedMinor]
          expect(all.reduce((sum, one) => sum + one, 0n)).toBe(amountMinor)
          expect(all.every((one) => one >= 0n)).toBe(true)
          expect(refundableMinor(balances)).toBe(amountMinor - refundedMinor)
        }
      },
    ),
  )
})

test('a move above the balance is refused', () => {
  expect(() => afterMoves(received(10n), [{ type: 'apply', amountMinor: 11n }])).toThrow()
  expect(() => afterMoves(received(10n), [{ type: 'use_credit', amountMinor: 1n }])).toThrow()
  expect(() => afterMoves(received(10n), [{ type: 'receive', amountMinor: 1n }])).toThrow()
  expect(() => afterMoves(received(10n), [{ type: 'apply', amountMinor: 0n }])).toThrow()
})
