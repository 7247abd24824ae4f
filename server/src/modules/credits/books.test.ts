import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applied, balance, emptyBooks } from '../../../../test/harness/credit-books.ts'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { type Books, type MoveType, routes, shareOut, takeBack } from './books.ts'

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
      let books: Books = emptyBooks
      for (const { type, amount } of tried) {
        const after = applied(books, type, amount)
        if (!after) continue
        expect(balance(after)).toBe(true)
        for (const place of ['available', 'held', 'spent', 'lent', 'owed'] as const)
          expect(after[place] >= 0n).toBe(true)
        books = after
      }
    }),
    { numRuns: casesToTry(512, 4096) },
  )
})

test('a reversed grant leaves the balance unchanged, and a debt is settled first', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (amount, spent) => {
      const bought = applied(emptyBooks, 'purchase', amount) as Books
      const used = spent > 0n && spent <= amount ? (applied(bought, 'charge', spent) as Books) : bought
      const { reversal, debt } = takeBack(used, amount)
      let books = used
      if (reversal > 0n) books = applied(books, 'reversal', reversal) as Books
      if (debt > 0n) books = applied(books, 'debt', debt) as Books
      expect([books.available, books.owed, books.issued]).toEqual([0n, used.spent, 0n])
      const { settlement, rest } = shareOut(books, amount)
      if (settlement > 0n) books = applied(books, 'settlement', settlement) as Books
      if (rest > 0n) books = applied(books, 'purchase', rest) as Books
      expect(books).toEqual({ ...used, issued: amount })
    }),
    { numRuns: casesToTry(512, 4096) },
  )
})

test('a move that would overdraw is refused', () => {
  const ten = applied(emptyBooks, 'grant', 10n) as Books
  expect(applied(ten, 'charge', 11n)).toBeUndefined()
  expect(applied(ten, 'capture', 1n)).toBeUndefined()
  expect(applied(ten, 'settlement', 1n)).toBeUndefined()
  expect(applied(ten, 'charge', 10n)).toEqual({ ...ten, available: 0n, spent: 10n })
})
