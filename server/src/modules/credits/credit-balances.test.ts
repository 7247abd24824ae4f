import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applied, balance, emptyBooks } from '../../../../test/harness/credit-balances.ts'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { type CreditBalances, type MoveType, routes, shareOut, takeBack } from './credit-balances.ts'

const types = Object.keys(routes) as MoveType[]
const moves = fc.array(
  fc.record({ type: fc.constantFrom(...types), amount: fc.bigInt({ min: 1n, max: 1_000_000n }) }),
  {
    maxLength: 60,
  },
)

test('after any moves the ledger balances, and no balance is negative', () => {
  fc.assert(
    fc.property(moves, (tried) => {
      let balances: CreditBalances = emptyBooks
      for (const { type, amount } of tried) {
        const after = applied(balances, type, amount)
        if (!after) continue
        expect(balance(after)).toBe(true)
        for (const place of ['available', 'held', 'spent', 'lent', 'owed'] as const)
          expect(after[place] >= 0n).toBe(true)
        balances = after
      }
    }),
    { numRuns: casesToTry(512, 4096) },
  )
})

test('a reversed grant leaves the balance unchanged, and a debt is settled first', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (amount, spent) => {
      const bought = applied(emptyBooks, 'purchase', amount) as CreditBalances
      const used = spent > 0n && spent <= amount ? (applied(bought, 'charge', spent) as CreditBalances) : bought
      const { reversal, debt } = takeBack(used, amount)
      let balances = used
      if (reversal > 0n) balances = applied(balances, 'reversal', reversal) as CreditBalances
      if (debt > 0n) balances = applied(balances, 'debt', debt) as CreditBalances
      expect([balances.available, balances.owed, balances.issued]).toEqual([0n, used.spent, 0n])
      const { settlement, rest } = shareOut(balances, amount)
      if (settlement > 0n) balances = applied(balances, 'settlement', settlement) as CreditBalances
      if (rest > 0n) balances = applied(balances, 'purchase', rest) as CreditBalances
      expect(balances).toEqual({ ...used, issued: amount })
    }),
    { numRuns: casesToTry(512, 4096) },
  )
})

test('a move that would overdraw is refused', () => {
  const ten = applied(emptyBooks, 'grant', 10n) as CreditBalances
  expect(applied(ten, 'charge', 11n)).toBeUndefined()
  expect(applied(ten, 'capture', 1n)).toBeUndefined()
  expect(applied(ten, 'settlement', 1n)).toBeUndefined()
  expect(applied(ten, 'charge', 10n)).toEqual({ ...ten, available: 0n, spent: 10n })
})
