import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import type { StubServer } from '../../../../../test/harness/stub-server.ts'
import { startReceiver } from '../../../../../test/harness/webhook-receiver.ts'

let app: TestApp
let receiver: StubServer
beforeAll(async () => {
  app = await startTestApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.close()
  await receiver[Symbol.asyncDispose]()
})

test('an endpoint is disabled only after fifty failures in a row and a day without a success', async () => {
  const keeper = await app.person()
  await app.openAccount(keeper.organisationId)
  // A session expires within the days of this test; a key does not.
  const key = { token: await app.key(keeper.organisationId) }
  const body = { url: `${receiver.url}/dead`, events: ['buyer.*'], retryConfig: { maxAttempts: 1 } }
  const { id } = ok(await app.a.post('/n/v1/webhook-endpoints', { token: keeper.token, body }), 201)
  const isUp = (up: boolean) => {
    receiver.answer = () => ({ status: up ? 200 : 503, body: '' })
  }
  const shows = (expected: object) =>
    eventually(async () => expect((await app.a.get(`/n/v1/webhook-endpoints/${id}`, key)).data).toMatchObject(expected))
  let buyers = 0
  const createBuyer = async () =>
    ok(await app.a.post('/i/v1/buyers', { ...key, body: { name: `Buyer ${++buyers}` } }), 201)
  const tell = (events: number) => Promise.all(Array.from({ length: events }, createBuyer))
  const mailed = async (count: number) => (await app.mailTo(keeper.email, count)).map(({ subject }) => subject).sort()

  isUp(false)
  const failingSince = app.clock.now().toISOString()
  await tell(49)
  await shows({ enabled: true, failuresInARow: 49, failingSince })
  // Sixty failures within a minute are a deployment. The fiftieth sends a mail.
  await tell(11)
  await shows({ enabled: true, failuresInARow: 60, failingSince })
  expect(await mailed(1)).toEqual(['Your webhook endpoint is failing'])
  app.clock.advance({ hours: 23 })
  await tell(1)
  await shows({ enabled: true, failuresInARow: 61 })
  // One success resets the count. The day begins with the next failure.
  isUp(true)
  await tell(1)
  await shows({ enabled: true, failuresInARow: 0, failingSince: null })
  isUp(false)
  app.clock.advance({ hours: 2 })
  await tell(50)
  await shows({ enabled: true, failuresInARow: 50, failingSince: app.clock.now().toISOString() })
  app.clock.advance({ hours: 24 })
  await tell(1)
  await shows({ enabled: false, disabledCause: 'failures', failuresInARow: 51 })
  expect(await mailed(3)).toEqual([
    'Your webhook endpoint is failing',
    'Your webhook endpoint is failing',
    'Your webhook endpoint was disabled',
  ])
})
