import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import { jpegLogo } from '../../../../test/harness/pictures.ts'
import { demoLogo } from '../../demo/demo-logo.ts'
import { sql } from '../../platform/database/sql.ts'
import { readMailbox } from '../messages/index.ts'
import { readPdf } from './pdf/read-pdf.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const first = { bankName: 'Harmattan Bank', accountName: 'Eze Stores', accountNumber: '0123456789' }
const second = { bankName: 'Bank of Thieves', accountName: 'Somebody Else', accountNumber: '9999999999' }
const here = (url: string) => url.replace('http://dashboard.test', app.url)

/** An organisation with a letterhead, in live mode: only there a page asks for payment. */
async function withLetterhead(): Promise<Issuer & { readonly life: Life }> {
  const own = await issuer(app, { mode: 'live' })
  ok(await profile(own, { bankDetails: first, logo: demoLogo() }))
  return { ...own, life: lifeOf(app, own) }
}
const profile = ({ token }: Issuer, body: object) => app.a.patch('/a/v1/organizations/me', { token, body })

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fetch(here(url))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
async function download({ token }: Issuer, id: string, format: 'pdf' | 'xml'): Promise<Buffer> {
  return await bytesAt(ok(await app.a.get(`${path}/${id}/download?format=${format}`, { token })).url)
}
/** Every public view of a document. */
async function shown(own: Issuer & { readonly life: Life }, id: string) {
  const [pdf, xml] = [await download(own, id, 'pdf'), await download(own, id, 'xml')]
  const { url } = ok(await own.life.act(id, 'share'), 201)
  const files = { pdf, xml, page: await bytesAt(url), sharedPdf: await bytesAt(`${url}/pdf`) }
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, hash('sha256', bytes)]))
}
const textsOf = (pdf: Buffer) => readPdf(pdf).pieces.map(({ text }) => text)

/** Edits everything that a document shows. */
async function editAll(own: Issuer & { readonly life: Life }, buyerId: string): Promise<void> {
  const { token, sellerId } = own
  const address = { line1: '1 Elsewhere', city: 'Abuja', state: 'FCT', country: 'NG' }
  ok(await profile(own, { name: 'Renamed Stores', bankDetails: second, logo: jpegLogo(), address }))
  ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { name: 'Another Name', address } }))
  await app.runtime.db.run(
    sql`update sellers set name = 'Renamed Stores', email = 'new@eze.test' where id = ${sellerId}`,
  )
}

describe('an issued document', () => {
  test('shows the same bytes in every form after any edits', async () => {
    const own = await withLetterhead()
    const buyerId = await own.life.buyer()
    const { id } = await own.life.issued({ buyerId })
    const before = await shown(own, id)
    const [pdf, xml] = [await download(own, id, 'pdf'), await download(own, id, 'xml')]
    expect(textsOf(pdf)).toContain(first.accountNumber)
    expect(xml.toString()).toContain(first.accountNumber)
    await editAll(own, buyerId)
    expect(await shown(own, id)).toEqual(before)
    ok(await profile(own, { bankDetails: null, logo: null }))
    expect(await shown(own, id)).toEqual(before)
  })

  test('without a letterhead at its issue gets none later', async () => {
    const own = await issuer(app, { mode: 'live' })
    const life = lifeOf(app, own)
    const { id } = await life.issued()
    const before = await shown({ ...own, life }, id)
    ok(await profile(own, { bankDetails: second, logo: demoLogo() }))
    expect(await shown({ ...own, life }, id)).toEqual(before)
  })

  test('that is mailed later asks for payment as it did at its issue', async () => {
    const own = await withLetterhead()
    const { id } = await own.life.issued({ buyerId: await own.life.buyer({ email: 'frozen@chidi.test' }) })
    ok(await profile(own, { bankDetails: second }))
    ok(await own.life.act(id, 'send'))
    await app.mailTo('frozen@chidi.test')
    const [mail] = await readMailbox(app.runtime, 'frozen@chidi.test')
    const texts = textsOf(Buffer.from(mail?.attachments[0]?.base64 ?? '', 'base64'))
    expect(texts).toContain(first.accountNumber)
    expect(texts).not.toContain(second.accountNumber)
    expect(mail?.text).toContain(`account number ${first.accountNumber}, with the reference `)
    expect(mail?.html).not.toContain(second.accountNumber)
  })

  test('that is reopened shows current data, and keeps it when it is issued again', async () => {
    const own = await withLetterhead()
    const { id } = await own.life.issued()
    ok(await profile(own, { bankDetails: second }))
    expect(textsOf(await download(own, id, 'pdf'))).toContain(first.accountNumber)
    ok(await own.life.act(id, 'reopen'))
    expect(textsOf(await download(own, id, 'pdf'))).toContain(second.accountNumber)
    ok(await own.life.act(id, 'finalise'))
    ok(await profile(own, { bankDetails: first }))
    expect(textsOf(await download(own, id, 'pdf'))).toContain(second.accountNumber)
  })
})

test('a draft follows edits', async () => {
  const own = await withLetterhead()
  const { id } = await own.life.draft()
  expect(textsOf(await download(own, id, 'pdf'))).toContain(first.accountNumber)
  ok(await profile(own, { bankDetails: second }))
  expect(textsOf(await download(own, id, 'pdf'))).toContain(second.accountNumber)
  expect((await download(own, id, 'xml')).toString()).toContain(second.accountNumber)
})

describe('the logo on documents', () => {
  const logosOf = async ({ organisationId }: Issuer) =>
    (
      await app.runtime.db.rows<{ hash: string }>(
        sql`select hash from logos where organisation_id = ${organisationId} order by content_type desc`,
      )
    ).map(({ hash }) => hash)
  const hashOf = ({ base64 }: { base64: string }) => hash('sha256', Buffer.from(base64, 'base64'))
  const [png, jpeg] = [hashOf(demoLogo()), hashOf(jpegLogo())]
  /** Replaced logos are deleted after a minute, by the clock of the database. */
  const passMinute = ({ organisationId }: Issuer) =>
    app.runtime.db.run(sql`
      update logos set replaced_at = (replaced_at at time zone 'UTC' - interval '61 seconds') at time zone 'UTC' where organisation_id = ${organisationId}`)

  test('is stored once for all documents', async () => {
    const own = await withLetterhead()
    for (let times = 0; times < 3; times++) await own.life.issued()
    expect(await logosOf(own)).toEqual([png])
  })

  test('is deleted when it was replaced and no issued document shows it', async () => {
    const own = await withLetterhead()
    await own.life.draft()
    ok(await profile(own, { logo: jpegLogo() }))
    await app.runJob('purge-expired')
    expect(await logosOf(own)).toEqual([png, jpeg])
    await passMinute(own)
    await app.runJob('purge-expired')
    expect(await logosOf(own)).toEqual([jpeg])
  })

  test('stays while an issued document shows it, even if it is chosen again and replaced again', async () => {
    const own = await withLetterhead()
    const { id } = await own.life.issued()
    for (const logo of [jpegLogo(), demoLogo(), jpegLogo()]) {
      ok(await profile(own, { logo }))
      await passMinute(own)
      await app.runJob('purge-expired')
    }
    expect(await logosOf(own)).toEqual([png, jpeg])
    ok(await own.life.act(id, 'reopen'))
    for (const logo of [demoLogo(), null]) {
      ok(await profile(own, { logo }))
      await passMinute(own)
    }
    // A change of the logo also runs the clean-up.
    ok(await profile(own, { bankDetails: second }))
    expect(await logosOf(own)).toEqual([])
  })
})
