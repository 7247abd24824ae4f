import { expect, test } from 'vitest'
import { filled, isMarked, marks, type Outline, outlineOf, packedOutline, unpackedOutline } from './outlines.ts'

const says = ['number', 'buyerName']
const { number, buyerName } = marks(says)

test('an answer with blanks, filled in later, is the answer that it would have been', () => {
  const answer = (said: { number: string | null; buyerName: string | null }) =>
    JSON.stringify({ first: said.number, notes: 'Größe "x"\n', buyer: { name: said.buyerName }, again: said.number })
  for (const said of [
    { number: 'INV000001', buyerName: 'Ọlá & "Sons" \\ \u2028' },
    { number: '', buyerName: null },
  ]) {
    const outline = outlineOf(answer({ number: number as string, buyerName: buyerName as string })) as Outline
    const headers = { location: '/invoices/1' }
    const kept = unpackedOutline(packedOutline({ outline, headers }))
    expect([filled(kept.outline, said), kept.headers]).toEqual([answer(said), headers])
  }
})

test('an answer that shows nothing of what is said stays as it is', () => {
  const outline = outlineOf('{"a":1}')
  expect(outline).toEqual({ pieces: ['{"a":1}'], names: [] })
  expect(filled(outline as never, { number: 'x' })).toBe('{"a":1}')
})

test('what is said must stand by itself: within another text nobody could tell how it would be written', () => {
  expect(outlineOf(JSON.stringify({ title: `Invoice ${number}` }))).toBeUndefined()
  expect(outlineOf(JSON.stringify({ title: number, path: `/${number}` }))).toBeUndefined()
  for (const title of [`${number} paid`, `of "${number}`, `"${number}"`, `${number}${number}`])
    expect(outlineOf(JSON.stringify({ title, more: '>' }))).toBeUndefined()
  for (const whole of [`"${number?.slice(0, -1)}"`, `"${number?.slice(0, -1)}`, `${number}`])
    expect(outlineOf(whole)).toBeUndefined()
  // Cut off, with something further on that looks like its end, or nothing at all.
  const cut = number?.slice(0, -1)
  expect(outlineOf(JSON.stringify({ title: cut, more: '\x7f' }))).toBeUndefined()
  expect(outlineOf(`"a","${cut}"`)).toBeUndefined()
  for (const changed of [encodeURIComponent(number as string), number?.slice(1), number?.replaceAll('\x7f', '')]) {
    expect(outlineOf(JSON.stringify({ title: number, path: changed }))).toBeUndefined()
    expect(isMarked(`/x/${changed}`)).toBe(true)
  }
})

test('a text with the character that keeps pieces apart is not kept as pieces', () => {
  expect(outlineOf(`{"a":${JSON.stringify(number)},"b":"\x1e"}`)).toBeUndefined()
  expect(outlineOf(JSON.stringify({ a: number, b: '\x1e\x7f' }))?.pieces).toHaveLength(2)
})
