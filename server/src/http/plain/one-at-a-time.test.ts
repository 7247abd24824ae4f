import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('many who ask at once share a run that begins after they asked', async () => {
  let begun = 0
  let together = 0
  const gates: PromiseWithResolvers<void>[] = []
  const ask = oneAtATime(async () => {
    begun++
    together++
    expect(together).toBe(1)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    together--
  }, 1)
  const first = ask()
  await expect.poll(() => begun).toBe(1)
  const later = Array.from({ length: 500 }, ask)
  gates[0]?.resolve()
  await first
  await expect.poll(() => begun).toBe(2)
  gates[1]?.resolve()
  await Promise.all(later)
  expect(begun).toBe(2)
})

test('a failure is told to those who shared it, and the next ones try again', async () => {
  let begun = 0
  const ask = oneAtATime(async () => {
    if (++begun === 1) throw new Error('the database is away')
  }, 1)
  const failed = await Promise.allSettled([ask(), ask()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await ask()
  expect(begun).toBe(2)
})
