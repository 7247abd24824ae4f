import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { newId } from '../server/src/kernel/ids.ts'
import { type Receiver, told } from './webhook-stage.ts'

/**
 * Yardstick: posts requests with the dispatcher's headers and a body of the same shape, signed twice, with `hands`
 * requests in flight. Returns requests per second.
 */
export async function bareLoop({ url }: Receiver, count: number, hands: number): Promise<number> {
  const pool = new Pool(url, { connections: hands, pipelining: 1 })
  const id = newId()
  const body = JSON.stringify({
    id,
    type: 'buyer.updated',
    version: 1,
    mode: 'sandbox',
    scope: 'mode',
    organizationId: newId(),
    createdAt: new Date().toISOString(),
    data: { object: told, objectVersion: 7 },
  })
  let left = count
  const began = performance.now()
  const hand = async () => {
    for (; left > 0; ) {
      left--
      const at = Math.floor(Date.now() / 1000)
      const headers = {
        'user-agent': 'bare',
        'content-type': 'application/json',
        'risiti-signature': `t=${at},v1=${createHmac('sha256', 'a').update(`${at}.${body}`).digest('hex')}`,
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${createHmac('sha256', 'b').update(`${id}.${at}.${body}`).digest('base64')}`,
      }
      const { body: answer } = await pool.request({ method: 'POST', path: '/bare', headers, body })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: hands }, hand))
  const perSecond = count / ((performance.now() - began) / 1000)
  await pool.close()
  return perSecond
}
