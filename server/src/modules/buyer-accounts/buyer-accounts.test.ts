import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { seeded } from '../../../../test/harness/chance.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { sql } from '../../platform/database/sql.ts'
import { readPdf } from '../documents/pdf/read-pdf.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const pathOf = (buyerId: string) => `/i/v1/buyers/${buyerId}/statement-of-account`
type FormName = 'A' | 'B'
interface Shown {
  readonly openingMinor: number
  readonly closingMinor: number
  readonly ages: Readonly<Record<string, number>> & { readonly creditMinor: number }
  readonly lines: readonly { type: string; amountMinor: number; balanceMinor: number }[]
  readonly nextCursor: string | null
}
const read = async (buyerId: string, query = '', { form = 'A' as FormName, token = own.token } = {}): Promise<Shown> =>
  ok(await app.client(form).get(`${pathOf(buyerId)}${query}`, { token }))
const priced = (naira: number, more: object = {}) => ({
  ...more,
  lineItems: [
    {
      description: 'Cement',
      hsnCode: '2523.29',
      unitCode: 'XBG',
      quantity: '1',
      unitPrice: String(naira),
      taxCategory: 'exempt',
    },
  ],
})
const invoiceTo = (buyerId: string, naira: number, more: object = {}) =>
  life.issued({ buyerId, ...priced(naira, more) })
const words = ({ lines }: Shown) => lines.map((line) => `${line.type} ${line.amountMinor} → ${line.balanceMinor}`)

test.each(['A', 'B'] as const)(
  'form %s shows documents, payments, credits and reversals with a running balance',
  async (form) => {
    const buyerId = await life.buyer()
    const first = await invoiceTo(buyerId, 1000, { dueDate: '2026-11-10', invoiceDate: '2026-10-05' })
    const second = await invoiceTo(buyerId, 500, { dueDate: '2026-12-01' })
    const { payment } = ok(await life.pay(first.id, 400, { reference: 'TRF 1', paidOn: '2026-10-30' }), 201)
    const note = ok(await life.credit(second.id, { amount: 200 }), 201)
    ok(await life.act(note.id, 'finalise'))
    ok(await app.a.delete(`${invoicesPath}/${first.id}/payments/${payment.id}`, { token: own.token }))
    const statement = await read(buyerId, '', { form })
    expect(statement).toMatchObject({
      buyerId,
      currency: 'NGN',
      currencies: ['NGN'],
      timeZone: 'Africa/Lagos',
      from: '2026-11-01',
      to: '2026-11-30',
      openingMinor: 0,
      closingMinor: 130_000,
      agedOn: '2026-11-15',
      ages: { notDueMinor: 30_000, days1To30Minor: 100_000, days31To60Minor: 0, creditMinor: 0 },
    })
    expect(words(statement)).toEqual([
      'invoice 100000 → 100000',
      'invoice 50000 → 150000',
      'payment -40000 → 110000',
      'credit_note -20000 → 90000',
      'payment_reversed 40000 → 130000',
    ])
    // The day of the booking decides the period, and the date of the document is beside it.
    expect(statement.lines[0]).toMatchObject({
      bookedOn: '2026-11-15',
      documentDate: '2026-10-05',
      invoiceNumber: first.invoiceNumber,
    })
    expect(statement.lines[2]).toMatchObject({
      documentDate: '2026-10-30',
      paymentReference: 'TRF 1',
      paymentId: payment.id,
    })
    expect(statement.lines[3]).toMatchObject({ invoiceId: note.id, invoiceType: 'credit_note' })
    expect(await read(buyerId, '?to=2026-10-31', { form })).toMatchObject({
      from: '2026-10-01',
      openingMinor: 0,
      closingMinor: 0,
      lines: [],
    })
  },
)

test('what does not count leaves the account again, and a payment on it stays as credit', async () => {
  const buyerId = await life.buyer()
  const other = await life.buyer()
  const { id } = await invoiceTo(buyerId, 1000)
  ok(await life.pay(id, 300), 201)
  await life.become(id, 'rejected')
  expect(await read(buyerId)).toMatchObject({ closingMinor: -30_000, ages: { creditMinor: 30_000, notDueMinor: 0 } })
  ok(await life.act(id, 'reopen'))
  // The corrected invoice is for another buyer: its payment goes with it.
  ok(await app.a.patch(`${invoicesPath}/${id}`, { token: own.token, body: { buyerId: other } }))
  ok(await life.act(id, 'finalise'))
  expect(words(await read(buyerId))).toEqual([
    'invoice 100000 → 100000',
    'payment -30000 → 70000',
    'document_withdrawn -100000 → -30000',
    'payment_moved 30000 → 0',
  ])
  expect(words(await read(other))).toEqual(['payment_moved -30000 → -30000', 'invoice 100000 → 70000'])
})

