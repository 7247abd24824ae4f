import type { Client } from './client.ts'
import { eventually } from './eventually.ts'
import { type StubRequest, StubServer } from './stub-server.ts'

/** A webhook receiver that records requests and answers 200 by default. */
export async function startReceiver(): Promise<StubServer> {
  const receiver = await new StubServer().start()
  receiver.answer = () => ({ status: 200, body: 'thank you' })
  return receiver
}

export const bodyOf = ({ body }: StubRequest) => JSON.parse(body)

/** The requests to one path, once there are at least `atLeast`. */
export async function arrived(receiver: StubServer, path: string, atLeast = 1): Promise<StubRequest[]> {
  const come = () => receiver.requests.filter((request) => request.path === path)
  await eventually(async () => {
    if (come().length < atLeast) throw new Error(`${come().length} of ${atLeast} requests came to ${path}`)
  })
  return come()
}

/** Waits until a delivery has ended, and returns it with its attempts. */
export async function ended(a: Client, token: string, id: string) {
  return await eventually(async () => {
    const { data } = await a.get(`/n/v1/webhook-deliveries/${id}`, { token })
    if (!['delivered', 'failed'].includes(data.status)) throw new Error(`it is ${data.status}`)
    return data
  })
}
