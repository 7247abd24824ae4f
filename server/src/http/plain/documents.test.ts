import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { readPdf } from '../../modules/documents/pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', limits: { address: 3 } })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const here = (url: string) => url.replace('http://dashboard.test', app.url)
const unshare = async (id: string) => ok(await app.a.delete(`${path}/${id}/share`, { token: own.token }))

async function shared(more: object = {}, whose = life) {
  const { id, invoiceNumber } = await whose.issued(more)
  return { id, invoiceNumber, url: here(ok(await whose.act(id, 'share'), 201).url) }
}

async function opened(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}

async function showsNothing(url: string): Promise<void> {
  const { status, headers, text } = await opened(url)
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(text).toContain('<h1>Nothing is shared here</h1>')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
}

describe('the page of a shared invoice', () => {
  test('shows it to whoever has the link', async () => {
    const { invoiceNumber, url } = await shared()
    const { status, headers, text } = await opened(url)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const words of [
      invoiceNumber,
      'Eze Stores',
      'Chidi Stores Limited',
      '₦14,514.11',
      'VAT 7.5%',
      '2 December 2026',
    ])
      expect(text).toContain(words)
    expect(text).toContain('Test tax invoice: nothing is owed.')
  })

  test('has no banner where it is meant', async () => {
    const { text } = await opened((await shared({}, lifeOf(app, await issuer(app, { mode: 'live' })))).url)
    expect(text).toContain('Due by 2 December 2026')
    expect(text).not.toContain('nothing is owed')
  })

  test('runs nothing, loads nothing, is framed nowhere, found by no search and kept by no cache', async () => {
    const { headers, text } = await opened((await shared()).url)
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).not.toMatch(/<script|https?:\/\//)
  })

  test('shows what people typed as words', async () => {
    const name = `<script>alert("1")</script> & Sons`
    const { text } = await opened((await shared({ buyerId: await life.buyer({ name }) })).url)
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Sons')
  })

  test('leads to its PDF', async () => {
    const { invoiceNumber, url } = await shared()
    const link = /<a class="button" href="([^"]+)">Download PDF/.exec((await opened(url)).text)?.[1] ?? expect.fail()
    const { status, headers, bytes } = await opened(new URL(link, url).href)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(headers.get('content-disposition')).toBe(`inline; filename="${invoiceNumber}.pdf"`)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; object-src 'self';/)
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(readPdf(bytes).pieces.map(({ text }) => text)).toContain(invoiceNumber)
  })

  test('follows what happens to the invoice', async () => {
    const { id, url } = await shared()
    ok(await life.pay(id, '514.11'), 201)
    expect((await opened(url)).text).toContain('₦514.11 of ₦14,514.11 was paid.')
    app.clock.set('2026-12-03T09:00:00Z')
    expect((await opened(url)).text).toContain('Overdue')
    app.clock.set('2026-11-15T09:00:00Z')
  })

  test('is gone once it is no longer shared, and so is its PDF', async () => {
    const { id, url } = await shared()
    await unshare(id)
    await showsNothing(url)
    await showsNothing(`${url}/pdf`)
    const again = here(ok(await life.act(id, 'share'), 201).url)
    expect((await opened(again)).status).toBe(200)
    await showsNothing(url)
  })

  test('is nobody else’s: a link that was changed shows nothing', async () => {
    const { url } = await shared()
    const other = url.at(-2) === 'A' ? 'B' : 'A'
    const changed = [`${url.slice(0, -2)}${other}${url.at(-1)}`, url.slice(0, -1), `${url}A`, `${app.url}/s/x`]
    for (const link of changed) {
      await showsNothing(link)
      await showsNothing(`${link}/pdf`)
    }
  })

  test('can be asked for without its body', async () => {
    const { url } = await shared()
    for (const link of [url, `${url}/pdf`]) {
      const [whole, head] = [await opened(link), await opened(link, { method: 'HEAD' })]
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
    }
  })

  test('keeps its invoice from becoming a draft again, even when it is no longer shared', async () => {
    const { id } = await shared()
    expectRefusal(await life.act(id, 'reopen'), 'invoice.reopen.not_possible')
    await unshare(id)
    expectRefusal(await life.act(id, 'reopen'), 'invoice.reopen.not_possible')
  })
})

test('public pages and files do not count against the limit of an address, and say where it stands', async () => {
  const { id, url } = await shared()
  const download = here(ok(await app.a.get(`${path}/${id}/download`, { token: own.token })).url)
  for (let times = 0; times < 5; times++)
    for (const link of [url, `${url}/pdf`, download]) {
      const { status, headers } = await opened(link)
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([200, '3', '3'])
    }
})
