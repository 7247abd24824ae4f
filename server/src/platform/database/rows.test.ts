import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { createRowMaker } from './rows.ts'

test('column names become camel-case keys', () => {
  const rows = createRowMaker()(
    ['id', 'created_at', 'line_2_tax'],
    [
      [1, 'a', null],
      [2, 'b', 5n],
    ],
  )
  expect(rows).toEqual([
    { id: 1, createdAt: 'a', line2Tax: null },
    { id: 2, createdAt: 'b', line2Tax: 5n },
  ])
})

test('of two columns with one name, the last one counts', () => {
  expect(createRowMaker()(['n', 'n'], [[1, 2]])).toEqual([{ n: 2 }])
})

test('a change of one row does not affect other rows', () => {
  const rowsOf = createRowMaker()
  const columns = ['id', 'name']
  const [one, other] = rowsOf<{ id: number; more?: string }>(columns, [[1], [2]])
  if (one) Object.assign(one, { id: 3, more: 'mine' })
  expect([other, ...rowsOf(columns, [[4, null]])]).toEqual([{ id: 2 }, { id: 4, name: null }])
})

test('lists of columns with equal joined names are different', () => {
  const rowsOf = createRowMaker()
  expect(rowsOf(['a', 'b'], [[1, 2]])).toEqual([{ a: 1, b: 2 }])
  expect(rowsOf(['ab'], [[3]])).toEqual([{ ab: 3 }])
  expect(rowsOf(['a,b'], [[4]])).toEqual([{ 'a,b': 4 }])
})

test('rows with many columns have fast properties, and so do their copies', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isFast = new Function('row', 'return %HasFastProperties(row)') as (row: object) => boolean
  const columns = Array.from({ length: 60 }, (_, at) => `column_${at}`)
  const values = columns.map((_, at) => [null, 'text', BigInt(at)][at % 3])
  const [row] = createRowMaker()<object>(columns, [values])
  const keyByKey: Record<string, unknown> = {}
  for (const column of columns) keyByKey[column] = null
  expect([isFast(keyByKey), isFast(row as object), isFast({ ...row })]).toEqual([false, true, true])
})

test('lists of columns are cached, up to a limit', () => {
  const templates = new Map()
  const rowsOf = createRowMaker({ templates, most: 3 })
  const seen = ['a', 'b', 'b', 'c', 'd', 'a'].map((column) => {
    expect(rowsOf([column], [[column]])).toEqual([{ [column]: column }])
    return templates.size
  })
  expect(seen).toEqual([1, 2, 2, 3, 1, 2])
})
