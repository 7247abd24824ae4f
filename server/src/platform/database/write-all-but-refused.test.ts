import { expect, test } from 'vitest'
import { writeAllButRefused } from './write-all-but-refused.ts'

const numbers = (many: number) => Array.from({ length: many }, (_, at) => at)

async function written(rows: readonly number[], bad: (row: number) => boolean) {
  const kept: number[] = []
  let writes = 0
  const { refused, error } = await writeAllButRefused(rows, async (some) => {
    writes++
    if (some.some(bad)) throw new Error('refused')
    kept.push(...some)
  })
  return { kept, refused, error, writes }
}

test('without a bad row everything is written in one batch', async () => {
  expect(await written(numbers(50), () => false)).toEqual({
    kept: numbers(50),
    refused: [],
    error: undefined,
    writes: 1,
  })
  expect((await written([], () => false)).writes).toBe(0)
})

test('bad rows are found, and all others are written once, in their order', async () => {
  const { kept, refused, error } = await written(numbers(100), (row) => row === 17 || row === 80)
  expect(refused).toEqual([17, 80])
  expect(kept).toEqual(numbers(100).filter((row) => row !== 17 && row !== 80))
  expect(error).toEqual(new Error('refused'))
})

test('if every row is refused, a limited number of writes is tried', async () => {
  const { kept, refused, writes } = await written(numbers(2_000), () => true)
  expect([kept, refused.length, writes <= 200]).toEqual([[], 2_000, true])
})

test('a database outage does not count as a bad row', async () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  await expect(
    writeAllButRefused(numbers(3), async () => {
      throw away
    }),
  ).rejects.toBe(away)
})
