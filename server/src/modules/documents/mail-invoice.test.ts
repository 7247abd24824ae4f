import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { buyerDetails, type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { demoLogo } from '../../demo/demo-logo.ts'
import { systemCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import { sql } from '../../platform/database/sql.ts'
import { builtInMailbox } from '../messages/index.ts'
import type { OutgoingMessage } from '../messages/message.ts'
import { mailInvoice } from './mail-invoice.ts'
import { readPdf } from './pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
let life: Life
/** whether the carrier reaches real people */
let reachesPeople = false
const carried: OutgoingMessage[] = []
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    carrier: {
      textsPhones: true,
      get reachesPeople() {
        return reachesPeople
      },
      carry: async (message) => {
        carried.push(message)
        await builtInMailbox(app.runtime, { textsPhones: true }).carry(message)
      },
    },
  })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

/** The mails to an address, oldest first, once there are at least this many. */
async function mailsTo(address: string, atLeast = 1): Promise<OutgoingMessage[]> {
  await app.mailTo(address, atLeast)
  return carried.filter(({ to }) => to === address)
}
const textsOf = ({ attachments }: OutgoingMessage) =>
  readPdf(Buffer.from(attachments[0]?.base64 ?? '', 'base64')).pieces.map(({ text }) => text)
const noticesOf = (id: string) =>
  app.runtime.db.rows<EventNotice>(sql`
    select id as event_id, type, organisation_id, mode, object_id from events
     where object_id = ${id} and type = 'invoice.sent' order by position`)
const mailAgain = (input: EventNotice) => app.runner.run(mailInvoice, { caller: systemCaller, origin, input })

test('sending an invoice mails the PDF to the buyer', async () => {
  const email = 'first@chidi.test'
  const { id, invoiceNumber } = await life.issued({ buyerId: await life.buyer({ email }) })
  ok(await life.act(id, 'send'))
  const [mail, ...more] = await mailsTo(email)
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    channel: 'email',
    fromName: 'Eze Stores via Risiti',
    subject: `[Test] Tax invoice ${invoiceNumber} from Eze Stores`,
    attachments: [{ filename: `${invoiceNumber}.pdf`, contentType: 'application/pdf' }],
  })
  expect(mail?.text.split('\n\n')).toEqual([
    `Dear ${buyerDetails.name},`,
    'This is a test from a sandbox: nothing is owed.',
    `Eze Stores has sent you the tax invoice ${invoiceNumber}. You find it attached as a PDF.`,
    '₦14,514.11 is due on 2 December 2026.',
    expect.stringMatching(/^See the tax invoice online: http:\/\/dashboard\.test\/s\/[\w-]{43}$/),
    expect.stringMatching(/^Questions\? Write to .+\.$/),
    'Eze Stores',
  ])
  expect(textsOf(mail as OutgoingMessage)).toEqual(
    expect.arrayContaining([invoiceNumber, 'SANDBOX', 'Bag of cement', '₦14,514.11']),
  )
})

test('the mail has the seller’s logo and a button to the public page', async () => {
  const real = await issuer(app, { mode: 'live' })
  ok(await app.a.patch('/a/v1/organizations/me', { token: real.token, body: { logo: demoLogo() } }))
  const email = 'pictured@chidi.test'
  const itsLife = lifeOf(app, real)
  const { id } = await itsLife.issued({ buyerId: await itsLife.buyer({ email }) })
  ok(await itsLife.act(id, 'send'))
  const [mail] = await mailsTo(email)
  expect(mail?.attachments.map(({ filename, cid }) => [filename, cid])).toContainEqual(['logo.png', 'logo'])
  expect(mail?.html).toContain('<img src="cid:logo" alt="Eze Stores"')
  expect(mail?.html).not.toMatch(/src="http|<script|<link/)
  const [, href = ''] = /<a href="([^"]+)"/.exec(mail?.html ?? '') ?? []
  expect(mail?.text).toContain(href)
  const words = (mail?.html ?? '').replace(/<[^>]+>/g, ' ')
  for (const line of (mail?.text ?? '').split('\n\n')) expect(words).toContain(line.replace(`: ${href}`, ''))
  expect((await fetch(href.replace('http://dashboard.test', app.url))).status).toBe(200)
  const { url } = ok(await itsLife.act(id, 'share'), 201)
  expect(url).toBe(href)
  expect(await itsLife.told(id)).toContain('invoice.shared')
})

