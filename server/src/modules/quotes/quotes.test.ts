import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { jobHandlers } from '../../jobs/index.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
const start = '2026-11-15T09:00:00Z'
beforeAll(async () => {
  app = await startTestApp({ now: start })
  own = await issuer(app)
})
afterAll(() => app.close())

type FormName = 'A' | 'B'
const path = '/i/v1/quotes'
const cement = {
  description: 'Bag of cement',
  hsnCode: '2523.29',
  unitCode: 'XBG',
  quantity: '3',
  unitPrice: '4500.50',
}
const content = (more: object = {}) => ({
  buyerId: own.buyerId,
  currency: 'NGN',
  validUntil: '2026-11-30',
  lineItems: [{ ...cement, taxCategory: 'standard', discountAmount: '100' }],
  allowanceAmount: '50',
  notes: 'Delivery within a week.',
  ...more,
})
const send = (method: 'post' | 'put' | 'delete', to: string, body?: object, form: FormName = 'A') =>
  app.client(form)[method](`${path}${to}`, { token: own.token, ...(body ? { body } : {}) })
const post = (to: string, body?: object, form: FormName = 'A') => send('post', to, body, form)
const get = async (to: string, form: FormName = 'A') =>
  ok(await app.client(form).get(`${path}${to}`, { token: own.token }))
const drafted = async (more: object = {}, form: FormName = 'A') => ok(await post('', content(more), form), 201)
const sent = async (more: object = {}) => ok(await post(`/${(await drafted(more)).id}/send`, { mail: false }))
const decision = (versionNumber: number, more: object = {}) => ({
  decision: 'accepted',
  versionNumber,
  name: 'Chidi Okafor',
  ...more,
})
const events = (id: string) => lifeOf(app, own).told(id)
/** Moves the clock and signs in again. */
async function at(moment: string): Promise<void> {
  app.clock.set(moment)
  own = await sessionAgain(app, own, 'sandbox')
}
const sweep = () =>
  jobHandlers(app.runtime, app.runner)
    .find(({ job }) => job.name === 'expire-quotes')
    ?.handle({}, { number: 1, last: true })

test.each(['A', 'B'] as const)('form %s: from the draft to the invoice', async (form) => {
  const quote = await drafted({}, form)
  expect(quote).toMatchObject({
    quoteType: 'quote',
    status: 'draft',
    versionNumber: 1,
    quoteDate: '2026-11-15',
    buyerName: 'Chidi Stores Limited',
    payableMinor: 1_435_286,
    decision: null,
    results: [],
    restMinor: null,
  })
  expect(quote.quoteNumber).toMatch(/^QUO\d{6}$/)
  expectRefusal(await post(`/${quote.id}/share`, undefined, form), 'quote.share.not_sent')
  expect(ok(await post(`/${quote.id}/send`, { mail: false }, form))).toMatchObject({ status: 'sent' })
  const { url } = ok(await post(`/${quote.id}/share`, undefined, form), 201)
  expect(ok(await post(`/${quote.id}/share`, undefined, form), 201).url).toBe(url)
  const accepted = ok(await post(`/${quote.id}/decision`, decision(1, { remark: 'Fine.' }), form))
  expect(accepted).toMatchObject({
    status: 'accepted',
    decision: { decision: 'accepted', name: 'Chidi Okafor', remark: 'Fine.', through: 'seller' },
  })
  const converted = ok(await post(`/${quote.id}/convert`, { dueDate: '2026-12-15' }, form))
  expect(converted).toMatchObject({ status: 'converted', results: [{ result: 'invoice', payableMinor: 1_435_286 }] })
  const invoice = await lifeOf(app, own).get(converted.results[0].invoiceId)
  expect(invoice).toMatchObject({
    status: 'draft',
    buyerId: own.buyerId,
    currency: 'NGN',
    dueDate: '2026-12-15',
    quoteReference: quote.quoteNumber,
    notes: 'Delivery within a week.',
    allowanceMinor: 5_000,
    payableMinor: 1_435_286,
  })
  expect(invoice.lineItems).toEqual(converted.lineItems)
  expectRefusal(await post(`/${quote.id}/convert`, {}, form), 'quote.convert.not_possible')
  ok(await send('delete', `/${quote.id}/share`, undefined, form))
  expect((await get(`/${quote.id}`, form)).sharedAt).toBeNull()
  expect(await events(quote.id)).toEqual(
    ['created', 'sent', 'shared', 'accepted', 'converted', 'unshared'].map((name) => `quote.${name}`),
  )
})

