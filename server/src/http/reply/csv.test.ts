import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { csvOf } from './csv.ts'

test('numbers stay numbers, texts with separators are quoted, and null is empty', () => {
  expect(csvOf(['a', 'b', 'c'], [[-5, 'x, "y"', null]])).toBe('a,b,c\r\n-5,"x, ""y""",\r\n')
})

test('a decimal keeps every digit and its minus, without trailing zeros', () => {
  const decimals = [
    { units: 8_899_999_999_995_907n, scale: 2 },
    { units: -9_999_999_999_999_999_901n, scale: 2 },
    { units: 123_450n, scale: 2 },
    { units: 0n, scale: 2 },
  ]
  expect(csvOf(['a'], [decimals])).toBe('a\r\n88999999999959.07,-99999999999999999.01,1234.5,0\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\ufeff=1', '＝1', '|cmd', '%0'])(
  'a text that a spreadsheet would run is made harmless: %j',
  (text) => {
    const cell = csvOf(['a'], [[text]]).slice(3, -2)
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
  },
)

/** A reader of CSV that knows nothing of the writer. */
function read(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (quoted && char === '"' && text[at + 1] === '"') {
      cell += '"'
      at++
    } else if (char === '"') quoted = !quoted
    else if (!quoted && char === ',') {
      row.push(cell)
      cell = ''
    } else if (!quoted && char === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      at++
    } else cell += char
  }
  return rows
}

test('a reader finds the same cells for any texts, and none that starts like a formula', () => {
  const cells = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), { maxLength: 5 })
  fc.assert(
    fc.property(cells, (rows) => {
      const [, ...found] = read(csvOf(['x', 'y'], rows))
      expect(found.map((row) => row.map((cell) => cell.replace(/^'/, '')))).toEqual(
        rows.map((row) => row.map((cell) => cell.replace(/^'/, ''))),
      )
      for (const cell of found.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }),
    { numRuns: casesToTry(300, 2000) },
  )
})
