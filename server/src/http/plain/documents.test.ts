import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { newId } from '../../kernel/ids.ts'
import { readPdf } from '../../modules/documents/pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', drawing: { size: 1, mostWaiting: 2 } })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const here = (url: string) => url.replace('http://dashboard.test', app.url)
const downloadOf = async (id: string, format = 'pdf') =>
  here(ok(await app.a.get(`${path}/${id}/download?format=${format}`, { token: own.token })).url)
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
  test('shows the invoice to a visitor with the link', async () => {
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

  test('is in the language of the buyer, or in the one that its reader chose', async () => {
    const buyerId = await life.buyer({ language: 'ar' })
    const { url } = await shared({ buyerId })
    const arabic = await opened(url)
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
    expect(arabic.text).toContain('فاتورة ضريبية')
    const chosen = await opened(`${url}?language=fr`)
    expect(chosen.text).toContain('<html lang="fr">')
    expect(chosen.text).toMatch(/href="[^"]+\/pdf\?language=fr">Télécharger le PDF</)
    for (const unknown of ['?language=xx', '?language=toString', '?language=fr&language=pt', '?language=%3Cscript%3E'])
      expect((await opened(`${url}${unknown}`)).bytes).toEqual(arabic.bytes)
    const pdfs = [await opened(`${url}/pdf`), await opened(`${url}/pdf?language=fr`)]
    expect(readPdf(pdfs[1]?.bytes as Buffer).pieces.map(({ text }) => text)).toContain('Facture fiscale')
    expect(pdfs[0]?.bytes).not.toEqual(pdfs[1]?.bytes)
    ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body: { language: null } }))
    expect((await opened(url)).text).toContain('<html lang="en">')
  })

  test('has no test banner in live mode', async () => {
    const { text } = await opened((await shared({}, lifeOf(app, await issuer(app, { mode: 'live' })))).url)
    expect(text).toContain('Due by 2 December 2026')
    expect(text).not.toContain('nothing is owed')
  })

  test('runs only our own script, loads nothing else, and forbids frames, search engines and shared caches', async () => {
    const { headers, text } = await opened((await shared()).url)
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).not.toMatch(/<script(?! src="\/s\/page\.js" )|https?:\/\//)
  })

  test('shows typed text as text', async () => {
    const name = `<script>alert("1")</script> & Sons`
    const { text } = await opened((await shared({ buyerId: await life.buyer({ name }) })).url)
    expect(text).not.toContain('<script>')
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Sons')
  })

  test('links to its PDF', async () => {
    const { invoiceNumber, url } = await shared()
    const link = /<a class="button" href="([^"]+)">Download PDF/.exec((await opened(url)).text)?.[1] ?? expect.fail()
    const { status, headers, bytes } = await opened(new URL(link, url).href)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(headers.get('content-disposition')).toBe(`inline; filename="${invoiceNumber}.pdf"`)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; object-src 'self';/)
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(readPdf(bytes).pieces.map(({ text }) => text)).toContain(invoiceNumber)
  })

  test('shows later changes of the invoice', async () => {
    const { id, url } = await shared()
    ok(await life.pay(id, '514.11'), 201)
    expect((await opened(url)).text).toContain('₦514.11 of ₦14,514.11 was paid.')
    app.clock.set('2026-12-03T09:00:00Z')
    expect((await opened(url)).text).toContain('Overdue')
    app.clock.set('2026-11-15T09:00:00Z')
  })

  test('is gone after unsharing, and so is its PDF', async () => {
    const { id, url } = await shared()
    await unshare(id)
    await showsNothing(url)
    await showsNothing(`${url}/pdf`)
    const again = here(ok(await life.act(id, 'share'), 201).url)
    expect((await opened(again)).status).toBe(200)
    await showsNothing(url)
  })

  test('is not shown for a changed link', async () => {
    const { url } = await shared()
    const other = url.at(-2) === 'A' ? 'B' : 'A'
    const changed = [`${url.slice(0, -2)}${other}${url.at(-1)}`, url.slice(0, -1), `${url}A`, `${app.url}/s/x`]
    for (const link of changed) {
      await showsNothing(link)
      await showsNothing(`${link}/pdf`)
    }
  })

  test('answers malformed HTTP like every other route', async () => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.end('GET /s/x HTTP/1.1\r\nConnection: close\r\n\r\n')
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('risiti-reason: request.malformed')
  })

  test('answers HEAD requests', async () => {
    const { url } = await shared()
    for (const link of [url, `${url}/pdf`]) {
      const headers = { 'accept-encoding': 'identity' }
      const [whole, head] = [await opened(link, { headers }), await opened(link, { method: 'HEAD', headers })]
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
    }
  })

  test('prevents reopening the invoice, even after unsharing', async () => {
    const { id } = await shared()
    expectRefusal(await life.act(id, 'reopen'), 'invoice.reopen.not_possible')
    await unshare(id)
    expectRefusal(await life.act(id, 'reopen'), 'invoice.reopen.not_possible')
  })
})

