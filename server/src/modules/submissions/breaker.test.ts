import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

function world({ probed = true } = {}) {
  const state = {
    ms: 0,
    isWell: true,
    probes: 0,
    told: [] as string[],
    isDeaf: false,
    untold: 0,
    probe: async () => {
      state.probes++
      return state.isWell
    },
  }
  const breaker = new Breaker({
    probe: probed ? () => state.probe() : undefined,
    tell: async (told) => {
      if (state.isDeaf) throw new Error('nobody can be told')
      state.told.push(told)
    },
    untold: () => void state.untold++,
    monotonicMs: () => state.ms,
  })
  const fail = async (times: number) => {
    for (let at = 0; at < times; at++) breaker.note(false)
    await breaker.settled()
  }
  return { state, breaker, fail }
}

test('an authority that does not answer and is not well is left alone, and tried again by and by', async () => {
  const { state, breaker, fail } = world()
  state.isWell = false
  await fail(4)
  expect([breaker.admits(10, 0), state.probes]).toEqual([10, 0])
  await fail(1)
  expect([breaker.state, breaker.admits(10, 0)]).toEqual(['open', 0])
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.settled()
  expect([breaker.state, state.probes]).toEqual(['open', 2])
  // Each pause is longer than the one before.
  state.ms = 2_500
  breaker.admits(10, 0)
  await breaker.settled()
  expect(state.probes).toBe(2)
  state.ms = 3_000
  state.isWell = true
  breaker.admits(10, 0)
  await breaker.settled()
  expect([breaker.state, breaker.admits(10, 0), breaker.admits(10, 1), breaker.admits(10, 2)]).toEqual([
    'half_open',
    2,
    1,
    0,
  ])
  breaker.note(true)
  await breaker.settled()
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
  const { state, breaker, fail } = world({ probed: false })
  await fail(5)
  expect(breaker.state).toBe('open')
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.settled()
  expect(breaker.state).toBe('half_open')
})

test('one that begins while others say that an authority is away asks before it lets anything through', async () => {
  const { state, breaker } = world()
  state.isWell = false
  breaker.beginOpen()
  expect([breaker.admits(10, 0), state.probes]).toEqual([0, 1])
  await breaker.settled()
  // It is as they said: nothing new is told, and nothing let through.
  expect([breaker.state, breaker.admits(10, 0), state.told]).toEqual(['open', 0, []])
  state.isWell = true
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.settled()
  expect([breaker.admits(10, 0), state.told]).toEqual([2, ['half_open']])
})

test('a question that cannot be put is no answer, and what could not be told is told again', async () => {
  const { state, breaker, fail } = world()
  state.probe = () => {
    throw new Error('no way out')
  }
  state.isDeaf = true
  await fail(5)
  expect([breaker.state, state.told, state.untold]).toEqual(['open', [], 1])
  state.isDeaf = false
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.settled()
  expect([breaker.state, state.told, state.untold]).toEqual(['open', ['open'], 1])
})
