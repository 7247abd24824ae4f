import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { arrived, startReceiver } from '../../../../test/harness/webhook-receiver.ts'

const mostOfOrganisation = 2
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ longPolls: { most: 3, mostOfOrganisation, restMs: 5 } })
})
afterAll(() => app.close())

const buyer = async ({ token }: Pick<Person, 'token'>, name: string) =>
  ok(await app.a.post('/i/v1/buyers', { token, body: { name } }), 201)
const invitation = async ({ token }: Pick<Person, 'token'>) =>
  ok(
    await app.a.post('/a/v1/organizations/me/invitations', {
      token,
      body: { email: 'ngozi@example.test', fullName: 'Ngozi Eze' },
    }),
    201,
  )
const read = (token: string, query: string) => app.a.get(`/n/v1/webhook-events?${query}`, { token })

/** A person with one event, and the cursor behind it. */
async function reader() {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  await buyer(person, 'First')
  const cursor = await eventually(async () => {
    const { data } = await read(person.token, 'type=buyer.created&after=start')
    expect(data).toHaveLength(1)
    return data[0].cursor as string
  })
  return { ...person, cursor }
}

test('a request waits for the next event that it asked for', async () => {
  const one = await reader()
  const waiting = read(one.token, `type=buyer.*&after=${one.cursor}&wait=25`)
  await invitation(one)
  await buyer(one, 'Second')
  const data = ok(await waiting)
  expect(data.map((event: { data: { object: { name: string } } }) => event.data.object.name)).toEqual(['Second'])
  // Events that are there already need no wait, and without events the reply is empty once the time is over.
  expect(ok(await read(one.token, `after=${one.cursor}&wait=25`))).not.toEqual([])
  expect(ok(await read(one.token, `type=buyer.*&after=${data[0].cursor}&wait=1`))).toEqual([])
})

test('a wait needs a position and has a limit', async () => {
  const { token } = await app.person()
  const faultsOf = async (query: string) => {
    const { status, body } = await read(token, query)
    return [status, ...(body.error?.details ?? []).map(({ path }: { path: string }) => path)]
  }
  expect(await faultsOf('wait=5')).toEqual([400, 'wait'])
  expect(await faultsOf('after=start&wait=26')).toEqual([400, 'wait'])
  expect(await faultsOf('after=start&format=c')).toEqual([400, 'format'])
  expect(await faultsOf('after=wrong&wait=1&format=c')).toEqual([400, 'after', 'format'])
})

/** A request that waits. A poll of `untilFull` may be first, and then takes a slot for a second. */
const waitFor = async (token: string, query: string, signal?: AbortSignal) =>
  await eventually(async () => {
    const address = `${app.url}/n/v1/webhook-events?${query}&wait=25`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: signal ?? null }).catch(
      () => undefined,
    )
    expect(reply?.status).not.toBe(429)
    const { data } = ((await reply?.json()) ?? {}) as { readonly data?: readonly unknown[] }
    return { status: reply?.status, data }
  })
const untilFull = async (token: string, query: string) =>
  await eventually(async () => {
    const reply = await read(token, `${query}&wait=1`)
    expect(reply.status).toBe(429)
    return reply
  })
const next = ({ cursor }: { cursor: string }) => `type=buyer.*&after=${cursor}`

test('an organisation may have a bounded number of waiting requests, and leaves room for others', async () => {
  const [one, other] = [await reader(), await reader()]
  const aborting = new AbortController()
  const [leaving, staying] = [waitFor(one.token, next(one), aborting.signal), waitFor(one.token, next(one))]
  const tooMany = await untilFull(one.token, next(one))
  expect(tooMany.headers.get('risiti-reason')).toBe('limit.exceeded')
  expect(tooMany.headers.get('retry-after')).toBe('5')
  const others = waitFor(other.token, next(other))
  // Who disconnects gives the slot back.
  aborting.abort()
  expect((await leaving).status).toBe(undefined)
  await eventually(async () => ok(await read(one.token, `${next(one)}&wait=1`)))
  await Promise.all([buyer(one, 'Second'), buyer(other, 'Third')])
  expect([await staying, await others].map(({ data }) => data?.length)).toEqual([1, 1])
})

test('a key that is revoked while its request waits gets no event', async () => {
  const one = await reader()
  const made = ok(
    await app.a.post('/a/v1/organizations/me/api-keys', {
      token: one.token,
      body: { name: 'listener', mode: 'sandbox', preset: 'read_only' },
    }),
    201,
  )
  const [revoked, staying] = [waitFor(made.key, next(one)), waitFor(one.token, next(one))]
  await untilFull(one.token, next(one))
  ok(await app.a.patch(`/a/v1/organizations/me/api-keys/${made.id}/revoke`, { token: one.token }))
  await buyer(one, 'Second')
  expect((await revoked).status).toBe(401)
  expect((await staying).data).toHaveLength(1)
})

test('the payload has the bytes that an endpoint of the format receives', async () => {
  const one = await reader()
  await using receiver = await startReceiver()
  const endpoint = { url: `${receiver.url}/a`, events: ['buyer.*'] }
  ok(await app.a.post('/n/v1/webhook-endpoints', { token: one.token, body: endpoint }), 201)
  const inB = { url: `${receiver.url}/b`, events: ['buyer.created'] }
  ok(await app.b.post('/a/v1/organizations/me/webhooks', { token: one.token, body: inB }), 201)
  await buyer(one, 'Bytes')
  for (const format of ['a', 'b']) {
    const [sent] = await arrived(receiver, `/${format}`)
    const data = ok(await read(one.token, `type=buyer.*&after=${one.cursor}&wait=25&format=${format}`))
    expect(data.map(({ payload }: { payload: string }) => payload)).toEqual([sent?.body])
  }
  // Form B has no name for invitations.
  await invitation(one)
  const [made] = ok(await read(one.token, `type=invitation.*&after=${one.cursor}&wait=25&format=b`))
  expect(made.payload).toBe(null)
})

test('waiting requests end when the server stops', async () => {
  const stopping = await startTestApp({ longPolls: { most: 1, mostOfOrganisation: 1, restMs: 5 } })
  const { token } = await stopping.person()
  const poll = (wait: number) =>
    stopping.a.get(`/n/v1/webhook-events?type=invoice.*&after=start&wait=${wait}`, { token })
  // The poll below may be first, and then takes the only slot for a second.
  const waiting = eventually(async () => {
    const reply = await poll(25)
    expect(reply.status).toBe(200)
    return reply
  })
  await eventually(async () => expect((await poll(1)).status).toBe(429))
  await stopping.close()
  expect(ok(await waiting)).toEqual([])
})