test('an invoice that is declared as paid owes nothing, until a payment is recorded on it', async () => {
  const buyerId = await life.buyer()
  const { id } = await life.issued({ buyerId, paymentStatus: 'paid' }, 'B')
  expect(await read(buyerId)).toMatchObject({ closingMinor: 0 })
  ok(await life.pay(id, 250), 201)
  expect(words(await read(buyerId)).slice(1)).toEqual([
    'declared_paid -1451411 → 0',
    'declared_paid_withdrawn 1451411 → 1451411',
    'payment -25000 → 1426411',
  ])
})

test('pages follow each other with the right balances', async () => {
  const buyerId = await life.buyer()
  for (const naira of [10, 20, 30, 40, 50]) await invoiceTo(buyerId, naira)
  const all = await read(buyerId)
  const pages: Shown[] = []
  let after = ''
  for (let nth = 0; nth < 3; nth++) {
    const page = await read(buyerId, `?limit=2${after}`)
    pages.push(page)
    after = `&after=${page.nextCursor}`
  }
  expect(pages.at(-1)?.nextCursor).toBeNull()
  expect(pages.flatMap(({ lines }) => lines)).toEqual(all.lines)
  expectRefusal(await app.a.get(`${pathOf(buyerId)}?after=bm9uZQ`, { token: own.token }), 'request.invalid')
})

test('another organisation, mode or buyer sees nothing of it', async () => {
  const stranger = await issuer(app)
  expectRefusal(await app.a.get(pathOf(own.buyerId), { token: stranger.token }), 'resource.not_found')
  const query = '?from=2026-11-02&to=2026-11-01'
  expectRefusal(await app.a.get(`${pathOf(own.buyerId)}${query}`, { token: own.token }), 'request.invalid')
})

