import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { sql } from '../../platform/database/sql.ts'
import { readPdf } from '../documents/pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/quotes'
const line = {
  description: 'Bag of cement',
  hsnCode: '2523.29',
  unitCode: 'XBG',
  quantity: '3',
  taxCategory: 'standard',
}
const content = (more: object = {}) => ({
  buyerId: own.buyerId,
  currency: 'NGN',
  validUntil: '2026-11-30',
  lineItems: [{ ...line, unitPrice: '4500.50' }],
  ...more,
})
const post = (to: string, body?: object) => app.a.post(`${path}${to}`, { token: own.token, ...(body ? { body } : {}) })
const get = async (id: string) => ok(await app.a.get(`${path}/${id}`, { token: own.token }))

/** A sent quote with the path of its public page. */
async function shared(
  more: object = {},
): Promise<{ id: string; at: string; payableMinor: number; quoteNumber: string }> {
  const { id } = ok(await post('', content(more)), 201)
  const { payableMinor, quoteNumber } = ok(await post(`/${id}/send`, { mail: false }))
  const { url } = ok(await post(`/${id}/share`), 201)
  return { id, at: new URL(url).pathname, payableMinor, quoteNumber }
}
const origin = () => app.url
const open = (at: string) => fetch(`${origin()}${at}`)
const answer = (at: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${origin()}${at}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ version: '1', decision: 'accepted', name: 'Chidi Okafor', ...fields }),
    headers,
  })