describe('a client with the current version', () => {
  const links = async () => {
    const { id, url } = await shared()
    return { id, page: url, pdf: `${url}/pdf`, download: await downloadOf(id), xml: await downloadOf(id, 'xml') }
  }
  const asked = (url: string, tag: string | null) => opened(url, { headers: { 'if-none-match': tag ?? '' } })

  test('gets 304 without a body', async () => {
    const { id: _, ...all } = await links()
    for (const [what, url] of Object.entries(all)) {
      const { headers } = await opened(url)
      const tag = headers.get('etag')
      expect(tag, what).toMatch(/^"[0-9a-f]{64}"$/)
      const again = await asked(url, tag)
      expect([again.status, again.bytes.length, again.headers.get('etag')], what).toEqual([304, 0, tag])
      expect(again.headers.get('cache-control'), what).toBe('private, no-cache')
      expect((await asked(url, '"another"')).status, what).toBe(200)
    }
  })

  test('gets the new version after a change, and nothing after unsharing', async () => {
    const { id, page, pdf } = await links()
    const before = [(await opened(page)).headers.get('etag'), (await opened(pdf)).headers.get('etag')] as const
    ok(await life.pay(id, '514.11'), 201)
    const after = [await asked(page, before[0]), await asked(pdf, before[1])]
    expect(after.map(({ status }) => status)).toEqual([200, 200])
    expect(after.map(({ headers }) => headers.get('etag'))).not.toEqual(before)
    await unshare(id)
    expect((await asked(page, after[0]?.headers.get('etag') ?? '')).status).toBe(404)
  })
})

describe('documents are drawn in parallel to other requests', () => {
  const lineItems = Array.from({ length: 500 }, (_, at) => ({
    description: `Bag of cement ${at}`,
    hsnCode: '2523.29',
    unitCode: 'XBG',
    quantity: '3',
    unitPrice: '4500.50',
    taxCategory: 'standard',
  }))

  test('the longest document does not delay other requests', async () => {
    const { url } = await shared({ lineItems })
    await opened(`${(await shared()).url}/pdf`)
    let answered = 0
    let isDrawn = false
    const drawing = opened(`${url}/pdf`).finally(() => {
      isDrawn = true
    })
    while (!isDrawn) {
      await fetch(`${app.url}/no-such-page`)
      answered++
    }
    expect((await drawing).status).toBe(200)
    // Drawn where requests are answered, it would have let one or two of them through.
    expect(answered).toBeGreaterThan(5)
  })

  test('twenty downloads do not delay other callers', async () => {
    const pdfs: string[] = []
    for (const notes of ['one', 'two']) pdfs.push(`${(await shared({ lineItems, notes })).url}/pdf`)
    await fetch(`${app.url}/no-such-page`)
    let isOver = false
    const downloads = Promise.all(Array.from({ length: 20 }, (_, at) => opened(pdfs[at % 2] as string))).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      await fetch(`${app.url}/no-such-page`)
      answered++
    }
    expect((await downloads).map(({ status }) => status)).toContain(200)
    // `npm run bench documents` holds the wait to 100 ms. Drawn where requests are answered, two documents would let few of them through.
    expect(answered).toBeGreaterThan(20)
  })

  test('concurrent requests for one document draw it once', async () => {
    const { url } = await shared({ lineItems })
    const all = await Promise.all(Array.from({ length: 20 }, () => opened(`${url}/pdf`)))
    expect(new Set(all.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1)
    expect(all[0]?.status).toBe(200)
  })

  test('if too many wait, the next caller is refused with Retry-After, as a page or as JSON', async () => {
    const { id, url } = await shared()
    const download = await downloadOf(id, 'xml')
    const { drawer } = app.runtime.ports
    const gate = Promise.withResolvers<never>()
    const taken = ['a', 'b', 'c'].map((key) => drawer.pdf(key, newId<'organisation'>(), () => gate.promise))
    const ended = Promise.allSettled(taken)
    try {
      const page = await opened(`${url}/pdf`)
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '3'])
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('<h1>Please try again in a moment</h1>')
      const program = await app.a.get(`${path}/${id}/download`, { token: own.token })
      expectRefusal(program, 'document.not_drawn')
      expect([program.status, program.body.error.code, program.headers.get('retry-after')]).toEqual([
        503,
        'DEP001',
        '3',
      ])
      await life.become(id, 'accepted')
      const inB = await app.b.get(`${path}/${id}/download`, { token: own.token })
      expectRefusal(inB, 'document.not_drawn')
      expect([inB.status, inB.body.error.code]).toEqual([503, 'DEP001'])
      // What needs no drawing is not kept waiting.
      expect((await opened(url)).status).toBe(200)
      expect((await opened(download)).status).toBe(200)
    } finally {
      gate.reject(new Error('never drawn'))
      await ended
    }
    expect((await opened(`${url}/pdf`)).status).toBe(200)
  })
})