test('each type has its own series without gaps, also after requests that fail', async () => {
  const numbers: string[] = []
  for (const more of [{ quoteType: 'proforma' }, { currency: 'XXX' }, { quoteType: 'proforma' }, {}]) {
    const reply = await post('', content(more))
    if (reply.status === 201) numbers.push(reply.data.quoteNumber)
  }
  expect(numbers.slice(0, 2)).toEqual(['PRO000001', 'PRO000002'])
  expect(numbers[2]).toMatch(/^QUO/)
})

test('a quote counts in no figure and costs nothing', async () => {
  const figures = async () => [
    ok(await app.a.get('/i/v1/overview', { token: own.token })),
    await lifeOf(app, own).balance(),
    ok(await app.a.get('/i/v1/invoices', { token: own.token })),
    ok(await app.a.get(`/i/v1/buyers/${own.buyerId}/statement-of-account`, { token: own.token })),
  ]
  const before = await figures()
  const { id } = await sent()
  ok(await post(`/${id}/decision`, decision(1)))
  expect(await figures()).toEqual(before)
})

describe('versions', () => {
  test.each(['A', 'B'] as const)(
    'form %s: a change of a sent quote makes a version, and older ones stay',
    async (form) => {
      const quote = await drafted({}, form)
      ok(await send('put', `/${quote.id}`, content({ validUntil: null }), form))
      expect(await get(`/${quote.id}`, form)).toMatchObject({ versionNumber: 1, validUntil: null })
      ok(await post(`/${quote.id}/send`, { mail: false }, form))
      ok(await app.a.patch(`/i/v1/buyers/${own.buyerId}`, { token: own.token, body: { name: 'Renamed Limited' } }))
      const changed = ok(await send('put', `/${quote.id}`, content({ allowanceAmount: null }), form))
      expect(changed).toMatchObject({
        status: 'sent',
        versionNumber: 2,
        payableMinor: 1_440_661,
        buyerName: 'Renamed Limited',
      })
      const versions = await get(`/${quote.id}/versions`, form)
      expect(
        versions.map((one: Record<string, unknown>) => [one.versionNumber, one.payableMinor, one.buyerName]),
      ).toEqual([
        [2, 1_440_661, 'Renamed Limited'],
        [1, 1_435_286, 'Chidi Stores Limited'],
      ])
      expect(await get(`/${quote.id}/versions/1`, form)).toMatchObject({ allowanceAmount: '50.00', lineItems: [{}] })
      expectRefusal(
        await app.client(form).get(`${path}/${quote.id}/versions/3`, { token: own.token }),
        'resource.not_found',
      )
      expectRefusal(await post(`/${quote.id}/decision`, decision(1), form), 'quote.decide.version_changed')
      ok(await post(`/${quote.id}/decision`, decision(2, { decision: 'declined' }), form))
      ok(await app.a.patch(`/i/v1/buyers/${own.buyerId}`, { token: own.token, body: { name: 'Chidi Stores Limited' } }))
      const again = ok(await send('put', `/${quote.id}`, content(), form))
      expect(again).toMatchObject({ status: 'sent', versionNumber: 3, decision: null })
      expect((await get(`/${quote.id}/versions`, form))[1].decision).toMatchObject({ decision: 'declined' })
      ok(await post(`/${quote.id}/decision`, decision(3), form))
      expectRefusal(await send('put', `/${quote.id}`, content(), form), 'quote.change.not_open')
    },
  )

  test.each(['A', 'B'] as const)('form %s: If-Match keeps a change of someone else', async (form) => {
    const { token } = own
    const quote = await drafted({}, form)
    const read = () => app.client(form).get(`${path}/${quote.id}`, { token })
    const change = (version: string, more: object = {}) =>
      app.client(form).put(`${path}/${quote.id}`, { token, body: content(more), headers: { 'if-match': version } })
    const etag = (await read()).headers.get('etag') as string
    const changes = await Promise.all([change(etag, { notes: 'one' }), change(etag, { notes: 'two' })])
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const reply of changes) if (reply.status !== 200) expectRefusal(reply, 'version.stale')
    const [won] = changes.filter(({ status }) => status === 200)
    const now = won?.headers.get('etag') as string
    expect((await read()).headers.get('etag')).toBe(now)
    expectRefusal(await change('W/"1"'), 'version.stale')
    expectRefusal(await change('1'), 'request.invalid')
    ok(await post(`/${quote.id}/send`, { mail: false }, form))
    expectRefusal(await change(now), 'version.stale')
    ok(await change('*'))
  })

  test('a change and a decision at the same moment: nobody accepts a version that they did not see', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const { id } = await sent()
      const changing = send('put', `/${id}`, content({ allowanceAmount: null }))
      const deciding = post(`/${id}/decision`, decision(1))
      const [change, decided] = await Promise.all([changing, deciding])
      const now = await get(`/${id}`)
      seen.add(`${change.status} ${decided.status}`)
      if (decided.status === 200) {
        expectRefusal(change, 'quote.change.not_open')
        expect(now).toMatchObject({ status: 'accepted', versionNumber: 1 })
      } else {
        expectRefusal(decided, 'quote.decide.version_changed')
        expect(now).toMatchObject({ status: 'sent', versionNumber: 2, decision: null })
      }
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('two decisions at the same moment: one counts', async () => {
    const { id } = await sent()
    const replies = await Promise.all([
      post(`/${id}/decision`, decision(1)),
      post(`/${id}/decision`, decision(1, { decision: 'declined' })),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('conversion', () => {
  test('happens once, however many ask', async () => {
    const { id } = await sent()
    const replies = await Promise.all(Array.from({ length: 4 }, () => post(`/${id}/convert`, { finalise: true })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { results } = await get(`/${id}`)
    expect(results).toHaveLength(1)
    expect(await lifeOf(app, own).get(results[0].invoiceId)).toMatchObject({ status: 'finalised' })
  })

  test.each(['A', 'B'] as const)('form %s: with the same Idempotency-Key gives the same reply', async (form) => {
    const { id } = await sent()
    const ask = (action: string, body: object) =>
      app.client(form).post(`${path}/${id}/${action}`, {
        token: own.token,
        body,
        headers: { 'idempotency-key': `${action}-${id}` },
      })
    for (const [action, body] of [
      ['convert', { deposit: { percent: 30 }, finalise: true }],
      ['final-invoice', {}],
    ] as const) {
      const first = ok(await ask(action, body))
      expect(ok(await ask(action, body))).toEqual(first)
      expectRefusal(await ask(action, { ...body, dueDate: '2027-01-31' }), 'idempotency.body_differs')
    }
    expect((await get(`/${id}`)).results).toHaveLength(2)
  })

  test.each(['A', 'B'] as const)('form %s: into an invoice that is due in instalments', async (form) => {
    const { id, payableMinor } = await sent()
    const instalments = [
      { dueDate: '2026-11-30', percent: 50 },
      { dueDate: '2026-12-31', percent: 50 },
    ]
    const half = { instalments: [{ dueDate: '2026-11-30', percent: 50 }, { dueDate: '2026-12-31' }] }
    expectRefusal(await post(`/${id}/convert`, half, form), 'request.invalid')
    const [{ invoiceId }] = ok(await post(`/${id}/convert`, { instalments }, form)).results
    const invoice = await lifeOf(app, own).get(invoiceId)
    expect(invoice).toMatchObject({ payableMinor, dueDate: '2026-12-31' })
    expect(invoice.instalments.map((one: { dueDate: string }) => one.dueDate)).toEqual(['2026-11-30', '2026-12-31'])
  })

  test('is possible again after the draft was deleted', async () => {
    const { id } = await sent()
    const [first] = ok(await post(`/${id}/convert`, {})).results
    ok(await app.a.delete(`/i/v1/invoices/${first.invoiceId}`, { token: own.token }))
    expect((await get(`/${id}`)).results).toMatchObject([{ deleted: true }])
    const { results } = ok(await post(`/${id}/convert`, {}))
    expect(results).toMatchObject([{ deleted: false }])
    expect(results[0].invoiceId).not.toBe(first.invoiceId)
  })

  test('keeps the prices of the quote, and works without an item that was deleted', async () => {
    const fields = { name: 'Bag', itemType: 'goods', currency: 'NGN', unitPriceMinor: '50000', sku: `Q${Date.now()}` }
    const codes = { hsnCode: '2523.29', unitCode: 'XBG', taxCategory: 'exempt', productCategory: 'Building' }
    const { token } = own
    const item = ok(await app.a.post('/i/v1/items', { token, body: { ...fields, ...codes } }), 201)
    const lines = { lineItems: [{ itemId: item.id, quantity: 2 }], allowanceAmount: null }
    const [dearer, gone] = [await sent(lines), await sent(lines)]
    ok(await app.a.patch(`/i/v1/items/${item.id}`, { token, body: { unitPriceMinor: '60000' } }))
    const made = ok(await post(`/${dearer.id}/convert`, {}))
    expect(made.results[0].payableMinor).toBe(100_000)
    ok(await app.a.post(`/i/v1/items/${item.id}/archive`, { token }))
    const [result] = ok(await post(`/${gone.id}/convert`, {})).results
    expect((await lifeOf(app, own).get(result.invoiceId)).lineItems).toMatchObject([
      { itemId: null, unitPrice: '500.00' },
    ])
  })

  test.each(['A', 'B'] as const)('form %s: a deposit and a final invoice together are the quote', async (form) => {
    const lines = [
      { ...cement, taxCategory: 'standard' },
      { ...cement, description: 'Bread', quantity: '7', unitPrice: '333.33', taxCategory: 'exempt' },
    ]
    const { id, payableMinor } = await sent({ lineItems: lines })
    expectRefusal(await post(`/${id}/final-invoice`, {}, form), 'quote.convert.no_rest')
    const deposited = ok(await post(`/${id}/convert`, { deposit: { percent: '30' }, finalise: true }, form))
    const [deposit] = deposited.results
    expect(deposit.payableMinor).toBe(Math.round(payableMinor * 0.3))
    expect(deposited.restMinor).toBe(payableMinor - deposit.payableMinor)
    const prepayment = await lifeOf(app, own).get(deposit.invoiceId)
    expect(prepayment).toMatchObject({
      invoiceType: 'prepayment',
      status: 'finalised',
      payableMinor: deposit.payableMinor,
    })
    const done = ok(await post(`/${id}/final-invoice`, {}, form))
    expect(done).toMatchObject({ status: 'converted', restMinor: null, results: [{}, { result: 'final' }] })
    const final = await lifeOf(app, own).get(done.results[1].invoiceId)
    expect(final.payableMinor + prepayment.payableMinor).toBe(payableMinor)
    expect(final.netMinor).toBe(deposited.netMinor)
    expect(final.notes).toContain(prepayment.invoiceNumber)
    expectRefusal(await post(`/${id}/final-invoice`, {}, form), 'quote.convert.no_rest')
  })

  test('for a buyer who reads Arabic makes documents that can be changed with the texts that they have', async () => {
    const quote = await sent({ buyerId: await lifeOf(app, own).buyer({ language: 'ar' }) })
    const changed = async (invoiceId: string, notes?: string) => {
      const { lineItems } = await lifeOf(app, own).get(invoiceId)
      const [{ description, unitPrice }] = lineItems
      const same = { ...cement, description, unitPrice, quantity: '1', taxCategory: 'standard' }
      const body = notes === undefined ? { lineItems: [same] } : { notes }
      ok(await app.a.patch(`/i/v1/invoices/${invoiceId}`, { token: own.token, body }))
    }
    const [deposit] = ok(await post(`/${quote.id}/convert`, { deposit: { percent: 30 } })).results
    await changed(deposit.invoiceId)
    ok(await lifeOf(app, own).act(deposit.invoiceId, 'finalise'))
    const { results } = ok(await post(`/${quote.id}/final-invoice`, {}))
    const { invoiceId } = results.find(({ result }: { result: string }) => result === 'final')
    await changed(invoiceId, (await lifeOf(app, own).get(invoiceId)).notes)
  })

  test('of a deposit by amount; a deposit that was changed by hand has no final invoice', async () => {
    const { id } = await sent()
    expectRefusal(await post(`/${id}/convert`, { deposit: { amount: '99999999' } }), 'request.invalid')
    expectRefusal(await post(`/${id}/convert`, { deposit: { amount: '1', percent: '1' } }), 'request.invalid')
    expectRefusal(await post(`/${id}/convert`, { deposit: { amount: '5000.001' } }), 'request.invalid')
    const [deposit] = ok(await post(`/${id}/convert`, { deposit: { amount: '4000' } })).results
    expect(deposit.payableMinor).toBe(400_000)
    const { token } = own
    const body = { lineItems: [{ ...cement, quantity: 1, unitPrice: 7, taxCategory: 'exempt' }] }
    ok(await app.a.patch(`/i/v1/invoices/${deposit.invoiceId}`, { token, body }))
    expectRefusal(await post(`/${id}/final-invoice`, {}), 'quote.convert.deposit_not_issued')
    ok(await lifeOf(app, own).act(deposit.invoiceId, 'finalise'))
    expectRefusal(await post(`/${id}/final-invoice`, {}), 'quote.convert.deposit_changed')
  })

  test.each(['A', 'B'] as const)(
    'form %s: a deposit of the same amount in another currency has no final invoice',
    async (form) => {
      const { id } = await sent()
      const [deposit] = ok(await post(`/${id}/convert`, { deposit: { percent: 30 } }, form)).results
      ok(await app.a.patch(`/i/v1/invoices/${deposit.invoiceId}`, { token: own.token, body: { currency: 'USD' } }))
      const issued = ok(await lifeOf(app, own).act(deposit.invoiceId, 'finalise'))
      expect(issued).toMatchObject({ currency: 'USD', payableMinor: deposit.payableMinor })
      expectRefusal(await post(`/${id}/final-invoice`, {}, form), 'quote.convert.deposit_changed')
      expect(await get(`/${id}`, form)).toMatchObject({ invoicedMinor: 0 })
    },
  )

  test.each(['A', 'B'] as const)(
    'form %s: a deposit that is deleted after its final invoice shows, until both are gone',
    async (form) => {
      const { id, payableMinor } = await sent()
      const { token } = own
      const deposit = { deposit: { percent: 30 }, finalise: true }
      const [first] = ok(await post(`/${id}/convert`, deposit, form)).results
      const whole = ok(await post(`/${id}/final-invoice`, {}, form))
      expect(whole).toMatchObject({ restMinor: null, invoicedMinor: payableMinor })
      ok(await lifeOf(app, own).act(first.invoiceId, 'reopen'))
      ok(await app.a.delete(`/i/v1/invoices/${first.invoiceId}`, { token }))
      const lost = await get(`/${id}`, form)
      expect(lost).toMatchObject({ restMinor: null, invoicedMinor: payableMinor - first.payableMinor })
      expectRefusal(await post(`/${id}/convert`, deposit, form), 'quote.convert.not_possible')
      expectRefusal(await post(`/${id}/final-invoice`, {}, form), 'quote.convert.no_rest')
      ok(await app.a.delete(`/i/v1/invoices/${whole.results[1].invoiceId}`, { token }))
      expect(await get(`/${id}`, form)).toMatchObject({ invoicedMinor: 0 })
      ok(await post(`/${id}/convert`, deposit, form))
      expect(ok(await post(`/${id}/final-invoice`, {}, form))).toMatchObject({ invoicedMinor: payableMinor })
    },
  )

  test('a final invoice waits for whoever changes the deposit', async () => {
    const { id } = await sent()
    const [deposit] = ok(await post(`/${id}/convert`, { deposit: { percent: 30 }, finalise: true })).results
    const { db } = app.runtime
    const late = await db.transaction(async (tx) => {
      await tx.run(sql`update invoices set status = 'rejected' where id = ${deposit.invoiceId}`)
      const waiting = post(`/${id}/final-invoice`, {})
      const isWaiting = async () => expect(await listLockWaits(app.owner, /from invoices.*for share/s)).not.toEqual([])
      await eventually(isWaiting)
      return { waiting }
    })
    expectRefusal(await late.waiting, 'quote.convert.deposit_not_issued')
    expect(await get(`/${id}`)).toMatchObject({ results: [{ result: 'deposit' }] })
  })

  test('a final invoice and a change of its deposit at the same moment: the quote shows the truth', async () => {
    const { token } = own
    for (let round = 0; round < 4; round++) {
      const { id, payableMinor } = await sent()
      const [deposit] = ok(await post(`/${id}/convert`, { deposit: { percent: 30 }, finalise: true })).results
      const [final, reopened] = await Promise.all([
        post(`/${id}/final-invoice`, {}),
        lifeOf(app, own).act(deposit.invoiceId, 'reopen'),
      ])
      expect(reopened.status, reopened.text).toBe(200)
      const removed = await app.a.delete(`/i/v1/invoices/${deposit.invoiceId}`, { token })
      expect(removed.status, removed.text).toBe(200)
      if (final.status !== 200) expectRefusal(final, 'quote.convert.deposit_not_issued')
      expect((await get(`/${id}`)).invoicedMinor).toBe(final.status === 200 ? payableMinor - deposit.payableMinor : 0)
    }
  })

  test.each(['x'.repeat(2_000), '😀'.repeat(1_000)])(
    'the notes of a final invoice are never too long',
    async (notes) => {
      const { id } = await sent({ notes })
      const [deposit] = ok(await post(`/${id}/convert`, { deposit: { percent: 30 }, finalise: true })).results
      const [, final] = ok(await post(`/${id}/final-invoice`, { finalise: true })).results
      const { notes: written } = await lifeOf(app, own).get(final.invoiceId)
      expect(written).toMatch(new RegExp(`^The deposit of .* from ${deposit.invoiceNumber} has been deducted`))
      expect(written).toMatch(/[x😀]+ …$/u)
      expect(written.length).toBeLessThanOrEqual(2_000)
      expect(written).not.toContain('\ufffd')
    },
  )

  test('of a deposit that was credited: no final invoice takes it off', async () => {
    const { id } = await sent()
    const [deposit] = ok(await post(`/${id}/convert`, { deposit: { percent: '30' }, finalise: true })).results
    const life = lifeOf(app, own)
    const note = ok(await life.credit(deposit.invoiceId), 201)
    ok(await life.act(note.id, 'finalise'))
    expectRefusal(await post(`/${id}/final-invoice`, {}), 'quote.convert.deposit_changed')
  })

  test('is refused if the tax rates of the day give another total, and the refusal says what works then', async () => {
    const withOldRates = (id: string) =>
      app.runtime.db.run(sql`
        update quote_versions set tax_minor = tax_minor + 1, payable_minor = payable_minor + 1 where quote_id = ${id}`)
    const { id } = await sent()
    await withOldRates(id)
    const refused = await post(`/${id}/convert`, {})
    expectRefusal(refused, 'quote.convert.amounts_changed')
    expect(refused.body.error.message).toMatch(/Before the buyer accepts, change the quote. Afterwards, duplicate it/)
    expect((await get(`/${id}`)).results).toEqual([])
    ok(await send('put', `/${id}`, content()))
    ok(await post(`/${id}/convert`, {}))

    const accepted = await sent()
    ok(await post(`/${accepted.id}/decision`, decision(1)))
    await withOldRates(accepted.id)
    expectRefusal(await post(`/${accepted.id}/convert`, {}), 'quote.convert.amounts_changed')
    expectRefusal(await send('put', `/${accepted.id}`, content()), 'quote.change.not_open')
    const copy = ok(await post(`/${accepted.id}/duplicate`), 201)
    ok(await post(`/${copy.id}/send`, { mail: false }))
    expect(ok(await post(`/${copy.id}/convert`, {})).results).toMatchObject([{ payableMinor: copy.payableMinor }])
  })
})

describe('time', () => {
  test('a quote expires at the end of its last day, with one event, and can be renewed', async () => {
    await at(start)
    const { id } = await sent({ validUntil: '2026-11-20' })
    const draft = await drafted({ validUntil: '2026-11-20' })
    // In Lagos the day ends at 23:00 UTC.
    await at('2026-11-20T22:59:00Z')
    await sweep()
    expect((await get(`/${id}`)).status).toBe('sent')
    await at('2026-11-20T23:00:00Z')
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect((await get(`/${id}`)).status).toBe('expired')
    expect((await events(id)).filter((type) => type === 'quote.expired')).toHaveLength(1)
    const expired = await get('?status=expired')
    expect(expired.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await get('?status=sent')).map((one: { id: string }) => one.id)).not.toContain(id)
    expectRefusal(await post(`/${id}/decision`, decision(1)), 'quote.decide.not_open')
    expectRefusal(await post(`/${id}/convert`, {}), 'quote.convert.not_possible')
    for (const one of [id, draft.id]) expectRefusal(await post(`/${one}/send`, { mail: false }), 'quote.send.expired')
    expectRefusal(await send('put', `/${id}`, content({ validUntil: '2026-11-20' })), 'request.invalid')
    expect(ok(await send('put', `/${id}`, content({ validUntil: '2026-11-25' })))).toMatchObject({ status: 'sent' })
    await at('2026-11-26T12:00:00Z')
    await sweep()
    expect((await events(id)).filter((type) => type === 'quote.expired')).toHaveLength(2)
    await at(start)
  })

  test('a copy has the date of today and as many days', async () => {
    const { id } = await sent()
    await at('2026-12-01T12:00:00Z')
    const copy = ok(await post(`/${id}/duplicate`), 201)
    expect(copy).toMatchObject({
      status: 'draft',
      quoteDate: '2026-12-01',
      validUntil: '2026-12-16',
      payableMinor: 1_435_286,
    })
    await at(start)
  })
})

describe('the list', () => {
  test('has filters and a CSV file', async () => {
    const buyerId = await lifeOf(app, own).buyer({ name: 'Òjó Bakery' })
    const one = await drafted({ buyerId, quoteType: 'proforma', quoteDate: '2026-10-01' })
    const found = async (query: string) => (await get(`?${query}`)).map(({ id }: { id: string }) => id)
    for (const query of [
      `buyerId=${buyerId}`,
      'search=ojo',
      `search=${one.quoteNumber.toLowerCase()}`,
      'quoteDateTo=2026-10-31',
    ])
      expect(await found(query)).toEqual([one.id])
    expect((await get('?search=ojo', 'B')).map(({ id }: { id: string }) => id)).toEqual([one.id])
    expect(await found('search=ojo&quoteType=quote')).toEqual([])
    expect(await found('search=ojo&status=cancelled')).toEqual([])
    const headers = { authorization: `Bearer ${own.token}`, accept: 'text/csv' }
    const csv = await (await fetch(`${app.client('A').url}${path}?search=ojo`, { headers })).text()
    expect(csv.split('\r\n')[1]).toBe(
      `${one.quoteNumber},proforma,draft,1,2026-10-01,2026-11-30,Òjó Bakery,NGN,13351.50,1001.36,14352.86,,`,
    )
  })
})

describe('refusals', () => {
  test('of moves that are not possible', async () => {
    const { id } = await drafted()
    expectRefusal(await post(`/${id}/decision`, decision(1)), 'quote.decide.not_open')
    expect(ok(await post(`/${id}/cancel`))).toMatchObject({ status: 'cancelled' })
    expectRefusal(await post(`/${id}/cancel`), 'quote.cancel.not_open')
    expectRefusal(await post(`/${id}/send`, { mail: false }), 'quote.send.not_open')
  })

  test('of quotes without a buyer or an address', async () => {
    const nobody = await drafted({ buyerId: null })
    expectRefusal(await post(`/${nobody.id}/send`, { mail: false }), 'quote.send.incomplete')
    const silent = await drafted({ buyerId: await lifeOf(app, own).buyer({ email: null }) })
    expectRefusal(await post(`/${silent.id}/send`, {}), 'quote.send.no_email')
    expect((await get(`/${silent.id}`)).status).toBe('draft')
  })

  test('of wrong contents', async () => {
    for (const wrong of [
      { validUntil: '2026-11-14' },
      { validUntil: '9999-12-31' },
      { quoteDate: '0001-01-01', validUntil: '0001-01-02' },
      { lineItems: [{ description: 'No price', quantity: 1 }] },
      { lineItems: [] },
      { lineItems: [{ ...cement, taxCategory: 'standard', quantity: '1.23456789' }] },
    ])
      expectRefusal(await post('', content(wrong)), 'request.invalid')
    expectRefusal(await post('', content({ buyerId: '0198c0de-0000-7000-8000-000000000000' })), 'invoice.buyer_unknown')
  })

  test('another organisation sees nothing, and finalising needs its capability', async () => {
    const { id } = await sent()
    const stranger = await app.person()
    for (const to of ['', '/versions', '/versions/1'])
      expectRefusal(await app.a.get(`${path}/${id}${to}`, { token: stranger.token }), 'resource.not_found')
    expectRefusal(await app.a.post(`${path}/${id}/convert`, { token: stranger.token, body: {} }), 'resource.not_found')
    const key = await app.key(own.organisationId, { capabilities: ['invoice.create', 'invoice.read'] })
    const asKey = (body: object) => app.a.post(`${path}/${id}/convert`, { token: key, body })
    expectRefusal(await asKey({ finalise: true }), 'auth.capability_missing')
    ok(await asKey({}))
  })

  test('too many versions, and too many quotes', async () => {
    const { id } = await sent()
    await app.runtime.db.run(sql`
      with moved as (update quote_versions set version_number = 50 where quote_id = ${id})
      update quotes set current_version = 50 where id = ${id}`)
    expectRefusal(await send('put', `/${id}`, content()), 'quote.too_many_versions')
    // In parts, because a busy machine needs long for all of them.
    for (const first of [1, 5_001, 10_001, 15_001])
      await app.runtime.db.run(sql`
        insert into quotes (organisation_id, mode, id, type, number, status, current_version, expires_at, search, created_by_type, created_at, updated_at)
        select ${own.organisationId}, 'sandbox', gen_random_uuid(), 'quote', 'X' || n, 'sent', 1, '2026-11-20T23:00:00Z', '', 'system', now(), now()
          from generate_series(${first}::int, ${first + 4_999}::int) n`)
    expectRefusal(await post('', content()), 'quote.too_many')
    // Quotes that are over do not stand in the way of new ones.
    await at('2026-11-20T23:00:00Z')
    await drafted()
    await at(start)
  })
})
