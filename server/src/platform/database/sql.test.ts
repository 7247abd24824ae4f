import { expect, test } from 'vitest'
import {
  comparePreparedTexts,
  identifier,
  joined,
  lockingRow,
  orOnShards,
  plainArray,
  plannedAnew,
  prepared,
  sql,
  textsOf,
} from './sql.ts'
import { onTheirShards } from './their-shards.store.ts'

test('values become numbered parameters and the text gets a stable name', () => {
  const find = (id: string, mode: string) => sql`select 1 from t where id = ${id} and mode = ${mode}`
  const first = find('a', 'live')
  expect(first.text).toBe('select 1 from t where id = $1 and mode = $2')
  expect(first.values).toEqual(['a', 'live'])
  expect(find('b', 'sandbox').name).toBe(first.name)
  expect(sql`select 2`.name).not.toBe(first.name)
})

test('nested fragments are renumbered, and the whole statement has its own name', () => {
  const conditions = joined([sql`a = ${1}`, sql`b = ${2}`], ' and ')
  const whole = (limit: number) =>
    sql`select * from t where org = ${'o'} and (${conditions}) order by ${identifier('created_at')} limit ${limit}`
  expect(whole(9).text).toBe('select * from t where org = $1 and (a = $2 and b = $3) order by created_at limit $4')
  expect(whole(9).values).toEqual(['o', 1, 2, 9])
  expect(whole(9).name).toBe(whole(10).name)
  expect(whole(9).name).not.toBe(sql`select * from t where org = ${'o'} and (${conditions})`.name)
})

test('a statement with a new plan each time differs only in that', () => {
  const { text, values, name } = sql`select ${1}`
  expect(plannedAnew(sql`select ${1}`)).toEqual({ text, values, name, isPlannedAnew: true })
})

test('a statement with a second form for Citus keeps its new plan each time', () => {
  const [usual, onShards] = [sql`select 1`, sql`select 2`]
  for (const either of [orOnShards(plannedAnew(usual), onShards), plannedAnew(orOnShards(usual, onShards))]) {
    expect(either).toMatchObject({ text: 'select 1', isPlannedAnew: true })
    expect(either.onShards?.text).toBe('select 2')
  }
  expect(orOnShards(usual, onShards).isPlannedAnew).toBeUndefined()
})

test('a statement names the organisations of its rows as a value only for Citus', () => {
  const statement = onTheirShards(
    ['a', 'b', 'a'],
    (named) => sql`delete from t using r where t.id = r.id ${named('t')}`,
  )
  expect(statement.text).toBe('delete from t using r where t.id = r.id ')
  expect(statement.onShards?.text).toBe(
    'delete from t using r where t.id = r.id and t.organisation_id = any ($1::uuid[])',
  )
  expect(statement.onShards?.values).toEqual([['a', 'b']])
})

test('a prepared statement is built once for each variant', () => {
  const find = (id: number) => prepared('find', sql`select ${sql`a + ${id}`} from t`)
  expect(find(1)).toEqual({ ...find(2), values: [1] })
  expect(find(1).text).toBe('select a + $1 from t')
  comparePreparedTexts(false)
  const another = prepared('find', sql`select ${sql`b + ${1}`} from t`)
  comparePreparedTexts(true)
  expect(another.text, 'it is not even looked at').toBe(find(1).text)
})

test('a variant that changes is detected by its number of values, and in tests by its text', () => {
  const wrong = 'the statement "count" has not the same text every time'
  prepared('count', sql`select ${1}`)
  expect(() => prepared('count', sql`select ${1}, ${2}`)).toThrow(wrong)
  expect(() => prepared('count', sql`select 1`)).toThrow(wrong)
  comparePreparedTexts(true)
  expect(() => prepared('count', sql`select -${1}`)).toThrow(wrong)
  expect(prepared('count', sql`select ${2}`).values).toEqual([2])
})

test('SQL in a value stays a value', () => {
  const hostile = "x'; drop table users; --"
  expect(sql`select ${hostile}`.text).toBe('select $1')
  expect(() => identifier(hostile)).toThrow('not a plain SQL name')
})

test('an array of plain words is written unquoted, and other texts are refused', () => {
  expect(plainArray([])).toBe('{}')
  expect(plainArray(['live', 7, true, null, '2026-11-16T05:12:03.120Z'])).toBe(
    '{live,7,true,NULL,2026-11-16T05:12:03.120Z}',
  )
  expect(plainArray([null, 'a'])).toBe('{NULL,a}')
  for (const odd of ['', 'a,b', '{}', '"', '\\', 'a b', 'NULL', 'null', 'é', "'", 'a\n'])
    for (const among of [[odd], [odd, 'live'], ['live', odd], ['live', odd, 'live'], [null, odd], [odd, null]])
      expect(() => plainArray(among)).toThrow('not a plain word')
})

test('texts are joined by a separator that none of them contains, or refused', () => {
  const { text, values } = textsOf(['{"a": "b, c"}', 'é\\'])
  expect(text).toBe('string_to_array($1::text, $2::text)')
  expect(String(values[0]).split(String(values[1]))).toEqual(['{"a": "b, c"}', 'é\\'])
  for (const odd of ['', `a${values[1]}b`]) expect(() => textsOf(['a', odd])).toThrow('separator')
})

test('a row is locked by its statement, and on Citus by a name', () => {
  const locking = lockingRow(sql`select from organisations where id = ${7}`, 'share', 'organisation 7')
  expect([locking.text, locking.values]).toEqual(['select from organisations where id = $1 for share', [7]])
  expect(locking.onShards).toMatchObject({
    text: 'select from organisations where id = $1',
    values: [7],
    first: { text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', values: ['organisation 7'] },
  })
  const alone = lockingRow(sql`select`, 'no key update', 'a')
  expect(alone.text).toBe('select for no key update')
  expect(alone.onShards?.first?.text).toContain('pg_advisory_xact_lock(')
})
