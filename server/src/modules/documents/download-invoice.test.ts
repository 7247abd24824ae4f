import { hash, randomBytes, randomUUID } from 'node:crypto'
import { XmlDocument } from 'libxml2-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { sql } from '../../platform/database/sql.ts'
import { createVault } from '../../platform/secrets/secrets.ts'
import { readPdf } from './pdf/read-pdf.ts'

const now = '2026-11-15T09:00:00Z'
const keys = new Map([['k1', randomBytes(32)]])
let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now, vault: createVault({ active: 'k1', keys }) })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const here = (url: string, at = app) => url.replace('http://dashboard.test', at.url)
const ask = (id: string, query = '', form: 'A' | 'B' = 'A', token = own.token) =>
  app.client(form).get(`${path}/${id}/download${query}`, { token })

/** Opens a link without a token. */
async function opened(url: string, init?: RequestInit, at = app) {
  const response = await fetch(here(url, at), init)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const messageOf = (bytes: Buffer): string => JSON.parse(bytes.toString()).error.message
const textsOf = (pdf: Buffer) => readPdf(pdf).pieces.map(({ text }) => text)
const numberIn = (xml: Buffer) => {
  using document = XmlDocument.fromBuffer(xml)
  const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'
  const names = { invoice: `${ubl}Invoice-2`, cbc: `${ubl}CommonBasicComponents-2` }
  return document.eval('string(/invoice:Invoice/cbc:ID)', names)
}

async function refusesLink(url: string, message: RegExp, at = app): Promise<void> {
  const { status, headers, bytes } = await opened(url, {}, at)
  expect([status, headers.get('risiti-reason')]).toEqual([404, 'resource.not_found'])
  expect(messageOf(bytes)).toMatch(message)
}

describe.each(['A', 'B'] as const)('an accepted invoice through form %s', (form) => {
  test.each([
    ['pdf', '', 'application/pdf'],
    ['pdf', '?format=pdf', 'application/pdf'],
    ['xml', '?format=xml', 'application/xml'],
    ['pdf-a3', '?format=pdf-a3', 'application/pdf'],
  ])('is a %s when asked for with "%s"', async (format, query, contentType) => {
    const { id, invoiceNumber } = await life.issued({}, form)
    await life.become(id, 'accepted')
    const data = ok(await ask(id, query, form))
    expect(data).toEqual({
      url: expect.stringMatching(/^http:\/\/dashboard\.test\/downloads\/[\w.~-]+$/),
      expiresAt: '2026-11-15T09:15:00.000Z',
      contentType,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { status, headers, bytes } = await opened(data.url)
    expect(status).toBe(200)
    expect(hash('sha256', bytes)).toBe(data.sha256)
    expect(headers.get('content-type')).toBe(contentType)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${invoiceNumber}.${format === 'xml' ? 'xml' : 'pdf'}"`,
    )
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(bytes.includes('/EmbeddedFile')).toBe(format === 'pdf-a3')
    if (format === 'xml') expect(numberIn(bytes)).toBe(invoiceNumber)
    else expect(textsOf(bytes)).toEqual(expect.arrayContaining([invoiceNumber, 'SANDBOX', 'VAT 7.5%', '₦14,514.11']))
  })

  test('stays available while it is being cancelled, and afterwards', async () => {
    const { id } = await life.issued({}, form)
    for (const status of ['cancellation_pending', 'cancelled']) {
      await life.become(id, status)
      ok(await ask(id, '', form))
    }
  })

  test('needs an existing format, a permitted caller and an existing invoice', async () => {
    const { id } = await life.issued({}, form)
    await life.become(id, 'accepted')
    expectRefusal(await ask(id, '?format=docx', form), 'request.invalid')
    expectRefusal(await ask(randomUUID(), '', form), 'resource.not_found')
    const outsider = await issuer(app)
    expectRefusal(await ask(id, '', form, outsider.token), 'resource.not_found')
    const live = await app.member(own.organisationId, 'OWNER', { mode: 'live' })
    expectRefusal(await ask(id, '', form, live.token), 'resource.not_found')
    const blind = await app.key(own.organisationId, { capabilities: ['invoice.read'] })
    expectRefusal(await ask(id, '', form, blind), 'auth.capability_missing')
  })
})

describe('before the authority has accepted it', () => {
  const statuses = ['draft', 'finalised', 'queued', 'signed', 'transmitted', 'rejected', 'failed']

  test('one form gives the document nevertheless, and marks a draft', async () => {
    const { id, invoiceNumber } = await life.draft()
    for (const status of statuses) {
      if (status === 'finalised') ok(await life.act(id, 'finalise'))
      else await life.become(id, status)
      const { url } = ok(await ask(id))
      const texts = textsOf((await opened(url)).bytes)
      expect(texts).toContain(invoiceNumber)
      expect(texts.filter((text) => /DRAFT|SANDBOX/.test(text))).toEqual([
        status === 'draft' ? 'DRAFT · SANDBOX' : 'SANDBOX',
      ])
      expect(numberIn((await opened(ok(await ask(id, '?format=xml')).url)).bytes)).toBe(invoiceNumber)
    }
  })

  test('the other form refuses it', async () => {
    const { id } = await life.draft({}, 'B')
    for (const status of statuses) {
      if (status === 'finalised') ok(await life.act(id, 'finalise'))
      else await life.become(id, status)
      const refused = await ask(id, '', 'B')
      expectRefusal(refused, 'invoice.download.not_accepted')
      expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ004'])
    }
  })

  test('an overdue document shows since when, until it is paid', async () => {
    const { id } = await life.issued({ dueDate: '2026-11-10' })
    const texts = async () => textsOf((await opened(ok(await ask(id)).url)).bytes)
    expect(await texts()).toEqual(expect.arrayContaining(['Overdue since', '11 November 2026', 'Amount overdue']))
    await app.runtime.db.run(sql`update invoices set declared_payment_status = 'paid' where id = ${id}`)
    const paid = await texts()
    expect(paid).toEqual(expect.arrayContaining(['Paid', '₦14,514.11']))
    expect(paid.filter((text) => /due$|Overdue|Pay to/.test(text))).toEqual([])
  })

  test('a live document has no watermark', async () => {
    const real = await issuer(app, { mode: 'live' })
    const { id, invoiceNumber } = await lifeOf(app, real).issued()
    const texts = textsOf((await opened(ok(await ask(id, '', 'A', real.token)).url)).bytes)
    expect(texts).toContain(invoiceNumber)
    expect(texts.filter((text) => /DRAFT|SANDBOX/.test(text))).toEqual([])
  })
})

describe('a link', () => {
  test('gives the same bytes each time, for 15 minutes', async () => {
    const { id } = await life.issued()
    const { url, sha256, expiresAt } = ok(await ask(id))
    expect(new Date(expiresAt).getTime() - app.clock.now().getTime()).toBe(15 * 60_000)
    app.clock.advance({ minutes: 14, seconds: 59 })
    for (let times = 0; times < 2; times++) expect(hash('sha256', (await opened(url)).bytes)).toBe(sha256)
    app.clock.advance({ seconds: 1 })
    await refusesLink(url, /expired/)
    app.clock.set(now)
    expect(ok(await ask(id)).sha256).toBe(sha256)
  })

  test('works only if it is complete', async () => {
    const { id } = await life.issued()
    const { url } = ok(await ask(id))
    const other = ok(await ask((await life.issued()).id))
    const [words, signature] = url.split('~') as [string, string]
    const last = words.at(-1) === 'A' ? 'B' : 'A'
    const broken = [
      url.slice(0, -1),
      `${url}x`,
      words,
      `${words.slice(0, -1)}${last}~${signature}`,
      `${words}~${other.url.split('~')[1]}`,
      url.replace('~k1.', '~k9.'),
      'http://dashboard.test/downloads/x',
    ]
    for (const each of broken) await refusesLink(each, /is incomplete/)
    expect((await opened(url)).status).toBe(200)
  })

  test('gives nothing if the document changed meanwhile', async () => {
    const { id } = await life.draft()
    const [pdf, xml] = [ok(await ask(id)), ok(await ask(id, '?format=xml'))]
    ok(await app.a.patch(`${path}/${id}`, { token: own.token, body: { notes: 'Handle with care' } }))
    await refusesLink(pdf.url, /has changed/)
    await refusesLink(xml.url, /has changed/)
    expect((await opened(ok(await ask(id)).url)).status).toBe(200)
  })

  test('shows payments in the PDF only: the XML is what was issued', async () => {
    const { id } = await life.issued()
    const [pdf, xml] = [ok(await ask(id)), ok(await ask(id, '?format=xml'))]
    ok(await life.pay(id, '100.00'), 201)
    await refusesLink(pdf.url, /has changed/)
    expect(hash('sha256', (await opened(xml.url)).bytes)).toBe(xml.sha256)
    expect(textsOf((await opened(ok(await ask(id)).url)).bytes)).toContain('−₦100.00')
  })

  test('gives nothing if the document was deleted', async () => {
    const { id } = await life.draft()
    const { url } = ok(await ask(id))
    ok(await app.a.delete(`${path}/${id}`, { token: own.token }))
    await refusesLink(url, /./)
  })

  test('answers HEAD requests with the headers', async () => {
    const { id } = await life.issued()
    const { url } = ok(await ask(id))
    const whole = await opened(url)
    const head = await opened(url, { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-type', 'content-disposition', 'content-length'])
      expect(head.headers.get(name), name).toBe(whole.headers.get(name))
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
  })

  describe('ends with the session or API key that created it', () => {
    /** A link created by an API key, and what happens to that key. */
    const byKey = (done: (path: string, keyId: string) => Promise<unknown>) => async (id: string) => {
      const token = await app.key(own.organisationId)
      const { apiKey } = ok(await app.a.get('/a/v1/auth/me', { token }))
      const { url } = ok(await ask(id, '', 'A', token))
      return { url, end: () => done(`/a/v1/organizations/me/api-keys/${apiKey.id}`, apiKey.id) }
    }
    const byMember = (done: (member: Person) => Promise<unknown>) => async (id: string) => {
      const member = await memberHolding(app, own, 'invoice.download_pdf')
      const { url } = ok(await ask(id, '', 'A', member.token))
      return { url, end: () => done(member) }
    }
    const endOf: [what: string, made: ReturnType<typeof byKey>][] = [
      ['a key that is revoked', byKey(async (key) => ok(await app.a.patch(`${key}/revoke`, { token: own.token })))],
      [
        'a key that may not download any more',
        byKey(async (key) => {
          const body = { capabilities: ['invoice.read'] }
          ok(await app.a.put(`${key}/capabilities`, { token: own.token, body }))
        }),
      ],
      [
        'a key whose time is over',
        byKey((_, id) => app.runtime.db.run(sql`update api_keys set expires_at = ${new Date(now)} where id = ${id}`)),
      ],
      ['a session that ends', byMember(async ({ token }) => ok(await app.a.post('/a/v1/auth/logout', { token })))],
      [
        'a member who is suspended',
        byMember(({ userId }) =>
          app.runtime.db.run(sql`update memberships set status = 'suspended' where user_id = ${userId}`),
        ),
      ],
      [
        'a member who is removed',
        byMember(async ({ userId }) =>
          ok(await app.a.delete(`/a/v1/organizations/me/users/${userId}`, { token: own.token })),
        ),
      ],
      [
        'a member whose role loses it',
        byMember(({ userId }) =>
          app.runtime.db.run(sql`
            update roles set capabilities = '{}' where id = (select role_id from memberships where user_id = ${userId})`),
        ),
      ],
    ]
    test.each(endOf)('%s', async (_, made) => {
      const { id } = await life.issued()
      const { url, end } = await made(id)
      expect((await opened(url)).status).toBe(200)
      await end()
      await refusesLink(url, /no longer has permission/)
    })

    test('survives the renewal of a session and the replacement of a key', async () => {
      const { id } = await life.issued()
      const { token } = await app.member(own.organisationId, 'ACCOUNTANT')
      const bySession = ok(await ask(id, '', 'A', token)).url
      ok(await app.a.post('/a/v1/auth/mode', { token, body: { mode: 'live' } }))
      expect((await opened(bySession)).status).toBe(200)
      const rotate = byKey(async (key) => ok(await app.a.post(`${key}/rotate`, { token: own.token, body: {} })))
      const { url, end } = await rotate(id)
      await end()
      expect((await opened(url)).status).toBe(200)
    })
  })

  test('survives the rotation of signing keys, until its own key is gone', async () => {
    const { id } = await life.issued()
    const { url, sha256 } = ok(await ask(id))
    const { database } = app
    const rotated = new Map([...keys, ['k2', randomBytes(32)]])
    const vault = createVault({ active: 'k2', keys: rotated })
    const later = await startTestApp({ now: app.clock.now(), database, vault })
    rotated.delete('k1')
    const latest = createVault({ active: 'k2', keys: rotated })
    const last = await startTestApp({ now: app.clock.now(), database, vault: latest })
    try {
      expect(hash('sha256', (await opened(url, {}, later)).bytes)).toBe(sha256)
      await refusesLink(url, /is incomplete/, last)
    } finally {
      await later.close()
      await last.close()
    }
  })
})

test('a number with characters that a file name may not have gets another file name', async () => {
  const { id } = await life.issued({ invoiceNumber: 'LAG/2026 "0042"; X: y' }, 'B')
  const { headers } = await opened(ok(await ask(id)).url)
  expect(headers.get('content-disposition')).toBe('attachment; filename="LAG-2026-0042-X-y.pdf"')
})
