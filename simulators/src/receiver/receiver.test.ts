import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReceiverSimulator } from './index.ts'

const headers = { 'webhook-id': 'evt-1', 'risiti-signature': 't=1,v1=ab', 'content-type': 'application/json' }

test('what is posted is answered as its path says, and shown on a page without scripts, also after a restart', async () => {
  const home = await mkdtemp(join(tmpdir(), 'risiti-receiver-'))
  const storeFile = join(home, 'receiver.json')
  const receiver = await startReceiverSimulator({ storeFile, sleepMs: 20 })
  const post = (path: string, body: string) => fetch(`${receiver.url}${path}`, { method: 'POST', headers, body })
  const event = JSON.stringify({ id: 'evt-1', type: 'buyer.created', data: { object: { name: '<b>Bold</b>' } } })
  const statuses = [await post('/orders', event), await post('/refuses/it', event), await post('/gone', 'no JSON')]
  expect(statuses.map(({ status }) => status)).toEqual([200, 503, 410])
  await expect(post('/asleep', event)).rejects.toThrow()

  const page = await fetch(receiver.url)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  const text = await page.text()
  expect(text).not.toMatch(/<script|<b>|style="/)
  for (const part of ['buyer.created', '/refuses/it', 'no answer', '410', 'evt-1', '&lt;b&gt;Bold', 'not JSON'])
    expect(text).toContain(part)
  const ofOne = await (await fetch(`${receiver.url}/?path=%2Forders`)).text()
  expect(ofOne.match(/<details>/g)).toHaveLength(1)
  const listed = async (url: string) => (await fetch(url, { headers: { accept: 'application/json' } })).json()
  const kept = await listed(receiver.url)
  expect(kept).toMatchObject([{ path: '/asleep', status: null }, { status: 410 }, { status: 503 }, { status: 200 }])
  expect((await fetch(`${receiver.url}/orders`)).status).toBe(404)
  await receiver.close()

  const again = await startReceiverSimulator({ storeFile })
  expect(await listed(again.url)).toEqual(kept)
  await again.close()
  await rm(home, { recursive: true })
})

test('it keeps so many of the newest, and no long body', async () => {
  const receiver = await startReceiverSimulator({ mostKept: 20 })
  const post = (body: string) => fetch(`${receiver.url}/many`, { method: 'POST', body })
  for (let nth = 0; nth < 21; nth++) await post(String(nth))
  const kept = receiver.arrivals().map(({ body }) => body)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([20, '20', '1'])
  expect((await post('x'.repeat(300_000))).status).toBe(413)
  await post('x'.repeat(10_000))
  expect(receiver.arrivals()[0]?.body).toHaveLength(8_000)
  await receiver.close()
})
