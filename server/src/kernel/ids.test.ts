import { expect, test } from 'vitest'
import { idAt, newId } from './ids.ts'

test('ids are valid UUIDv7, unique and in order even within one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => newId())
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(ids.toSorted())
})

test('an id contains its creation time', () => {
  const future = Date.now() + 86_400_000
  const id = newId(future)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(future)
})

test('a clock that steps back does not break the order', () => {
  const first = newId()
  const second = newId(0)
  expect(second > first).toBe(true)
})

test('an id for another time contains that time, keeps its order, and does not affect other ids', () => {
  const future = Date.now() + 365 * 86_400_000
  const [first, second] = [idAt(future, 1), idAt(future, 2)]
  expect(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBe(future)
  expect(second > first).toBe(true)
  expect(newId() < first).toBe(true)
})
