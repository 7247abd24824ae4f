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
    notify: async (told) => {
      if (state.isDeaf) throw new Error('nobody can be told')
      state.told.push(told)
    },
    notifyFailed: () => void state.untold++,
    monotonicMs: () => state.ms,
  })
  const fail = async (times: number) => {
    for (let at = 0; at < times; at++) breaker.note(false)
    await breaker.idle()
  }
  return { state, breaker, fail }
}

test('an authority that neither answers nor passes the probe is left alone, and probed again after a pause', async () => {
  const { state, breaker, fail } = world()
  state.isWell = false
  await fail(4)
  expect([breaker.admits(10, 0), state.probes]).toEqual([10, 0])
  await fail(1)
  expect([breaker.state, breaker.admits(10, 0)]).toEqual(['open', 0])
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.idle()
  expect([breaker.state, state.probes]).toEqual(['open', 2])
  // Each pause is longer than the one before.
  state.ms = 2_500
  breaker.admits(10, 0)
  await breaker.idle()
  expect(state.probes).toBe(2)
  state.ms = 3_000
  state.isWell = true
  breaker.admits(10, 0)
  await breaker.idle()
  expect([breaker.state, breaker.admits(10, 0), breaker.admits(10, 1), breaker.admits(10, 2)]).toEqual([
    'half_open',
    2,
    1,
    0,
  ])
  breaker.note(true)
  await breaker.idle()
  expect([breaker.state, breaker.admits(10, 2), state.told]).toEqual(['closed', 10, ['open', 'half_open', 'closed']])
})

test('documents without an answer do not open the breaker while the authority passes the probe', async () => {
  const { breaker, fail } = world()
  for (let rounds = 0; rounds < 10; rounds++) await fail(5)
  expect(breaker.state).toBe('closed')
})

test('failures that concern one document do not count, and an answer resets the count', async () => {
  const { state, breaker, fail } = world()
  state.isWell = false
  for (let at = 0; at < 50; at++) breaker.note(undefined)
  await fail(4)
  breaker.note(true)
  await fail(4)
  expect([breaker.state, state.probes]).toEqual(['closed', 0])
})

test('without a probe, the pause alone decides', async () => {
  const { state, breaker, fail } = world({ probed: false })
  await fail(5)
  expect(breaker.state).toBe('open')
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.idle()
  expect(breaker.state).toBe('half_open')
})

test('a process that starts while the breaker is announced as open probes before it admits anything', async () => {
  const { state, breaker } = world()
  state.isWell = false
  breaker.beginOpen()
  expect([breaker.admits(10, 0), state.probes]).toEqual([0, 1])
  await breaker.idle()
  // Another process announced `open` already, so this one announces nothing and admits nothing.
  expect([breaker.state, breaker.admits(10, 0), state.told]).toEqual(['open', 0, []])
  state.isWell = true
  state.ms = 1_000
  breaker.admits(10, 0)
  await breaker.idle()
  expect([breaker.admits(10, 0), state.told]).toEqual([2, ['half_open']])
})

test('a probe that throws is no answer, and an announcement that failed is made again', async () => {
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
  await breaker.idle()
  expect([breaker.state, state.told, state.untold]).toEqual(['open', ['open'], 1])
})
