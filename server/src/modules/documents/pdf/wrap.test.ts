import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shorten, wrapText } from './wrap.ts'

const measure = (text: string): number => text.length
const wrapped = (text: string, width: number) => wrapText(text, width, measure).map((line) => line.text)

describe('wrapping', () => {
  test.each([
    ['a line that fits', 20, ['a line that fits']],
    ['as many words as fit', 9, ['as many', 'words as', 'fit']],
    ['its\nown\nlines', 20, ['its', 'own', 'lines']],
    ['an empty\n\nline', 20, ['an empty', '', 'line']],
    ['  one\t\tblank \u00a0 each ', 20, ['one blank each']],
    ['unbrokenword', 5, ['unbro', 'kenwo', 'rd']],
    ['so unbrokenword is', 5, ['so', 'unbro', 'kenwo', 'rd is']],
    ['INV0042-94ND-2026', 10, ['INV0042-', '94ND-2026']],
    ['', 5, ['']],
  ])('%j at %i', (text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines)
  })

  test('a line knows whether the next line continues its word', () => {
    const cut = wrapText('so unbrokenword is', 5, measure).map(({ text, isCut = false }) => [text, isCut])
    expect(cut).toEqual([
      ['so', false],
      ['unbro', true],
      ['kenwo', true],
      ['rd is', false],
    ])
  })

  test('no line is too wide, each has its exact width, and no text is lost', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', '-', '.', 'ọ') })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 1, max: 15 }), (words, width) => {
        const lines = wrapText(words.join(' '), width, measure)
        for (const line of lines) {
          expect(line.width).toBeLessThanOrEqual(width)
          expect(line.width).toBe(measure(line.text))
        }
        expect(lines.map(({ text }) => text.replaceAll(' ', '')).join('')).toBe(words.join(''))
      }),
    )
  })

  test('an accent stays with its letter', () => {
    expect(wrapped('ọ́ọ́ọ́', 2)).toEqual(['ọ́', 'ọ́', 'ọ́'])
  })
})

test('a text that does not fit on one line is shortened', () => {
  expect(shorten('short', 5, measure)).toEqual({ text: 'short', width: 5 })
  expect(shorten('much too long', 6, measure)).toEqual({ text: 'much…', width: 5 })
  expect(shorten('two\nlines', 9, measure).text).toBe('two lines')
})