describe('clients that hang up while they wait', () => {
  const { log, text: logged } = capturedLog()
  let patient: TestApp
  beforeAll(async () => {
    patient = await startTestApp({
      now: '2026-11-15T09:00:00Z',
      drawing: { size: 1, mostWaiting: 2 },
      database: app.database,
      vault: app.runtime.vault,
      log,
    })
  })
  afterAll(() => patient.close())
  const abandoned = () => logged().split('request.abandoned').length - 1

  test.each([
    ['form A', '', undefined],
    ['form B', '/form-b', undefined],
    ['a shared page', '', 'shared'],
  ])('free their places: %s', async (_, prefix, isShared) => {
    const token = await patient.key(own.organisationId)
    const linkTo = async () => {
      const { id, url } = await shared()
      await life.become(id, 'accepted')
      return isShared ? `${url.replace(app.url, patient.url)}/pdf` : `${patient.url}${prefix}${path}/${id}/download`
    }
    const links = [await linkTo(), await linkTo(), await linkTo()]
    const next = await linkTo()
    const headers = { authorization: `Bearer ${token}` }
    const before = abandoned()
    const gate = Promise.withResolvers<never>()
    const running = patient.runtime.ports.drawer
      .pdf(`gate ${next}`, newId<'organisation'>(), () => gate.promise)
      .catch((error: unknown) => error)
    const leaving = new AbortController()
    const asked = links.map((link) => fetch(link, { headers, signal: leaving.signal }))
    const left = Promise.allSettled(asked)
    // Two of the three wait now, and the queue is full.
    expect((await Promise.race(asked)).status).toBe(503)
    leaving.abort()
    await left
    const answer = eventually(async () => expect((await opened(next, { headers })).status).toBe(200))
    await eventually(async () => expect(abandoned()).toBe(before + 2))
    gate.reject(new Error('never drawn'))
    await answer
    await running
  })
})

describe('the limit of an address', () => {
  let few: TestApp
  beforeAll(async () => {
    few = await startTestApp({
      now: '2026-11-15T09:00:00Z',
      limits: { address: 4 },
      database: app.database,
      vault: app.runtime.vault,
      bank: true,
    })
  })
  afterAll(() => few.close())
  const there = (url: string) => url.replace(app.url, few.url)
  /** More than would fit into two minutes, in case one ends meanwhile. */
  const untilRefused = async (url: string, init?: RequestInit) => {
    for (let times = 0; times < 10; times++) {
      const answer = await opened(url, init)
      if (answer.status === 429) return answer
      expect(answer.headers.get('ratelimit-limit')).toBe('4')
    }
    return expect.fail('it was never refused')
  }

  test('counts public pages and documents, and the guesses at them', async () => {
    const { id, url } = await shared()
    for (const link of [url, `${url}/pdf`, `${app.url}/s/guessed`]) {
      const refused = await untilRefused(there(link))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(refused.text).toContain('<h1>Please try again in a moment</h1>')
    }
    expect((await untilRefused(there(`${url}/pdf`), { method: 'HEAD' })).headers.get('retry-after')).not.toBeNull()
    for (const link of [await downloadOf(id), `${app.url}/downloads/guessed`]) {
      const { headers, text } = await untilRefused(there(link))
      expect(headers.get('risiti-reason')).toBe('limit.exceeded')
      expect(JSON.parse(text).error.code).toBe('RATE001')
    }
  })

  test.each([
    ['payments', '/notifications/paystack'],
    ['transfers', '/notifications/collection/sandbox/sandbox'],
    ['transfers into a bank that nobody knows', '/notifications/collection/none/live'],
  ])('counts unsigned notifications of %s', async (_, path) => {
    const { headers } = await untilRefused(`${few.url}${path}`, { method: 'POST', body: '{}' })
    expect(headers.get('risiti-reason')).toBe('limit.exceeded')
  })

  test.each(['/docs', '/docs.md', '/openapi.json', '/docs/changes', '/docs/errors/VAL001', '/docs/invoices'])(
    'counts %s of both forms',
    async (page) => {
      const { headers } = await untilRefused(`${few.url}${page}`)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      await untilRefused(`${few.url}/form-b${page}`)
    },
  )

  test.each(['/docs/reference.js', '/s/page.css', '/s/page.js'])('does not count %s, a static file', async (file) => {
    for (let times = 0; times < 12; times++) expect((await opened(`${few.url}${file}`)).status).toBe(200)
  })
})
