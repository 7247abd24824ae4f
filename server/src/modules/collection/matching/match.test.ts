import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MatchInput, match, type OpenInvoice, spread } from './match.ts'

const invoice = (id: string, dueMinor: bigint, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id,
  currency: 'NGN',
  dueMinor,
  isPayable: true,
  ...more,
})
const matched = (amountMinor: bigint, invoices: readonly OpenInvoice[], more: Partial<MatchInput> = {}) =>
  match({ amountMinor, currency: 'NGN', invoices, hasBuyer: true, isBuyersAccount: false, ...more })

describe('the target of a payment', () => {
  test.each([
    ['exactly what is due', 1_000n, [invoice('a', 1_000n)], [['a', 1_000n]], 0n, 0n],
    ['more: the rest is credit', 1_500n, [invoice('a', 1_000n)], [['a', 1_000n]], 500n, 0n],
    ['less: paid in part', 400n, [invoice('a', 1_000n)], [['a', 400n]], 0n, 0n],
    [
      'oldest first',
      1_500n,
      [invoice('a', 1_000n), invoice('b', 800n)],
      [
        ['a', 1_000n],
        ['b', 500n],
      ],
      0n,
      0n,
    ],
    ['nothing open', 700n, [], [], 0n, 700n],
    ['paid already', 700n, [invoice('a', 0n)], [], 0n, 700n],
    ['cancelled', 700n, [invoice('a', 900n, { isPayable: false })], [], 0n, 700n],
    ['another currency', 700n, [invoice('a', 900n, { currency: 'USD' })], [], 0n, 700n],
    [
      'past what cannot be paid',
      700n,
      [invoice('a', 900n, { isPayable: false }), invoice('b', 600n)],
      [['b', 600n]],
      100n,
      0n,
    ],
  ] as const)('%s', (_, amount, invoices, allocations, creditedMinor, unmatchedMinor) => {
    expect(matched(amount, invoices)).toEqual({
      allocations: allocations.map(([invoiceId, amountMinor]) => ({ invoiceId, amountMinor })),
      creditedMinor,
      unmatchedMinor,
    })
  })

  test.each([
    ['nothing open', [], 0n],
    ['only in another currency', [invoice('a', 900n, { currency: 'USD' })], 0n],
    ['less open than came', [invoice('a', 300n)], 300n],
  ] as const)('in a buyer’s own account, %s: the rest is the buyer’s credit', (_, invoices, applied) => {
    expect(matched(700n, invoices, { isBuyersAccount: true })).toMatchObject({
      creditedMinor: 700n - applied,
      unmatchedMinor: 0n,
    })
  })

  test('the rest of an unknown payer’s payment becomes an exception', () => {
    expect(matched(1_500n, [invoice('a', 1_000n)], { hasBuyer: false })).toMatchObject({
      creditedMinor: 0n,
      unmatchedMinor: 500n,
    })
  })
})

const amounts = fc.bigInt({ min: 1n, max: 100_000n })
const anyInvoice = fc.record({
  currency: fc.constantFrom('NGN', 'USD'),
  dueMinor: fc.bigInt({ min: 0n, max: 50_000n }),
  isPayable: fc.boolean(),
})
const anyInvoices = fc
  .array(anyInvoice, { maxLength: 12 })
  .map((list) => list.map((one, at): OpenInvoice => ({ ...one, id: `i${at}` })))

test('the sum of all parts is the payment, and no invoice gets more than its amount due', () => {
  fc.assert(
    fc.property(amounts, anyInvoices, fc.boolean(), (amountMinor, invoices, hasBuyer) => {
      const { allocations, creditedMinor, unmatchedMinor } = matched(amountMinor, invoices, { hasBuyer })
      const applied = allocations.reduce((sum, one) => sum + one.amountMinor, 0n)
      expect(applied + creditedMinor + unmatchedMinor).toBe(amountMinor)
      expect(creditedMinor === 0n || unmatchedMinor === 0n).toBe(true)
      for (const { invoiceId, amountMinor: taken } of allocations) {
        const of = invoices.find(({ id }) => id === invoiceId) as OpenInvoice
        expect(of.isPayable && of.currency === 'NGN' && taken > 0n && taken <= of.dueMinor).toBe(true)
      }
    }),
    { numRuns: 1_000 },
  )
})

/** Applies the rules alone: each notification arrives any number of times, in any order. */
function heardOf(notifications: readonly number[], transfers: readonly bigint[], dues: readonly bigint[]) {
  const due = new Map(dues.map((minor, at) => [`i${at}`, minor]))
  const books = new Map<number, { applied: bigint; credited: bigint; unmatched: bigint; received: bigint }>()
  for (const nth of notifications) {
    if (books.has(nth)) continue
    const received = transfers[nth] as bigint
    const { allocations, creditedMinor, unmatchedMinor } = matched(
      received,
      [...due].map(([id, minor]) => invoice(id, minor)),
    )
    for (const { invoiceId, amountMinor } of allocations)
      due.set(invoiceId, (due.get(invoiceId) as bigint) - amountMinor)
    const applied = allocations.reduce((sum, one) => sum + one.amountMinor, 0n)
    books.set(nth, { applied, credited: creditedMinor, unmatched: unmatchedMinor, received })
  }
  return { books: [...books.values()], due }
}

test('any order and repetition of notifications leads to the same balances', () => {
  const total = (list: readonly bigint[]) => list.reduce((sum, one) => sum + one, 0n)
  fc.assert(
    fc.property(
      fc.array(amounts, { minLength: 1, maxLength: 8 }),
      fc.array(fc.bigInt({ min: 1n, max: 50_000n }), { maxLength: 6 }),
      fc.infiniteStream(fc.nat()),
      (transfers, dues, chance) => {
        const all = transfers.flatMap((_, nth) => Array<number>(1 + ((chance.next().value as number) % 5)).fill(nth))
        const order = all.map((nth) => ({ nth, key: chance.next().value as number })).sort((a, b) => a.key - b.key)
        const { books, due } = heardOf(
          order.map(({ nth }) => nth),
          transfers,
          dues,
        )
        expect(books).toHaveLength(transfers.length)
        for (const { applied, credited, unmatched, received } of books)
          expect(applied + credited + unmatched).toBe(received)
        const paid = total(books.map(({ applied }) => applied))
        expect(paid).toBe(total(dues) - total([...due.values()]))
        // In any order, everything that can be paid is paid.
        const could = total(transfers) < total(dues) ? total(transfers) : total(dues)
        expect(paid).toBe(could)
      },
    ),
    { numRuns: 500 },
  )
})

test('matching again changes nothing', () => {
  fc.assert(
    fc.property(amounts, anyInvoices, (amountMinor, invoices) => {
      const first = spread(amountMinor, 'NGN', invoices)
      const after = invoices.map((one) => {
        const taken = first.allocations.find(({ invoiceId }) => invoiceId === one.id)?.amountMinor ?? 0n
        return { ...one, dueMinor: one.dueMinor - taken }
      })
      if (first.leftMinor > 0n) expect(spread(first.leftMinor, 'NGN', after).allocations).toEqual([])
    }),
  )
})