describe('the public page', () => {
  test('shows the quote and asks for an answer, without a script', async () => {
    const { at, quoteNumber } = await shared()
    const reply = await open(at)
    const page = await reply.text()
    expect(reply.status).toBe(200)
    for (const words of [
      quoteNumber,
      'Waits for your answer',
      '30 November 2026',
      'This is not a tax invoice.',
      '₦14,514.11',
    ])
      expect(page).toContain(words)
    expect(page).not.toContain('<script')
    expect(page).not.toContain('Amount due')
    const policy = reply.headers.get('content-security-policy') ?? ''
    for (const part of ["frame-ancestors 'none'", "form-action 'self'", "default-src 'none'"])
      expect(policy).toContain(part)
    expect(reply.headers.get('x-frame-options')).toBe('DENY')
  })

  test('is in the language of the buyer, or in one that the reader chose', async () => {
    const { at } = await shared({ buyerId: await lifeOf(app, own).buyer({ language: 'fr' }) })
    expect(await (await open(at)).text()).toContain('Devis')
    expect(await (await open(`${at}?language=ar`)).text()).toContain('dir="rtl"')
  })

  test('records an acceptance once, with name, remark, time and address', async () => {
    const { id, at, payableMinor } = await shared()
    const first = await answer(at, { total: String(payableMinor), remark: 'Line one\r\nline two <b>' })
    expect([first.status, first.headers.get('location')]).toEqual([303, at])
    expect(await get(id)).toMatchObject({
      status: 'accepted',
      decision: {
        decision: 'accepted',
        name: 'Chidi Okafor',
        remark: 'Line one\nline two <b>',
        decidedAt: '2026-11-15T09:00:00.000Z',
        through: 'page',
        ipAddress: expect.stringMatching(/127\.0\.0\.1/),
      },
    })
    const again = await answer(at, { total: String(payableMinor), decision: 'declined' })
    expect(again.status).toBe(409)
    const page = await again.text()
    expect(page).toContain('By Chidi Okafor on 15 November 2026.')
    expect(page).not.toContain('<form')
    expect((await get(id)).status).toBe('accepted')
    expect((await lifeOf(app, own).told(id)).filter((type) => type === 'quote.accepted')).toHaveLength(1)
  })

  test('does not accept a version or a total that the reader did not see', async () => {
    const { id, at, payableMinor } = await shared()
    ok(
      await app.a.put(`${path}/${id}`, {
        token: own.token,
        body: content({ lineItems: [{ ...line, unitPrice: '1' }] }),
      }),
    )
    const late = await answer(at, { total: String(payableMinor) })
    expect(late.status).toBe(409)
    const page = await late.text()
    expect(page).toContain('This document was changed after you opened it.')
    expect(page).toContain('Version 2')
    expect(page).toContain('value="Chidi Okafor"')
    expect((await answer(at, { version: '2', total: String(payableMinor) })).status).toBe(409)
    expect(await get(id)).toMatchObject({ status: 'sent', decision: null })
    const { payableMinor: now } = await get(id)
    expect((await answer(at, { version: '2', total: String(now), decision: 'declined' })).status).toBe(303)
    expect((await get(id)).status).toBe('declined')
  })

  test('two answers at the same moment: one counts', async () => {
    const { id, at, payableMinor } = await shared()
    const total = String(payableMinor)
    const replies = await Promise.all([answer(at, { total }), answer(at, { total, decision: 'declined' })])
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409])
    expect((await lifeOf(app, own).told(id)).filter((type) => /accepted|declined/.test(type))).toHaveLength(1)
  })

  test.each([
    ['no name', { name: '' }],
    ['a web address as a name', { name: 'https://evil.example/pay' }],
    ['a name of two lines', { name: 'Chidi\nOkafor' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a remark with control characters', { remark: 'a\u0007b' }],
    ['a remark that is too long, rather than cut it', { remark: `${'x'.repeat(999)}😀` }],
  ])('refuses %s, says why and keeps what was typed', async (_, fields) => {
    const { id, at, payableMinor } = await shared()
    const reply = await answer(at, { total: String(payableMinor), ...fields })
    expect(reply.status).toBe(400)
    const page = await reply.text()
    const [isRemark, isName] = [page.includes('shorten your remark'), page.includes('Please write your name')]
    expect([isRemark, isName]).toEqual(['remark' in fields, 'name' in fields])
    expect((await get(id)).status).toBe('sent')
  })

  test.each([
    ['no decision', { decision: '' }],
    ['another decision', { decision: 'paid' }],
    ['a version that is no number', { version: 'one' }],
    ['a huge total', { total: '9'.repeat(30) }],
  ])('refuses a form with %s', async (_, fields) => {
    const { at } = await shared()
    expect((await answer(at, { total: '1', ...fields })).status).toBe(400)
  })

  test('refuses forms that are too large or no forms, unknown links, and too many answers', async () => {
    const { at, payableMinor } = await shared()
    expect((await answer(at, { remark: 'x'.repeat(20_000) })).status).toBe(413)
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await fetch(`${origin()}${at}`, json)).status).toBe(415)
    const nowhere = `${at.slice(0, -4)}aaaa`
    expect((await open(nowhere)).status).toBe(404)
    expect((await answer(nowhere, { total: '1' })).status).toBe(404)
    const statuses: number[] = []
    for (let nth = 0; nth < 21; nth++) statuses.push((await answer(at, { total: '1', version: '2' })).status)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 409))
    expect(statuses[20]).toBe(429)
    expect((await get(ok(await post('', content()), 201).id)).payableMinor).toBe(payableMinor)
  })

  test('an answer that waits while the link ends does not count', async () => {
    const { id, at, payableMinor } = await shared()
    const { db } = app.runtime
    const late = await db.transaction(async (tx) => {
      await tx.run(sql`select from quotes where organisation_id = ${own.organisationId} and id = ${id} for update`)
      const waiting = answer(at, { total: String(payableMinor) })
      const isWaiting = async () =>
        expect(await listLockWaits(app.owner, /from quotes.*for no key update/s)).not.toEqual([])
      await eventually(isWaiting)
      await tx.run(sql`delete from quote_shares where quote_id = ${id}`)
      return { waiting }
    })
    expect((await late.waiting).status).toBe(404)
    expect(await get(id)).toMatchObject({ status: 'sent', decision: null })
  })

  test('says that a quote was invoiced without a decision', async () => {
    const { id, at } = await shared()
    ok(await post(`/${id}/convert`, {}))
    const page = await (await open(at)).text()
    expect(page).toContain('Invoiced')
    expect(page).not.toContain('Accepted')
  })

  test('says that a quote was withdrawn, and ends with its link', async () => {
    const { id, at, payableMinor } = await shared()
    ok(await post(`/${id}/cancel`))
    expect(await (await open(at)).text()).toContain('Withdrawn')
    expect((await answer(at, { total: String(payableMinor) })).status).toBe(409)
    ok(await app.a.delete(`${path}/${id}/share`, { token: own.token }))
    expect((await open(at)).status).toBe(404)
    expect((await open(`${at}/pdf`)).status).toBe(404)
  })
})

