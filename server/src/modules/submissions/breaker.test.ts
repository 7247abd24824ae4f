import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

function world({ probed = true } = {}) {
  const state = { ms: 0, isWell: true, probes: 0, told: [] as string[] }
  const breaker = new Breaker({
    probe: probed
      ? async () => {
          state.probes++
          return state.isWell
        }
      : undefined,
    tell: async (told) => void state.told.push(told),
    monotonicMs: () => state.ms,
  })
  /** what a probe that was begun leads to */
  const settled = () => new Promise((done) => setImmediate(done))
  const fail = async (times: number) => {
    for (let at = 0; at < times; at++) breaker.note(false)
    await settled()
  }
  return { state, breaker, settled, fail }
}

test('an authority that does not answer and is not well is left alone, and tried again by and by', async () => {
  const { state, breaker, settled, fail } = world()
  state.isWell = false
  await fail(4)
  expect([breaker.admits(10, 0), state.probes]).toEqual([10, 0])
  await fail(1)
  expect([breaker.state, breaker.admits(10, 0)]).toEqual(['open', 0])
  state.ms = 1_000
  breaker.admits(10, 0)
  await settled()
  expect([breaker.state, state.probes]).toEqual(['open', 2])
  // Each pause is longer than the one before.
  state.ms = 2_500
  breaker.admits(10, 0)
  await settled()
  expect(state.probes).toBe(2)
  state.ms = 3_000
  state.isWell = true
  breaker.admits(10, 0)
  await settled()
  expect([breaker.state, breaker.admits(10, 0), breaker.admits(10, 1), breaker.admits(10, 2)]).toEqual([
    'half_open',
    2,
    1,
    0,
  ])
  breaker.note(true)
  expect([breaker.state, breaker.admits(10, 2), state.told]).toEqual(['closed', 10, ['open', 'half_open', 'closed']])
})

test('documents that get no answer from an authority that is well close nothing', async () => {
  const { breaker, fail } = world()
  for (let rounds = 0; rounds < 10; rounds++) await fail(5)
  expect(breaker.state).toBe('closed')
})

test('what says nothing of the authority as a whole counts for nothing, and an answer ends a doubt', async () => {
  const { state, breaker, fail } = world()
  state.isWell = false
  for (let at = 0; at < 50; at++) breaker.note(undefined)
  await fail(4)
  breaker.note(true)
  await fail(4)
  expect([breaker.state, state.probes]).toEqual(['closed', 0])
})

test('with nobody to ask, the pause decides', async () => {
  const { state, breaker, settled, fail } = world({ probed: false })
  await fail(5)
  expect(breaker.state).toBe('open')
  state.ms = 1_000
  breaker.admits(10, 0)
  await settled()
  expect(breaker.state).toBe('half_open')
})
