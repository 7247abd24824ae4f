import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('concurrent callers share a run that starts after their call', async () => {
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

test('a failure rejects all callers of that run, and the next call tries again', async () => {
  let begun = 0
  const ask = oneAtATime(async () => {
    if (++begun === 1) throw new Error('the database is away')
  }, 1)
  const failed = await Promise.allSettled([ask(), ask()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await ask()
  expect(begun).toBe(2)
})