describe.each(['A', 'B'] as const)('a reminder through form %s', (form) => {
  const remind = (id: string) => app.client(form).post(`/i/v1/invoices/${id}/remind`, { token: own.token })

  test('has words for how late the payment is, and carries the document', async () => {
    const email = `late-${form.toLowerCase()}@chidi.test`
    const { id, invoiceNumber } = await life.issued(
      { buyerId: await life.buyer({ email }), dueDate: '2026-11-05' },
      form,
    )
    expect(ok(await remind(id))).toMatchObject({ reporting: { delivery: 'sent_email' } })
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe(`[Test] Overdue: Tax invoice ${invoiceNumber} from Eze Stores`)
    expect(mail?.text).toContain('₦14,514.11 was due on 5 November 2026, 10 days ago.')
    expect(textsOf(mail as OutgoingMessage)).toContain('Overdue since')
  })

  test('is refused for drafts, without an address, and if nothing is due', async () => {
    expectRefusal(await remind((await life.draft({}, form)).id), 'invoice.send.not_finalised')
    const nobody = await life.issued({ buyerId: await life.buyer({ email: null }) }, form)
    expectRefusal(await remind(nobody.id), 'invoice.send.no_email')
    const { id } = await life.issued({}, form)
    await app.runtime.db.run(sql`update invoices set declared_payment_status = 'paid' where id = ${id}`)
    const refused = await remind(id)
    expectRefusal(refused, 'invoice.remind.nothing_due')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
  })
})

test('each send is one mail, and a repeated job sends none', async () => {
  const email = 'often@chidi.test'
  const { id } = await life.issued({ buyerId: await life.buyer({ email }) })
  ok(await life.act(id, 'send'))
  ok(await life.act(id, 'send'))
  const mails = await mailsTo(email, 2)
  expect(mails).toHaveLength(2)
  expect(new Set(mails.map((mail) => mail.id)).size).toBe(2)
  const notices = await noticesOf(id)
  expect(notices).toHaveLength(2)
  for (const notice of notices) expect(await mailAgain(notice)).toBe(true)
  const written = await app.runtime.db.rows(sql`select id from messages where recipient = ${email}`)
  expect(written).toHaveLength(2)
})

test('texts of people are escaped in the mail', async () => {
  const email = 'odd@chidi.test'
  const name = 'Tunde <script>alert(1)</script> & "Sons"'
  const { id } = await life.issued({ buyerId: await life.buyer({ email, name }) })
  ok(await life.act(id, 'send'))
  const [mail] = await mailsTo(email)
  expect(mail?.text).toContain(`Dear ${name},`)
  expect(mail?.html).toContain('Dear Tunde &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;,')
  expect(mail?.html).not.toContain('<script')
})

test('a credit note asks for no payment', async () => {
  const email = 'credit@chidi.test'
  const { id } = await life.issued({ buyerId: await life.buyer({ email }) })
  await life.become(id, 'accepted')
  const note = ok(await life.credit(id), 201)
  ok(await life.act(note.id, 'finalise'))
  ok(await life.act(note.id, 'send'))
  const [mail] = await mailsTo(email)
  expect(mail?.subject).toBe(`[Test] Credit note ${note.invoiceNumber} from Eze Stores`)
  expect(mail?.text).not.toContain('due')
})

