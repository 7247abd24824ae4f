import { expect, test } from 'vitest'
import { identifier, joined, sql } from './sql.ts'

test('values become numbered parameters and the text gets a stable name', () => {
  const find = (id: string, mode: string) => sql`select 1 from t where id = ${id} and mode = ${mode}`
  const first = find('a', 'live')
  expect(first.text).toBe('select 1 from t where id = $1 and mode = $2')
  expect(first.values).toEqual(['a', 'live'])
  expect(find('b', 'sandbox').name).toBe(first.name)
  expect(sql`select 2`.name).not.toBe(first.name)
})

test('pieces are renumbered when put into each other and then carry no name', () => {
  const conditions = joined([sql`a = ${1}`, sql`b = ${2}`], ' and ')
  const whole = sql`select * from t where org = ${'o'} and (${conditions}) order by ${identifier('created_at')} limit ${9}`
  expect(whole.text).toBe('select * from t where org = $1 and (a = $2 and b = $3) order by created_at limit $4')
  expect(whole.values).toEqual(['o', 1, 2, 9])
  expect(whole.name).toBeUndefined()
})

test('a fixed piece leaves the whole planned once', () => {
  const columns = sql`id, name`
  expect(sql`select ${columns} from t where id = ${1}`.name).toBe(sql`select ${columns} from t where id = ${2}`.name)
  expect(sql`select ${columns} from t`.name).toBeDefined()
})

test('what looks like SQL in a value stays a value', () => {
  const hostile = "x'; drop table users; --"
  expect(sql`select ${hostile}`.text).toBe('select $1')
  expect(() => identifier(hostile)).toThrow('not a plain SQL name')
})
