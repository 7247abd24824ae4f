import { expect, test } from 'vitest'
import { seeded } from '../../../../../test/harness/chance.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { type ClaimDocument, netClaims, settledClaims } from './net-claims.ts'

const types = ['standard', 'standard', 'credit_note', 'credit_note', 'debit_note'] as const

/** Documents that refer to each other at random, with cycles and self-references. */
function randomDocuments(chance: () => number): ClaimDocument[] {
  const among = (count: number) => Math.floor(chance() * count)
  const count = 1 + among(12)
  return Array.from({ length: count }, (_, at) => {
    const type = types[among(types.length)] ?? 'standard'
    const counts = chance() < 0.8
    return {
      id: `id-${at}` as ReceivedInvoiceId,
      reference: `R${at}`,
      repeatedAs: [],
      type,
      issueDate: `2026-11-${String(10 + among(10))}`,
      corrects: type === 'standard' ? [] : Array.from({ length: 1 + among(3) }, () => `R${among(count + 2)}`),
      isClaimable: counts && type !== 'credit_note',
      inputTaxMinor: counts ? BigInt(among(1_000)) : 0n,
    }
  })
}

function shuffled<Item>(items: readonly Item[], chance: () => number): Item[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

test('claims are never negative, never above the document, and the same in any order of arrival', () => {
  const chance = seeded(20_261_117)
  for (let run = 0; run < 2_000; run++) {
    const documents = randomDocuments(chance)
    const net = netClaims(documents)
    for (const { id, isClaimable, inputTaxMinor } of documents) {
      const left = net.get(id) ?? -1n
      expect(left >= 0n && left <= (isClaimable ? inputTaxMinor : 0n), `run ${run}, ${id}: ${left}`).toBe(true)
    }
    expect(netClaims(shuffled(documents, chance)), `run ${run}`).toEqual(net)
    // Without credit notes no claim falls, and debit notes count in full.
    const claims = documents.filter(({ type }) => type !== 'credit_note')
    const without = netClaims(claims)
    for (const { id, inputTaxMinor, isClaimable } of claims)
      expect(without.get(id), `run ${run}, ${id}`).toBe(isClaimable ? inputTaxMinor : 0n)
  }
})

test('what documents count for in tax returns adds up to what can be claimed', () => {
  const chance = seeded(20_261_118)
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  for (let run = 0; run < 2_000; run++) {
    const settled = [...settledClaims(randomDocuments(chance)).values()]
    expect(sum(settled.map(({ returnTaxMinor }) => returnTaxMinor)), `run ${run}`).toBe(
      sum(settled.map(({ claimableMinor }) => claimableMinor)),
    )
  }
})

test('a thousand notes reduce one document by their sum', () => {
  const id = (name: string) => name as ReceivedInvoiceId
  const shared = { issueDate: '2026-11-10', corrects: ['R0'], repeatedAs: [] }
  const invoice: ClaimDocument = {
    ...shared,
    id: id('0'),
    reference: 'R0',
    type: 'standard',
    corrects: [],
    isClaimable: true,
    inputTaxMinor: 2_000n,
  }
  const notes = Array.from(
    { length: 999 },
    (_, at): ClaimDocument => ({
      ...shared,
      id: id(`${at + 1}`),
      reference: `R${at + 1}`,
      type: 'credit_note',
      isClaimable: false,
      inputTaxMinor: 1n,
    }),
  )
  expect(netClaims([invoice, ...notes]).get(invoice.id)).toBe(1_001n)
})
