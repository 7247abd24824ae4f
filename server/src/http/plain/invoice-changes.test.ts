import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Collector, collector } from '../../../../test/harness/collection.ts'
import { ok, payableMinor } from '../../../../test/harness/issued.ts'

/** What the invoice of the harness asks for. */
const due = payableMinor / 100

let app: TestApp
let own: Collector
beforeAll(async () => {
  app = await startTestApp()
  own = await collector(app)
})
afterAll(() => app.close())

async function shared() {
  const { id } = await own.life.issued()
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
  for await (const chunk of response.body ?? []) {
    heard += Buffer.from(chunk).toString()
    if (heard.includes('event: changed')) return true
  }
  return false
}

test('a page is told when its money has come, and has nothing more to wait for then', async () => {
  const { id, url } = await shared()
  const account = await own.open({ mode: 'dynamic', invoiceId: id, amount: due })
  const stream = await fetch(await changesOf(url))
  expect(stream.status).toBe(200)
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const told = saysChanged(stream)
  await own.transfer(account.accountNumber, due)
  expect(await told).toBe(true)
  expect(await (await fetch(url)).text()).not.toContain('data-changes')
})

test('what happened before the stream was opened is told at once', async () => {
  const { url } = await shared()
  const changes = new URL(await changesOf(url))
  changes.searchParams.set('seen', 'something-else')
  expect(await saysChanged(await fetch(changes))).toBe(true)
})

test('one address has so many at a time, and gets its places back', async () => {
  const changes = await changesOf((await shared()).url)
  const streams = await Promise.all(Array.from({ length: 12 }, () => fetch(changes)))
  expect((await fetch(changes)).status).toBe(429)
  for (const stream of streams) await stream.body?.cancel()
  await expect.poll(async () => (await fetch(changes)).status, { timeout: 10_000 }).toBe(200)
})

test('no link, no stream; and the script is ours', async () => {
  const { url } = await shared()
  expect((await fetch(new URL('/s/nobody/changes', url))).status).toBe(404)
  const script = await fetch(new URL('/s/page.js', url))
  expect(script.headers.get('content-type')).toContain('text/javascript')
})