describe('files, mail and links', () => {
  let buyerId: string
  let number: string
  beforeAll(async () => {
    buyerId = await life.buyer({ name: 'Ọmọlará =1+1 Stores', email: 'pay@omolara.test' })
    number = (await invoiceTo(buyerId, 1234.5)).invoiceNumber
  })

  test.each(['A', 'B'] as const)('form %s gives links to the PDF and to the CSV file', async (form) => {
    const link = async (query: string) =>
      ok(await app.client(form).get(`${pathOf(buyerId)}/download${query}`, { token: own.token })).url
    const open = async (url: string) => await fetch(new URL(new URL(url).pathname, app.url))
    const pdf = await open(await link(''))
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    const text = JSON.stringify(readPdf(Buffer.from(await pdf.arrayBuffer())))
    for (const shown of ['Statement of account', number, '1,234.50', 'SANDBOX']) expect(text).toContain(shown)
    const csv = await open(await link('?format=csv'))
    expect(csv.headers.get('content-disposition')).toContain('statement-2026-11-01-2026-11-30-NGN.csv')
    expect((await csv.text()).split('\r\n').slice(1, 4)).toEqual([
      '2026-11-01,2026-11-01,opening,Opening balance,,,,NGN,,0',
      `2026-11-15,2026-11-02,invoice,Invoice ${number},${number},,,NGN,1234.5,1234.5`,
      '2026-11-30,2026-11-30,closing,Closing balance,,,,NGN,,1234.5',
    ])
    expect((await fetch(new URL('/downloads/statement/none', app.url))).status).toBe(404)
  })

  test.each(['A', 'B'] as const)('form %s creates a public link, lists it and ends it', async (form) => {
    const client = app.client(form)
    const made = ok(
      await client.post(`${pathOf(buyerId)}/links`, { token: own.token, body: { expiresInDays: 2 } }),
      201,
    )
    expect(made).toMatchObject({ from: '2026-11-01', to: '2026-11-30', expiresAt: '2026-11-17T09:00:00.000Z' })
    const at = new URL(new URL(made.url).pathname, app.url)
    const page = await (await fetch(at)).text()
    for (const shown of ['Ọmọlará', number, '1,234.50', 'Test statement of account']) expect(page).toContain(shown)
    expect((await fetch(`${at}/pdf`)).headers.get('content-type')).toBe('application/pdf')
    const { url, ...listed } = made
    expect(ok(await client.get(`${pathOf(buyerId)}/links`, { token: own.token }))).toEqual([listed])
    const stored = await app.runtime.db.rows(sql`select row_to_json(s)::text as row from account_shares s`)
    expect(JSON.stringify(stored)).not.toContain(url.split('/').at(-1))
    ok(await client.delete(`${pathOf(buyerId)}/links/${made.id}`, { token: own.token }))
    expect((await fetch(at)).status).toBe(404)
    expectRefusal(
      await client.delete(`${pathOf(buyerId)}/links/${made.id}`, { token: own.token }),
      'resource.not_found',
    )
    expect((await life.told(buyerId)).slice(-2)).toEqual(['buyer.statement_shared', 'buyer.statement_unshared'])
  })

  test('a link ends by itself', async () => {
    const body = { expiresInDays: 1 }
    const { url } = ok(await app.a.post(`${pathOf(buyerId)}/links`, { token: own.token, body }), 201)
    const at = new URL(new URL(url).pathname, app.url)
    const before = app.clock.now()
    app.clock.advance({ days: 1 })
    expect((await fetch(at)).status).toBe(404)
    app.clock.set(before)
    expect((await fetch(at)).status).toBe(200)
  })

  test.each(['A', 'B'] as const)('form %s mails it to the buyer', async (form) => {
    const sent = ok(await app.client(form).post(`${pathOf(buyerId)}/send`, { token: own.token, body: {} }), 202)
    expect(sent).toEqual({ sentTo: 'pay@omolara.test', currency: 'NGN', from: '2026-11-01', to: '2026-11-30' })
    const mails = await app.mailTo('pay@omolara.test', form === 'A' ? 1 : 2)
    const mail = mails.at(-1) as (typeof mails)[number]
    expect(mail.subject).toMatch(/^\[Test\] Statement of account from /)
    expect(mail.text).toContain('you owe ₦1,234.50')
  })

  test('the mail names no more as overdue than is owed', async () => {
    const inDebt = await life.buyer({ email: 'late@omolara.test' })
    await invoiceTo(inDebt, 1000, { dueDate: '2026-11-10', invoiceDate: '2026-11-01' })
    const paid = await invoiceTo(inDebt, 900)
    ok(await life.pay(paid.id, 800), 201)
    await life.become(paid.id, 'rejected')
    ok(await app.a.post(`${pathOf(inDebt)}/send`, { token: own.token, body: {} }), 202)
    const [mail] = await app.mailTo('late@omolara.test', 1)
    expect(mail?.text).toContain('you owe ₦200.00')
    expect(mail?.text).toContain('Of this, ₦200.00 is overdue.')
  })

  test('if it grows too long before its mail is written, the mail says so and has the balance', async () => {
    const email = 'long@omolara.test'
    const busy = await life.buyer({ email })
    await invoiceTo(busy, 1000)
    await app.stopWork()
    ok(await app.a.post(`${pathOf(busy)}/send`, { token: own.token, body: {} }), 202)
    await app.runtime.db.run(sql`
      insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                       document_type, document_date, invoice_id, open_minor)
      select ${own.organisationId}, 'sandbox', ${busy}, 'NGN', '2026-11-15', 'document', 1, gen_random_uuid(), 'x', 'standard', '2026-11-15', gen_random_uuid(), 1
        from generate_series(1, 2000)`)
    await app.startWork()
    const [mail] = await app.mailTo(email, 1)
    expect(mail?.text).toMatch(/It is too long for one file\. Please ask .+ for a shorter period\./)
    expect(mail?.text).toContain('you owe ₦1,020.00')
    expect(mail?.text).not.toContain('attached')
  })

  test('if the buyer is deleted before the mail is written, there is no mail and no failed job', async () => {
    const email = 'gone@omolara.test'
    const gone = await life.buyer({ email })
    await app.stopWork()
    ok(await app.a.post(`${pathOf(gone)}/send`, { token: own.token, body: {} }), 202)
    const { outcome } = ok(await app.a.delete(`/i/v1/buyers/${gone}`, { token: own.token }))
    expect(outcome).toBe('deleted')
    await app.startWork()
    await app.quiet()
    expect(await app.runtime.db.rows(sql`select reason from jobs where job = 'mail-statement-of-account'`)).toEqual([])
    expect(await app.mailTo(email, 0)).toEqual([])
  })

  test('without an address, and with too many lines or links, it is refused', async () => {
    const mute = await life.buyer({ email: null })
    expectRefusal(
      await app.a.post(`${pathOf(mute)}/send`, { token: own.token, body: {} }),
      'statement_of_account.no_email',
    )
    await app.runtime.db.run(sql`
      insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                       document_type, document_date, invoice_id, open_minor)
      select ${own.organisationId}, 'sandbox', ${mute}, 'NGN', '2026-11-15', 'document', 1, gen_random_uuid(), 'x', 'standard', '2026-11-15', gen_random_uuid(), 1
        from generate_series(1, 2001)`)
    expectRefusal(await app.a.get(`${pathOf(mute)}/download`, { token: own.token }), 'statement_of_account.too_long')
    await app.runtime.db.run(sql`
      insert into account_shares (organisation_id, mode, id, buyer_id, currency, from_day, to_day, token_hash, created_at, expires_at)
      select ${own.organisationId}, 'sandbox', gen_random_uuid(), ${buyerId}, 'NGN', '2026-11-01', '2026-11-30', n::text, '2026-11-15', '2027-11-15'
        from generate_series(1, 100) as n`)
    expectRefusal(
      await app.a.post(`${pathOf(buyerId)}/links`, { token: own.token, body: {} }),
      'statement_of_account.too_many_links',
    )
  })
})

