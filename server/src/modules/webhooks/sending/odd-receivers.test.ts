import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { http, RawServer } from '../../../../../test/harness/raw-server.ts'
import { ended } from '../../../../../test/harness/webhook-receiver.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let owner: Person

beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  await app.openAccount(owner.organisationId)
})
afterAll(() => app.close())

const token = () => ({ token: owner.token })

/** Emits one event to this address and returns the delivery as first seen. */
async function deliverTo(url: string): Promise<{ readonly id: string; readonly endpointId: string }> {
  const body = { url, events: ['buyer.created'] }
  const { id: endpointId } = (await app.a.post('/n/v1/webhook-endpoints', { ...token(), body })).data
  await app.a.post('/i/v1/buyers', { ...token(), body: { name: 'Somebody' } })
  return await eventually(async () => {
    const [found] = (await app.a.get(`/n/v1/webhook-deliveries?endpointId=${endpointId}`, token())).data
    expect(found).toBeDefined()
    return { id: found.id, endpointId }
  })
}

test.each<[string, (socket: Socket) => unknown]>([
  ['ends the connection', (socket) => socket.end()],
  ['is gone', (socket) => socket.destroy()],
])('a receiver that replies before the body arrived, and then %s, has replied', async (_, close) => {
  const open = new Set<Socket>()
  const hasty = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    // The rest of the request is left unread.
    socket.once('data', () => {
      socket.pause()
      socket.write(http('ok'), () => close(socket))
    })
  })
  await once(hasty.listen(0, '127.0.0.1'), 'listening')
  const { id, endpointId } = await deliverTo(`http://127.0.0.1:${(hasty.address() as AddressInfo).port}/`)
  await ended(app.a, owner.token, id)
  const long = JSON.stringify({ text: 'x'.repeat(200_000) })
  await app.runtime.db.run(sql`update webhook_deliveries set body = ${long} where id = ${id}`)
  const again = async () => {
    expect((await app.a.post(`/n/v1/webhook-deliveries/${id}/redeliver`, token())).status).toBe(202)
    const { attempts } = await ended(app.a, owner.token, id)
    return attempts.at(-1)
  }
  // A socket that closes during sending can hide the reply. Then there was none, and the delivery is sent again.
  const isHidden = ({ error }: { error: string | null }) => error === 'connection_failed'
  const heard = []
  while (heard.length < 10 && heard.filter((attempt) => !isHidden(attempt)).length < 3) heard.push(await again())
  expect(heard.filter((attempt) => !isHidden(attempt))).toMatchObject(
    Array(3).fill({ statusCode: 200, error: null, response: 'ok' }),
  )
  await app.a.delete(`/n/v1/webhook-endpoints/${endpointId}`, token())
  hasty.close()
  for (const socket of open) socket.destroy()
})

test.each([
  ['in two headers', ['retry-after: 5', 'retry-after: 3600']],
  ['in one header', ['retry-after: 3600, 5']],
])('of two Retry-After headers, %s, the longest counts', async (_, headers) => {
  await using busy = await new RawServer().start('127.0.0.1')
  busy.answer = (socket) => socket.write(http('', headers, '429 Too Many Requests'))
  const { id, endpointId } = await deliverTo(`${busy.url}/`)
  await eventually(async () => {
    const { status, nextAttemptAt } = (await app.a.get(`/n/v1/webhook-deliveries/${id}`, token())).data
    expect(status).toBe('retrying')
    expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(3_500_000)
  })
  await app.a.delete(`/n/v1/webhook-endpoints/${endpointId}`, token())
})
