import { expect, test } from 'vitest'
import { identifier, joined, plannedAnew, sql } from './sql.ts'

test('values become numbered parameters and the text gets a stable name', () => {
  const find = (id: string, mode: string) => sql`select 1 from t where id = ${id} and mode = ${mode}`
  const first = find('a', 'live')
  expect(first.text).toBe('select 1 from t where id = $1 and mode = $2')
  expect(first.values).toEqual(['a', 'live'])
  expect(find('b', 'sandbox').name).toBe(first.name)
  expect(sql`select 2`.name).not.toBe(first.name)
})

test('pieces are renumbered when put into each other, and the whole has a name of its own', () => {
  const conditions = joined([sql`a = ${1}`, sql`b = ${2}`], ' and ')
  const whole = (limit: number) =>
    sql`select * from t where org = ${'o'} and (${conditions}) order by ${identifier('created_at')} limit ${limit}`
  expect(whole(9).text).toBe('select * from t where org = $1 and (a = $2 and b = $3) order by created_at limit $4')
  expect(whole(9).values).toEqual(['o', 1, 2, 9])
  expect(whole(9).name).toBe(whole(10).name)
  expect(whole(9).name).not.toBe(sql`select * from t where org = ${'o'} and (${conditions})`.name)
})

test('a statement that is planned anew says so and is the same otherwise', () => {
  const { text, values, name } = sql`select ${1}`
  expect(plannedAnew(sql`select ${1}`)).toEqual({ text, values, name, isPlannedAnew: true })
})

test('what looks like SQL in a value stays a value', () => {
  const hostile = "x'; drop table users; --"
  expect(sql`select ${hostile}`.text).toBe('select $1')
  expect(() => identifier(hostile)).toThrow('not a plain SQL name')
})