/**
 * Issues, pays, reverses, credits, rejects and reopens at random, on random days. After each step, what the buyer owes
 * is added up from the invoices as the API shows them. Later, the statement of account of each past day must close
 * with the sum of that day.
 */
test.each([1, 2, 3])('a statement of account equals the books at every past moment (seed %i)', async (seed) => {
  const chance = seeded(seed)
  const any = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  app.clock.set('2027-01-01T11:00:00Z')
  let seller = await sessionAgain(app, own, 'sandbox')
  let balances = lifeOf(app, seller)
  const buyerId = await balances.buyer()
  const ids: string[] = []
  const closings = new Map<string, number>()
  const owed = async (): Promise<number> => {
    let sum = 0
    for (const id of ids) {
      const { status, invoiceType, dueMinor, refundOwedMinor, paidMinor } = await balances.get(id)
      if (status === 'draft' || status === 'rejected') sum -= paidMinor
      else if (invoiceType !== 'credit_note') sum += dueMinor - refundOwedMinor
    }
    return sum
  }
  const steps: Record<string, () => Promise<unknown>> = {
    issue: async () => {
      const days = { invoiceDate: '2027-01-01', dueDate: '2027-02-20' }
      const isDeclared = chance() < 0.2
      const naira = 100 + Math.floor(chance() * 900)
      const made = isDeclared
        ? await balances.issued({ buyerId, ...days, paymentStatus: 'paid' }, 'B')
        : await balances.issued({ buyerId, ...priced(naira, days) })
      ids.push(made.id)
    },
    pay: () => balances.pay(any(ids), 50 + Math.floor(chance() * 200)),
    reverse: async () => {
      const id = any(ids)
      const payments = ok(await app.a.get(`${invoicesPath}/${id}/payments`, { token: seller.token }))
      const open = payments.find(({ reversedAt }: { reversedAt: string | null }) => reversedAt === null)
      if (open) ok(await app.a.delete(`${invoicesPath}/${id}/payments/${open.id}`, { token: seller.token }))
    },
    credit: async () => {
      const { status, data } = await balances.credit(any(ids), { amount: 10 + Math.floor(chance() * 100) })
      if (status !== 201) return
      if ((await balances.act(data.id, 'finalise')).status === 200) ids.push(data.id)
    },
    reopen: () => balances.act(any(ids), 'reopen'),
    finalise: () => balances.act(any(ids), 'finalise'),
  }
  await steps.issue?.()
  for (let nth = 0; nth < 30; nth++) {
    await steps[any(['issue', 'pay', 'pay', 'reverse', 'credit', 'reopen', 'finalise'])]?.()
    closings.set(businessDay(app.clock.now(), 'Africa/Lagos'), await owed())
    app.clock.advance({ hours: 3 + Math.floor(chance() * 60) })
    seller = await sessionAgain(app, own, 'sandbox')
    balances = lifeOf(app, seller)
  }
  const token = seller.token
  const days = [...closings.keys()]
  let from = '2027-01-01'
  let before = 0
  for (const to of days) {
    const period = await read(buyerId, `?from=${from}&to=${to}`, { token })
    expect(period.openingMinor).toBe(before)
    expect(period.closingMinor, `on ${to}`).toBe(closings.get(to))
    expect(period.lines.at(-1)?.balanceMinor ?? period.openingMinor).toBe(period.closingMinor)
    const { creditMinor, ...late } = period.ages
    expect(Object.values(late).reduce((sum, minor) => sum + minor, -creditMinor)).toBe(period.closingMinor)
    before = period.closingMinor
    from = dayAfter(to)
  }
})
