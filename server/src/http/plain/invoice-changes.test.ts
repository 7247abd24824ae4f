import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Collector, collector } from '../../../../test/harness/collection.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { ok, payableMinor } from '../../../../test/harness/issued.ts'
import { usualStreamBounds } from './invoice-changes.ts'

/** What the invoice of the harness asks for. */
const due = payableMinor / 100

let app: TestApp
let own: Collector
beforeAll(async () => {
  app = await startTestApp({ bank: true })
  own = await collector(app)
})
afterAll(async () => {
  const stream = await fetch(await changesOf((await shared()).url))
  const told = saysChanged(stream)
  // An open stream does not keep the server from closing.
  await app.close()
  expect(await told).toBe(false)
})

async function shared() {
  const { id } = await own.life.issued({ buyerId: await own.life.buyer() })
  const { pathname } = new URL(ok(await own.life.act(id, 'share'), 201).url)
  return { id, url: `${app.url}${pathname}` }
}

const changesOf = async (url: string): Promise<string> => {
  const text = await (await fetch(url)).text()
  return new URL(/data-changes="([^"]+)"/.exec(text)?.[1] ?? expect.fail(), url).href
}

/** Reads on until it says so, or ends. */
async function saysChanged(response: Response): Promise<boolean> {
  let heard = ''
  for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString()
  return heard.includes('event: changed')
}

/** The words that the stream has sent so far. */
function listening(response: Response): () => Promise<string> {
  const reader = response.body?.getReader()
  let heard = ''
  const read = async (): Promise<void> => {
    const { value, done } = (await reader?.read()) ?? { done: true }
    heard += Buffer.from(value ?? []).toString()
    if (!done) await read()
  }
  const reading = read()
  return async () => {
    await reader?.cancel()
    await reading
    return heard
  }
}

test('the page of an invoice gets an event for its own payment, and then the stream ends', async () => {
  const { id, url } = await shared()
  const other = await shared()
  const account = await own.open({ mode: 'dynamic', invoiceId: id, amount: due })
  const otherReceived = listening(await fetch(await changesOf(other.url)))
  const stream = await fetch(await changesOf(url))
  expect(stream.status).toBe(200)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'x-request-id': expect.any(String),
  })
  const told = saysChanged(stream)
  await own.transfer(account.accountNumber, due)
  expect(await told).toBe(true)
  expect(await (await fetch(url)).text()).not.toContain('data-changes')
  // Both pages read the log at the same time: an event for the other page would have arrived before this answer.
  expect(await otherReceived()).not.toContain('changed')
})

test('a change before the stream was opened is sent at once', async () => {
  const { id, url } = await shared()
  const changes = await changesOf(url)
  ok(await own.life.pay(id, 10), 201)
  expect(await saysChanged(await fetch(changes))).toBe(true)
  expect(await changesOf(url)).not.toBe(changes)
})

test('one network has a limited number of streams, and gets places back', async () => {
  const changes = await changesOf((await shared()).url)
  const { mostOfNetwork } = usualStreamBounds
  const streams = await Promise.all(Array.from({ length: mostOfNetwork + 1 }, () => fetch(changes)))
  expect(streams.map(({ status }) => status).sort()).toEqual([...Array(mostOfNetwork).fill(200), 429])
  for (const stream of streams) await stream.body?.cancel()
  await eventually(async () => {
    const again = await fetch(changes)
    await again.body?.cancel()
    expect(again.status).toBe(200)
  })
})

test('HEAD opens no stream, an unknown link has none, and the script is our own', async () => {
  const { url } = await shared()
  const changes = await changesOf(url)
  for (let asked = 0; asked <= usualStreamBounds.mostOfNetwork; asked++) {
    const head = await fetch(changes, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toContain('text/event-stream')
  }
  expect((await fetch(new URL('/s/nobody/changes', url))).status).toBe(404)
  expect((await fetch(changes, { method: 'POST' })).status).toBe(405)
  const script = await fetch(new URL('/s/page.js', url))
  expect(script.headers.get('content-type')).toContain('text/javascript')
  expect(await script.text()).toContain('EventSource')
})
