import { expect, test } from 'vitest'
import {
  fillTemplate,
  hasPlaceholder,
  packTemplate,
  placeholders,
  type ReplyTemplate,
  templateOf,
  unpackTemplate,
} from './reply-template.ts'

const says = ['number', 'buyerName']
const { number, buyerName } = placeholders(says)

test('a template that is filled in later equals the direct reply', () => {
  const answer = (said: { number: string | null; buyerName: string | null }) =>
    JSON.stringify({ first: said.number, notes: 'Größe "x"\n', buyer: { name: said.buyerName }, again: said.number })
  for (const said of [
    { number: 'INV000001', buyerName: 'Ọlá & "Sons" \\ \u2028' },
    { number: '', buyerName: null },
  ]) {
    const outline = templateOf(answer({ number: number as string, buyerName: buyerName as string })) as ReplyTemplate
    const headers = { location: '/invoices/1' }
    const kept = unpackTemplate(packTemplate({ template: outline, headers }))
    expect([fillTemplate(kept.template, said), kept.headers]).toEqual([answer(said), headers])
  }
})

test('a reply without gaps stays unchanged', () => {
  const outline = templateOf('{"a":1}')
  expect(outline).toEqual({ pieces: ['{"a":1}'], names: [] })
  expect(fillTemplate(outline as never, { number: 'x' })).toBe('{"a":1}')
})

test('a gap must be a whole value, not a part of a text', () => {
  expect(templateOf(JSON.stringify({ title: `Invoice ${number}` }))).toBeUndefined()
  expect(templateOf(JSON.stringify({ title: number, path: `/${number}` }))).toBeUndefined()
  for (const title of [`${number} paid`, `of "${number}`, `"${number}"`, `${number}${number}`])
    expect(templateOf(JSON.stringify({ title, more: '>' }))).toBeUndefined()
  for (const whole of [`"${number?.slice(0, -1)}"`, `"${number?.slice(0, -1)}`, `${number}`])
    expect(templateOf(whole)).toBeUndefined()
  // Cut off, with something further on that looks like its end, or nothing at all.
  const cut = number?.slice(0, -1)
  expect(templateOf(JSON.stringify({ title: cut, more: '\x7f' }))).toBeUndefined()
  expect(templateOf(`"a","${cut}"`)).toBeUndefined()
  for (const changed of [encodeURIComponent(number as string), number?.slice(1), number?.replaceAll('\x7f', '')]) {
    expect(templateOf(JSON.stringify({ title: number, path: changed }))).toBeUndefined()
    expect(hasPlaceholder(`/x/${changed}`)).toBe(true)
  }
})

test('a text with the separator character is not made into a template', () => {
  expect(templateOf(`{"a":${JSON.stringify(number)},"b":"\x1e"}`)).toBeUndefined()
  expect(templateOf(JSON.stringify({ a: number, b: '\x1e\x7f' }))?.pieces).toHaveLength(2)
})