const wordsOf = async (reply: Response) =>
  readPdf(Buffer.from(await reply.arrayBuffer()))
    .pieces.map(({ text }) => text)
    .join(' ')

describe('the PDF', () => {
  test.each(['A', 'B'] as const)(
    'form %s: has its own title and end, and says that it is no tax invoice',
    async (form) => {
      const { id, at } = await shared()
      ok(await app.a.put(`${path}/${id}`, { token: own.token, body: content({ validUntil: '2026-12-05' }) }))
      const download = async (query = '') => {
        const { url } = ok(await app.client(form).get(`${path}/${id}/download${query}`, { token: own.token }))
        return await open(new URL(url).pathname)
      }
      const words = await wordsOf(await download())
      for (const wanted of ['Quote', 'Valid until', '5 December 2026', 'Version 2', 'This is not a tax invoice.'])
        expect(words).toContain(wanted)
      expect(words).not.toContain('Amount due')
      expect(await wordsOf(await download('?versionNumber=1'))).toContain('30 November 2026')
      expectRefusal(
        await app.client(form).get(`${path}/${id}/download?versionNumber=3`, { token: own.token }),
        'resource.not_found',
      )
      const page = await open(`${at}/pdf`)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    },
  )

  test('a link works for 15 minutes', async () => {
    const { id } = await shared({ quoteType: 'proforma' })
    const { url } = ok(await app.a.get(`${path}/${id}/download`, { token: own.token }))
    expect(await wordsOf(await open(new URL(url).pathname))).toContain('Proforma invoice')
    app.clock.advance({ minutes: 16 })
    expect((await open(new URL(url).pathname)).status).toBe(404)
    app.clock.set('2026-11-15T09:00:00Z')
  })
})

describe('the mail', () => {
  test('has no link if a person ended it before the mail was written, and makes none', async () => {
    const email = 'ended@chidi.test'
    const buyerId = await lifeOf(app, own).buyer({ email })
    const { id } = ok(await post('', content({ buyerId })), 201)
    await app.stopWork()
    expect(ok(await post(`/${id}/send`, {})).sharedAt).not.toBeNull()
    ok(await app.a.delete(`${path}/${id}/share`, { token: own.token }))
    await app.startWork()
    const [mail] = await app.mailTo(email, 1)
    expect(JSON.stringify(mail)).not.toContain('/s/quote/')
    expect(JSON.stringify(mail)).not.toContain('online')
    expect((await get(id)).sharedAt).toBeNull()
  })

  test('has the PDF and the link to the page, in the language of the buyer', async () => {
    const email = 'quotes@chidi.test'
    const buyerId = await lifeOf(app, own).buyer({ email, language: 'fr' })
    const { id } = ok(await post('', content({ buyerId })), 201)
    ok(await post(`/${id}/send`, {}))
    const [mail] = await app.mailTo(email, 1)
    expect(mail).toMatchObject({ subject: expect.stringContaining('Devis') })
    const text = JSON.stringify(mail)
    expect(text).toContain('/s/quote/')
    expect(text).toContain('30 novembre 2026')
    ok(await app.a.put(`${path}/${id}`, { token: own.token, body: content({ buyerId, validUntil: null }) }))
    ok(await post(`/${id}/send`, {}))
    const mails = await app.mailTo(email, 2)
    expect(JSON.stringify(mails)).toContain('Nouvelle version')
  })
})
