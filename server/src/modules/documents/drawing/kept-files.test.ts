import { expect, test } from 'vitest'
import { KeptFiles } from './kept-files.ts'

const filesOf = (limits: { mostFiles?: number; mostBytes?: number } = {}) => {
  const kept = new KeptFiles<{ bytes: Buffer }>({ mostFiles: 10, mostBytes: 1000, ...limits })
  const made: string[] = []
  const get = (key: string, length = 10) =>
    kept.get(key, async () => {
      made.push(key)
      return { bytes: Buffer.alloc(length) }
    })
  return { kept, made, get }
}

test('a file is made once and cached', async () => {
  const { made, get } = filesOf()
  const first = await get('a')
  expect(await get('a')).toBe(first)
  expect(made).toEqual(['a'])
})

test('concurrent callers wait for the same file', async () => {
  const { made, get } = filesOf()
  const all = await Promise.all(Array.from({ length: 20 }, () => get('a')))
  expect(new Set(all).size).toBe(1)
  expect(made).toEqual(['a'])
})

test('after a failure, all waiting callers get the error, and the next caller tries again', async () => {
  const { kept, get } = filesOf()
  const failing = () => kept.get('a', () => Promise.reject(new Error('no')))
  const ends = await Promise.allSettled([failing(), failing()])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await get('a')).bytes).toHaveLength(10)
})

test('beyond the limit of files, the least recently used one is removed', async () => {
  const { made, get } = filesOf({ mostFiles: 2 })
  for (const key of ['a', 'b', 'a', 'c']) await get(key)
  made.length = 0
  for (const key of ['a', 'c', 'b']) await get(key)
  expect(made).toEqual(['b'])
})

test('beyond the limit of bytes too, and a file above the limit is not cached', async () => {
  const { made, get } = filesOf({ mostBytes: 100 })
  await get('a', 60)
  await get('b', 40)
  await get('c', 50)
  made.length = 0
  await get('b', 40)
  await get('c', 50)
  expect(made).toEqual([])
  await get('a', 60)
  expect(made).toEqual(['a'])
  await get('huge', 101)
  await get('huge', 101)
  expect(made).toEqual(['a', 'huge', 'huge'])
})
