import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import type { StubServer } from '../../../../../test/harness/stub-server.ts'
import { arrived, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { EndpointQueue } from './endpoint-queue.ts'

let app: TestApp
let quick: StubServer
let hanging: StubServer
beforeAll(async () => {
  app = await startTestApp()
  quick = await startReceiver()
  hanging = await startReceiver()
  hanging.answer = () => undefined
})
afterAll(async () => {
  await hanging[Symbol.asyncDispose]()
  await app.close()
  await quick[Symbol.asyncDispose]()
})

/** The longest timeout that an endpoint can have. */
const patient = { retryConfig: { timeoutMs: 30_000 } }
const endpointAt = async (token: string, url: string) =>
  ok(await app.a.post('/n/v1/webhook-endpoints', { token, body: { url, events: ['buyer.updated'], ...patient } }), 201)

const told = {
  buyerId: 'b',
  name: 'B',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: [],
} as const
const tell = ({ organisationId }: Person, mode: Mode, count: number) =>
  app.runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (let version = 1; version <= count; version++)
        emit('buyer.updated', { organisationId, mode, objectId: newId(), version }, told)
    }),
    { caller: systemCaller, origin, input: undefined },
  )
/** Fills an organisation's limit of requests under way with endpoints that never answer. */
async function flood(person: Person): Promise<void> {
  for (let nth = 0; nth < 17; nth++) await endpointAt(person.token, `${hanging.url}/${person.userId}/${nth}`)
  await tell(person, 'sandbox', 8)
}
const underWay = (atLeast: number) =>
  eventually(async () => expect(hanging.requests.length).toBeGreaterThanOrEqual(atLeast), 20_000)

test('endpoints that hang for half a minute, of many organisations, delay no other', async () => {
  for (let nth = 0; nth < 5; nth++) await flood(await app.person())
  // The limit of the whole process; without isolation all of it would be taken for half a minute.
  await underWay(512)
  const other = await app.person()
  await endpointAt(other.token, `${quick.url}/beside-many`)
  await tell(other, 'sandbox', 3)
  await arrived(quick, '/beside-many', 3)
}, 60_000)

test('a sandbox flood does not delay live deliveries of the same organisation', async () => {
  const person = await app.person()
  const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
  const before = hanging.requests.length
  await flood(person)
  // The limit per tenant is 128.
  await underWay(before + 128)
  // A live host needs a name. That this name does not exist is found at once, if there is room to try.
  const { id } = await endpointAt(live.token, 'https://receiver.invalid/')
  await tell(person, 'live', 3)
  await eventually(async () => {
    const path = `/n/v1/webhook-deliveries?endpointId=${id}`
    const deliveries: { id: string }[] = (await app.a.get(path, { token: live.token })).data
    expect(deliveries).toHaveLength(3)
    for (const one of deliveries) {
      const { data } = await app.a.get(`/n/v1/webhook-deliveries/${one.id}`, { token: live.token })
      expect(data.attempts[0]).toMatchObject({ error: 'connection_failed' })
    }
  }, 10_000)
}, 60_000)

test('requests to an endpoint count as delayed once the endpoint is known to be slow', () => {
  const queue = new EndpointQueue({ organisationId: newId(), mode: 'live', endpointId: newId() })
  const begun = [queue.begin(0), queue.begin(0)]
  expect([queue.look(500), queue.isUnhealthy]).toEqual([false, false])
  expect([queue.look(1_000), queue.holdUp(), queue.holdUp()]).toEqual([true, 2, 0])
  const later = queue.begin(1_100)
  expect([...begun, later].map(({ isHeldUp }) => isHeldUp)).toEqual([true, true, true])
})
