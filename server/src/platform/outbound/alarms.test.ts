import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Alarms } from './alarms.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const alarmOf = (told: string[], name: string, inMs: number) => {
  const one = { dueAt: performance.now() + inMs, expire: () => void told.push(name) }
  return one
}

test('each alarm fires at its time, in any order of creation', () => {
  const alarms = new Alarms()
  const told: string[] = []
  for (const [name, ms] of [
    ['late', 300],
    ['early', 100],
    ['same', 100],
    ['between', 200],
  ] as const)
    alarms.set(alarmOf(told, name, ms))
  vi.advanceTimersByTime(99)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['early', 'same'])
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual(['early', 'same', 'between', 'late'])
  expect(vi.getTimerCount()).toBe(0)
})

test('an alarm can be cleared, postponed or brought forward', () => {
  const alarms = new Alarms()
  const told: string[] = []
  const [cleared, later, sooner] = ['cleared', 'later', 'sooner'].map((name) => alarmOf(told, name, 100)) as [
    ReturnType<typeof alarmOf>,
    ReturnType<typeof alarmOf>,
    ReturnType<typeof alarmOf>,
  ]
  for (const one of [cleared, later, sooner]) alarms.set(one)
  alarms.clear(cleared)
  later.dueAt += 100
  alarms.set(later)
  sooner.dueAt -= 50
  alarms.set(sooner)
  vi.advanceTimersByTime(50)
  expect(told).toEqual(['sooner'])
  vi.advanceTimersByTime(149)
  expect(told).toEqual(['sooner'])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['sooner', 'later'])
})

test('a firing alarm may clear another due alarm, and set a new one', () => {
  const alarms = new Alarms()
  const told: string[] = []
  const other = alarmOf(told, 'other', 100)
  alarms.set({
    dueAt: performance.now() + 100,
    expire() {
      alarms.clear(other)
      alarms.set(alarmOf(told, 'new', 20))
    },
  })
  alarms.set(other)
  vi.advanceTimersByTime(119)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['new'])
})

test('a thousand cleared alarms need one timer', () => {
  const alarms = new Alarms()
  const told: string[] = []
  for (let times = 0; times < 1_000; times++) {
    const one = alarmOf(told, String(times), 10_000)
    alarms.set(one)
    expect(vi.getTimerCount()).toBe(1)
    alarms.clear(one)
  }
  vi.advanceTimersByTime(20_000)
  expect([told, vi.getTimerCount()]).toEqual([[], 0])
})
