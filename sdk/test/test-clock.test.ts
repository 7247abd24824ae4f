import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../test/harness/app.ts'
import { Risiti as RisitiB } from '../src/form-b.ts'
import { Refused, Risiti, TimedOut } from '../src/index.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp({ now: '2026-03-01T09:00:00Z' })
  person = await app.person()
})
afterAll(() => app.close())

test('advance moves the time of the sandbox and waits until it is ready', async () => {
  const a = new Risiti({ baseUrl: app.url, token: person.token })
  const b = new RisitiB({ baseUrl: app.url, token: person.token })
  const reached: string[] = []
  const move = await a.testClock.advance(
    { by: { months: 1 } },
    { onProgress: ({ reachedAt }) => reached.push(reachedAt) },
  )
  expect(move).toMatchObject({ status: 'ready', reachedAt: '2026-04-01T09:00:00.000Z' })
  expect(reached.at(-1)).toBe('2026-04-01T09:00:00.000Z')
  expect((await b.testClock.get()).now).toBe('2026-04-01T09:00:00.000Z')
  await b.testClock.advance({ to: '2026-05-01T00:00:00Z' })
  expect((await a.testClock.get()).now).toBe('2026-05-01T00:00:00.000Z')
  await expect(a.testClock.advance({ to: '2026-04-01T00:00:00Z' })).rejects.toThrow(Refused)
})

test('advance gives up after its time, and the move goes on', async () => {
  const { testClock } = new Risiti({ baseUrl: app.url, token: person.token })
  const before = (await testClock.get()).now
  await expect(testClock.advance({ by: { days: 1 } }, { timeoutMs: 300 })).rejects.toThrow(TimedOut)
  await expect.poll(async () => (await testClock.get()).now, { timeout: 60_000 }).not.toBe(before)
})