test('a live mail does not mention a test', async () => {
  const real = await issuer(app, { mode: 'live' })
  const { id } = await lifeOf(app, real).issued()
  const before = (await mailsTo(buyerDetails.email, 0)).length
  ok(await lifeOf(app, real).act(id, 'send'))
  const mail = (await mailsTo(buyerDetails.email, before + 1)).at(-1) as OutgoingMessage
  expect(mail.subject).toMatch(/^Tax invoice /)
  expect(mail.text.replace(/http\S+/, '')).not.toMatch(/test|sandbox/i)
  expect(textsOf(mail)).not.toContain('SANDBOX')
})

test('only what the event names is mailed', async () => {
  const { id } = await life.issued()
  ok(await life.act(id, 'send'))
  const [notice] = (await noticesOf(id)) as [EventNotice]
  expect(await mailAgain({ ...notice, eventId: own.userId })).toBe(false)
})

describe('if mail reaches real people', () => {
  beforeAll(() => {
    reachesPeople = true
  })
  afterAll(() => {
    reachesPeople = false
  })
  /** Sends to an address and returns whether a mail was written. */
  async function isMailed(who: Issuer, email: string): Promise<boolean> {
    const its = lifeOf(app, who)
    const { id } = await its.issued({ buyerId: await its.buyer({ email }) })
    ok(await its.act(id, 'send'))
    const [notice] = (await noticesOf(id)) as [EventNotice]
    // Run directly, so that the test need not wait for a mail that never comes.
    const isWritten = await mailAgain(notice)
    const written = await app.runtime.db.rows(sql`select id from messages where recipient = ${email}`)
    expect(written.length > 0).toBe(isWritten)
    // In the sandbox the invoice still counts as sent.
    expect((await its.get(id)).reporting.delivery).toBe('sent_email')
    return isWritten
  }

  test('a sandbox sends its documents only to members of the organisation', async () => {
    const colleague = await app.member(own.organisationId, 'VIEWER')
    expect(await isMailed(own, colleague.email)).toBe(true)
    expect(await isMailed(own, colleague.email.toUpperCase())).toBe(true)
    expect(await isMailed(own, 'victim@example.test')).toBe(false)
    // Members of other organisations, unverified addresses and suspended members do not count.
    expect(await isMailed(own, (await app.person()).email)).toBe(false)
    const unproven = await app.member(own.organisationId, 'VIEWER')
    await app.runtime.db.run(sql`update users set email_verified_at = null where id = ${unproven.userId}`)
    expect(await isMailed(own, unproven.email)).toBe(false)
    const suspended = await app.member(own.organisationId, 'VIEWER')
    await app.runtime.db.run(sql`update memberships set status = 'suspended' where user_id = ${suspended.userId}`)
    expect(await isMailed(own, suspended.email)).toBe(false)
  })

  test('live documents go to buyers', async () => {
    expect(await isMailed(await issuer(app, { mode: 'live' }), 'real-buyer@example.test')).toBe(true)
  })
})

test('the mail and its PDF are in the language of the buyer', async () => {
  const french = await life.issued({ buyerId: await life.buyer({ email: 'achats@cotonou.test', language: 'fr' }) })
  ok(await life.act(french.id, 'send'))
  const [mail] = await mailsTo('achats@cotonou.test')
  expect(mail).toMatchObject({
    language: 'fr',
    subject: `[Essai] Facture fiscale ${french.invoiceNumber} de Eze Stores`,
    html: expect.stringContaining('<html lang="fr">'),
  })
  expect(mail?.text).toContain('2 décembre 2026')
  expect(textsOf(mail as OutgoingMessage)).toEqual(expect.arrayContaining(['Facture fiscale', 'Tax invoice', 'ESSAI']))
  const buyerId = await life.buyer({ email: 'buyer@khartoum.test', language: 'ar' })
  const arabic = await life.issued({ buyerId })
  ok(await life.act(arabic.id, 'send'))
  const [second] = await mailsTo('buyer@khartoum.test')
  expect(second).toMatchObject({ language: 'ar', html: expect.stringContaining('<html lang="ar" dir="rtl">') })
  expect(second?.subject).toContain('فاتورة ضريبية')
})
