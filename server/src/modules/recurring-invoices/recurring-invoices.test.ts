import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { leaveCredits } from '../../../../test/harness/drafts.ts'
import { makeDueInvoices } from '../../../../test/harness/due-invoices.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { reporter } from '../../../../test/harness/reporters.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { jobHandlers } from '../../jobs/index.ts'
import { dayAfter } from '../../kernel/days.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
const start = '2026-11-15T09:00:00Z'
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: start })
  own = await issuer(app)
})
afterAll(() => app.close())

type FormName = 'A' | 'B'
const path = '/i/v1/recurring-invoices'
const line = { hsnCode: '2523.29', unitCode: 'XBG', quantity: '2', unitPrice: '100', taxCategory: 'exempt' }
const body = (more: object = {}, invoice: object = {}) => ({
  name: 'Cement',
  unit: 'month',
  startsOn: '2026-11-30',
  dayOfMonth: 31,
  policy: 'finalise',
  dueInDays: 14,
  invoice: {
    buyerId: own.buyerId,
    currency: 'NGN',
    lineItems: [{ description: 'Cement in {month} {year}', ...line }],
    notes: 'For {period}.',
    ...invoice,
  },
  ...more,
})

/** Moves the clock, signs in again and lets the workers make what is due. */
async function at(moment: string): Promise<void> {
  app.clock.set(moment)
  own = await sessionAgain(app, own, 'sandbox')
  await sweep()
}
const sweep = () => makeDueInvoices(app)
const post = (to: string, sent?: object, form: FormName = 'A') =>
  app.client(form).post(`${path}${to}`, { token: own.token, ...(sent ? { body: sent } : {}) })
const get = async (to: string, form: FormName = 'A') =>
  ok(await app.client(form).get(`${path}${to}`, { token: own.token }))
const made = async (id: string, form: FormName = 'A') =>
  (await get(`/${id}/periods`, form)).map(({ day, outcome }: { day: string; outcome: string }) => `${day} ${outcome}`)

test.each(['A', 'B'] as const)(
  'form %s: a month end makes one invoice a month, with its period in the texts',
  async (form) => {
    await at(start)
    const schedule = ok(await post('', body(), form), 201)
    expect(schedule).toMatchObject({ status: 'active', nextOn: '2026-11-30', dayOfMonth: 31, catchUp: 'all' })
    const coming = await get(`/${schedule.id}/preview`, form)
    expect(coming.map(({ day }: { day: string }) => day).slice(0, 4)).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
    ])
    expect(coming).toHaveLength(12)
    expect(coming[3]).toEqual({
      day: '2027-02-28',
      from: '2027-02-28',
      to: '2027-03-30',
      dueDate: '2027-03-14',
      skipped: false,
      descriptions: ['Cement in February 2027'],
    })
    // In Lagos the day begins at 23:00 UTC.
    await at('2026-11-29T22:59:00Z')
    expect(await made(schedule.id, form)).toEqual([])
    await at('2026-11-29T23:00:00Z')
    await sweep()
    const [run] = await get(`/${schedule.id}/periods`, form)
    expect(run).toMatchObject({ day: '2026-11-30', from: '2026-11-30', to: '2026-12-30', outcome: 'made', error: null })
    const invoice = await lifeOf(app, own).get(run.invoiceId)
    expect(invoice).toMatchObject({
      status: 'finalised',
      invoiceDate: '2026-11-30',
      dueDate: '2026-12-14',
      periodStart: null,
      periodEnd: null,
      notes: 'For 30 November 2026 – 30 December 2026.',
      payableMinor: 20_000,
    })
    expect(invoice.lineItems[0].description).toBe('Cement in November 2026')
    await at('2027-03-31T12:00:00Z')
    await sweep()
    expect(await made(schedule.id, form)).toEqual(
      ['2027-03-31', '2027-02-28', '2027-01-31', '2026-12-31', '2026-11-30'].map((day) => `${day} made`),
    )
    expect(await lifeOf(app, own).told(schedule.id)).toEqual([
      'recurring_schedule.created',
      ...Array.from({ length: 5 }, () => 'recurring_schedule.invoice_made'),
    ])
    ok(await post(`/${schedule.id}/end`, undefined, form))
    expectRefusal(await post(`/${schedule.id}/end`, undefined, form), 'recurring_schedule.ended')
  },
)

test.each([
  ['all', ['2026-12-10 made', '2026-12-03 made', '2026-11-26 made', '2026-11-19 made']],
  ['latest', ['2026-12-10 made', '2026-12-03 missed', '2026-11-26 missed', '2026-11-19 missed']],
  ['none', ['2026-12-10 missed', '2026-12-03 missed', '2026-11-26 missed', '2026-11-19 missed']],
])('after an outage, catching up %s', async (catchUp, outcomes) => {
  await at(start)
  const rule = { unit: 'week', startsOn: '2026-11-19', dayOfMonth: undefined, catchUp, policy: 'draft' }
  const { id } = ok(await post('', body(rule)), 201)
  await at('2026-12-12T10:00:00Z')
  expect(await made(id)).toEqual(outcomes)
  ok(await post(`/${id}/end`))
})

test('the price of an item is that of the day, and a change counts from its day', async () => {
  await at(start)
  const token = own.token
  const fields = { name: 'Bag', itemType: 'goods', currency: 'NGN', unitPriceMinor: '50000', sku: `S${Date.now()}` }
  const codes = { hsnCode: '2523.29', unitCode: 'XBG', taxCategory: 'exempt', productCategory: 'Building' }
  const item = ok(await app.a.post('/i/v1/items', { token, body: { ...fields, ...codes } }), 201)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft', count: 3 }
  const { id } = ok(await post('', body(rule, { lineItems: [{ itemId: item.id, quantity: 1 }] })), 201)
  expect((await get(`/${id}/preview`))[0].descriptions).toEqual(['Bag'])
  await at('2026-11-16T10:00:00Z')
  ok(await app.a.patch(`/i/v1/items/${item.id}`, { token: own.token, body: { unitPriceMinor: '60000' } }))
  const { policy, invoice } = body({}, { lineItems: [{ description: 'Other', ...line }] })
  for (const changeFrom of ['2026-11-15', '9999-12-31'])
    expectRefusal(await post(`/${id}/content`, { policy, invoice, changeFrom }), 'request.invalid')
  ok(await post(`/${id}/content`, { policy: 'draft', invoice, changeFrom: '2026-11-30' }))
  await at('2026-12-01T10:00:00Z')
  const runs = await get(`/${id}/periods`)
  const amounts: number[] = []
  for (const { invoiceId } of runs.toReversed()) amounts.push((await lifeOf(app, own).get(invoiceId)).payableMinor)
  expect(amounts).toEqual([50_000, 60_000, 20_000])
  expect(await get(`/${id}`)).toMatchObject({ status: 'ended', nextOn: null })
  expect((await lifeOf(app, own).told(id)).at(-1)).toBe('recurring_schedule.ended')
})

test('skip, pause and resume', async () => {
  await at(start)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft' }
  const { id } = ok(await post('', body(rule)), 201)
  expectRefusal(await post(`/${id}/skip`, { day: '2026-11-24' }), 'request.invalid')
  ok(await post(`/${id}/skip`, { day: '2026-11-30' }))
  expectRefusal(await post(`/${id}/periods/run`, { day: '2026-11-30' }), 'request.invalid')
  for (const form of ['B', 'A'] as const) {
    expect(ok(await post(`/${id}/unskip`, { day: '2026-11-30' }, form))).toMatchObject({ nextOn: '2026-11-16' })
    expectRefusal(await post(`/${id}/unskip`, { day: '2026-11-30' }, form), 'request.invalid')
    ok(await post(`/${id}/skip`, { day: '2026-11-30' }, form))
  }
  ok(await post(`/${id}/unskip`, { day: '2026-11-30' }))
  expect((await get(`/${id}/preview`))[2]).toMatchObject({ day: '2026-11-30', skipped: false })
  ok(await post(`/${id}/skip`, { day: '2026-11-23' }))
  expect((await get(`/${id}/preview`))[1]).toMatchObject({ day: '2026-11-23', skipped: true })
  await at('2026-11-24T10:00:00Z')
  expect(await made(id)).toEqual(['2026-11-23 skipped', '2026-11-16 made'])
  expect(ok(await post(`/${id}/pause`))).toMatchObject({ status: 'paused' })
  expectRefusal(await post(`/${id}/pause`), 'recurring_schedule.not_active')
  await at('2026-12-09T10:00:00Z')
  expect(ok(await post(`/${id}/resume`))).toMatchObject({ status: 'active', nextOn: '2026-12-14' })
  expectRefusal(await post(`/${id}/resume`), 'recurring_schedule.not_paused')
  await at('2026-12-14T10:00:00Z')
  expect(await made(id)).toEqual(['2026-12-14 made', '2026-11-23 skipped', '2026-11-16 made'])
  expect(ok(await post(`/${id}/periods/run`, { day: '2026-11-23' }))).toMatchObject({ outcome: 'made' })
  expectRefusal(await post(`/${id}/periods/run`, { day: '2026-11-23' }), 'recurring_schedule.period_made')
  expectRefusal(await post(`/${id}/periods/run`, { day: '2026-11-24' }), 'resource.not_found')
  ok(await post(`/${id}/end`))
  expectRefusal(await post(`/${id}/unskip`, { day: '2026-12-21' }), 'recurring_schedule.ended')
})

test.each(['A', 'B'] as const)('form %s: no invoice has longer texts than one that a person writes', async (form) => {
  await at(start)
  const long = { notes: '{period}'.repeat(60), lineItems: [{ ...line, description: '{month}'.repeat(60) }] }
  const refused = await post('', body({}, long), form)
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details.map((fault: { path: string }) => fault.path).toSorted()).toEqual([
    'invoice.lineItems[0].description',
    'invoice.notes',
  ])
  const weekly = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined }
  const short = { notes: '{period}'.repeat(44), lineItems: [{ ...line, description: '{year}'.repeat(80) }] }
  const { id } = ok(await post('', body(weekly, short), form), 201)
  // In another language, the same placeholders are longer: then the reason stands at the period.
  const spoken = async (language: string | null) =>
    ok(await app.a.patch(`/i/v1/buyers/${own.buyerId}`, { token: own.token, body: { language } }))
  await spoken('pt')
  await at('2026-11-16T10:00:00Z')
  expect((await get(`/${id}/periods`, form))[0]).toMatchObject({
    outcome: 'failed',
    error: { details: [{ path: 'invoice.notes', message: expect.stringContaining('longer than 2000 characters') }] },
  })
  await spoken(null)
  expect(ok(await post(`/${id}/periods/run`, { day: '2026-11-16' }, form))).toMatchObject({ outcome: 'made' })
  ok(await post(`/${id}/end`, undefined, form))
})

test('a planned change stays when the content is changed before it', async () => {
  await at(start)
  const { id } = ok(await post('', body({ policy: 'draft', dayOfMonth: 30 })), 201)
  const content = (description: string) => {
    const { policy, invoice } = body({ policy: 'draft' }, { lineItems: [{ description, ...line }] })
    return { policy, invoice }
  }
  const words = async () =>
    (await get(`/${id}/preview`)).slice(0, 4).map((one: { descriptions: string[] }) => one.descriptions[0])
  ok(await post(`/${id}/content`, { ...content('Dearer'), changeFrom: '2027-01-30' }))
  expect(ok(await post(`/${id}/content`, content('Without a typo')))).toMatchObject({ changesOn: ['2027-01-30'] })
  expect(await words()).toEqual(['Without a typo', 'Without a typo', 'Dearer', 'Dearer'])
  // The planned change itself is replaced by naming its day.
  ok(await post(`/${id}/content`, { ...content('Cheaper'), changeFrom: '2027-01-30' }))
  expect(await words()).toEqual(['Without a typo', 'Without a typo', 'Cheaper', 'Cheaper'])
  for (let nth = 1; nth < 24; nth++)
    ok(await post(`/${id}/content`, { ...content('Later'), changeFrom: dayAfter('2028-01-01', nth) }))
  expectRefusal(await post(`/${id}/content`, { ...content('Later'), changeFrom: '2035-01-01' }), 'request.invalid')
  expect((await get(`/${id}`)).changesOn).toHaveLength(24)
  ok(await post(`/${id}/end`))
})

test('a period that failed because of its content is made with the corrected content', async () => {
  await at(start)
  const token = own.token
  const fields = { name: 'Bag', itemType: 'goods', currency: 'NGN', unitPriceMinor: '50000', sku: `F${Date.now()}` }
  const codes = { hsnCode: '2523.29', unitCode: 'XBG', taxCategory: 'exempt', productCategory: 'Building' }
  const item = ok(await app.a.post('/i/v1/items', { token, body: { ...fields, ...codes } }), 201)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft' }
  const wrong = { lineItems: [{ itemId: item.id, quantity: 1 }] }
  const going = ok(await post('', body(rule, wrong)), 201)
  const ended = ok(await post('', body({ ...rule, count: 1 }, wrong)), 201)
  ok(await app.a.post(`/i/v1/items/${item.id}/archive`, { token }))
  await at('2026-11-24T10:00:00Z')
  expect(await made(going.id)).toEqual(['2026-11-23 failed', '2026-11-16 failed'])
  expect(await get(`/${ended.id}`)).toMatchObject({ status: 'ended' })
  const { invoice } = body()
  for (const { id } of [going, ended]) {
    ok(await post(`/${id}/content`, { policy: 'draft', invoice }))
    expect(ok(await post(`/${id}/periods/run`, { day: '2026-11-16' }))).toMatchObject({ outcome: 'made' })
  }
  // Of the failed periods, each has the content of its own day.
  ok(await post(`/${going.id}/content`, { policy: 'draft', invoice, changeFrom: '2026-11-30' }))
  expect(ok(await post(`/${going.id}/periods/run`, { day: '2026-11-23' }))).toMatchObject({ outcome: 'made' })
  expectRefusal(await post(`/${ended.id}/content`, { policy: 'draft', invoice }), 'recurring_schedule.ended')
  ok(await post(`/${going.id}/end`))
})

test('a period whose refusal may pass waits and is tried again, for three days at most', async () => {
  await at(start)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft' }
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth++) ids.push(ok(await post('', body(rule)), 201).id)
  const [passing, paused, stuck] = ids as [string, string, string]
  await leaveCredits(app, own, 0)
  await at('2026-11-16T10:00:00Z')
  const [first] = await get(`/${passing}/periods`)
  expect(first).toMatchObject({ outcome: 'waiting', invoiceId: null, error: { reason: 'credits.insufficient' } })
  expect(await get(`/${passing}`)).toMatchObject({ status: 'active', nextOn: '2026-11-16' })
  expect(ok(await post(`/${passing}/periods/run`, { day: '2026-11-16' }, 'B'))).toMatchObject({ outcome: 'waiting' })
  ok(await post(`/${paused}/pause`))
  await at('2026-11-18T10:00:00Z')
  expect(await made(stuck)).toEqual(['2026-11-16 waiting'])
  // It is told once, when the waiting begins.
  expect(await lifeOf(app, own).told(stuck)).toEqual([
    'recurring_schedule.created',
    'recurring_schedule.period_waiting',
  ])
  ok(await post(`/${stuck}/skip`, { day: '2026-11-23' }))
  // What waits when a schedule goes on later has failed.
  ok(await post(`/${paused}/resume`))
  expect(await made(paused)).toEqual(['2026-11-16 failed'])
  await leaveCredits(app, own, 10)
  await at('2026-11-18T11:30:00Z')
  expect(await made(passing)).toEqual(['2026-11-16 made'])
  expect(await made(stuck)).toEqual(['2026-11-23 skipped', '2026-11-16 made'])
  await leaveCredits(app, own, 0)
  await at('2026-11-23T10:00:00Z')
  await leaveCredits(app, own, 0)
  await at('2026-11-26T10:30:00Z')
  expect(await made(passing)).toEqual(['2026-11-23 failed', '2026-11-16 made'])
  expect((await lifeOf(app, own).told(passing)).at(-1)).toBe('recurring_schedule.period_failed')
  await leaveCredits(app, own, 1_000)
  for (const id of [passing, paused, stuck]) ok(await post(`/${id}/end`))
})

test.each(['A', 'B'] as const)(
  'form %s: a refused period keeps its reason, the others go on, and it can be run again',
  async (form) => {
    await at(start)
    const buyerId = await lifeOf(app, own).buyer({ email: null })
    const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'send' }
    const refused = ok(await post('', body(rule, { buyerId }), form), 201)
    const other = ok(await post('', body({ ...rule, policy: 'draft' }), form), 201)
    await at('2026-11-16T10:00:00Z')
    const [run] = await get(`/${refused.id}/periods`, form)
    expect(run).toMatchObject({ outcome: 'failed', invoiceId: null, error: { reason: 'invoice.send.no_email' } })
    expect(await made(other.id, form)).toEqual(['2026-11-16 made'])
    expect((await lifeOf(app, own).told(refused.id)).at(-1)).toBe('recurring_schedule.period_failed')
    expect(ok(await post(`/${refused.id}/periods/run`, { day: '2026-11-16' }, form))).toMatchObject({
      outcome: 'failed',
    })
    ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body: { email: 'now@chidi.test' } }))
    expect(ok(await post(`/${refused.id}/periods/run`, { day: '2026-11-16' }, form))).toMatchObject({ outcome: 'made' })
    for (const { id } of [refused, other]) ok(await post(`/${id}/end`, undefined, form))
  },
)

test('two workers at the same time make each period once', async () => {
  await at(start)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft', count: 4 }
  const ids: string[] = []
  for (let nth = 0; nth < 10; nth++) ids.push(ok(await post('', body(rule)), 201).id)
  app.clock.set('2026-12-20T10:00:00Z')
  await Promise.all([sweep(), sweep(), sweep()])
  own = await sessionAgain(app, own, 'sandbox')
  for (const id of ids) {
    expect(await made(id)).toEqual(['2026-12-07', '2026-11-30', '2026-11-23', '2026-11-16'].map((day) => `${day} made`))
    const runs = await get(`/${id}/periods`)
    expect(new Set(runs.map(({ invoiceId }: { invoiceId: string }) => invoiceId)).size).toBe(4)
  }
})

test('the policies `submit`, `send` and `submit_and_send` issue the invoice and hand it on', async () => {
  await at(start)
  own = await reporter(app)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, count: 1 }
  const submitting = ok(await post('', body({ ...rule, policy: 'submit' })), 201)
  const sending = ok(await post('', body({ ...rule, policy: 'send' })), 201)
  const both = ok(await post('', body({ ...rule, policy: 'submit_and_send' })), 201)
  await at('2026-11-16T10:00:00Z')
  const invoiceOf = async (id: string) => {
    const [run] = await get(`/${id}/periods`)
    expect(run).toMatchObject({ outcome: 'made', error: null })
    return await lifeOf(app, own).get(run.invoiceId)
  }
  await eventually(async () => expect((await invoiceOf(submitting.id)).status).toBe('accepted'))
  expect(await invoiceOf(sending.id)).toMatchObject({ status: 'finalised', sentAt: expect.any(String) })
  await sweep()
  expect(await get(`/${submitting.id}/periods`)).toHaveLength(1)
  await eventually(async () =>
    expect(await invoiceOf(both.id)).toMatchObject({ status: 'accepted', sentAt: expect.any(String) }),
  )
  const told = await lifeOf(app, own).told((await invoiceOf(both.id)).id)
  expect(told.filter((type) => type === 'invoice.sent')).toHaveLength(1)
  expect(told.indexOf('invoice.sent')).toBeGreaterThan(told.indexOf('invoice.accepted'))
  expect((await invoiceOf(submitting.id)).sentAt).toBeNull()
})

test('an accepted invoice that cannot be sent keeps the reason with its period', async () => {
  await at(start)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft', count: 1 }
  const { id } = ok(await post('', body(rule)), 201)
  await at('2026-11-16T10:00:00Z')
  const [{ invoiceId }] = await get(`/${id}/periods`)
  // As if the invoice had been taken back between its acceptance and the mail.
  await app.runtime.db.run(sql`update recurring_runs set is_sent_later = true where invoice_id = ${invoiceId}`)
  const send = jobHandlers(app.runtime, app.runner).find(({ job }) => job.name === 'send-accepted-recurring-invoice')
  const { organisationId } = own
  for (const _ of [1, 2]) await send?.handle({ organisationId, mode: 'sandbox', invoiceId }, { number: 1, last: false })
  for (const form of ['A', 'B'] as const) {
    const [run] = await get(`/${id}/periods`, form)
    expect(run).toMatchObject({ outcome: 'made', error: { reason: 'invoice.send.not_finalised' } })
  }
})

test('an organisation with many due schedules does not delay another one', async () => {
  await at(start)
  const other = await issuer(app)
  const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft', count: 1, name: 'Many' }
  const issuers = [own, other].sort((one, next) => (one.organisationId < next.organisationId ? -1 : 1))
  const [many, few] = issuers as [Issuer, Issuer]
  const create = async ({ token, buyerId }: Issuer) =>
    ok(await app.a.post(path, { token, body: body(rule, { buyerId }) }), 201).id as string
  for (let nth = 0; nth < 41; nth++) await create(many)
  const one = await create(few)
  await at('2026-11-16T10:00:00Z')
  // Ids grow with time. The one schedule comes after the first batch of 20, although 41 were due before it.
  const madeBy = async ({ organisationId }: Issuer, wanted: Sql): Promise<string[]> => {
    const rows = await app.runtime.db.rows<{ invoiceId: string }>(sql`
      select invoice_id from recurring_runs r join recurring_schedules s on s.organisation_id = r.organisation_id and s.mode = r.mode and s.id = r.schedule_id
       where r.organisation_id = ${organisationId} and r.day = '2026-11-16' and r.outcome = 'made' and ${wanted}`)
    return rows.map(({ invoiceId }) => invoiceId)
  }
  const ofMany = await madeBy(many, sql`s.name = 'Many'`)
  const [ofFew] = await madeBy(few, sql`s.id = ${one}`)
  const before = ofMany.filter((id) => id < (ofFew as string)).length
  expect({ before, all: ofMany.length }).toEqual({ before: 20, all: 41 })
})

test('texts are in the language of the buyer, and the list says who created a schedule', async () => {
  await at(start)
  const buyerId = await lifeOf(app, own).buyer({ language: 'fr' })
  const rule = { unit: 'quarter_end', dayOfMonth: undefined, policy: 'draft', count: 1 }
  const lineItems = [{ description: 'Loyer {month} {year}, {quarter}', ...line }]
  const { id } = ok(await post('', body(rule, { buyerId, lineItems })), 201)
  const words = 'Loyer octobre 2026, T4'
  const [coming] = await get(`/${id}/preview`)
  expect(coming).toMatchObject({ day: '2026-12-31', from: '2026-10-01', to: '2026-12-31', descriptions: [words] })
  const [newest] = await get('?limit=1', 'B')
  expect(newest).toMatchObject({ id, billing: 'in_arrears', createdBy: { type: 'user', id: own.userId } })
  await at('2026-12-31T10:00:00Z')
  const [run] = await get(`/${id}/periods`)
  const invoice = await lifeOf(app, own).get(run.invoiceId)
  expect(invoice.lineItems[0].description).toBe(words)
  expect(invoice.notes).toBe('For 1 octobre 2026 – 31 décembre 2026.')
})

describe('refusals', () => {
  test('of wrong rules and contents', async () => {
    await at(start)
    for (const wrong of [
      body({ startsOn: '2026-11-14' }),
      body({ until: '2026-11-16' }),
      body({ startsOn: '9999-12-31' }),
      body({ until: '9999-12-31' }),
      body({}, { lineItems: [{ description: 'No price', quantity: 1 }] }),
      body({}, { lineItems: [{ ...line, description: 'x', quantity: '1.23456789' }] }),
    ])
      expectRefusal(await post('', wrong), 'request.invalid')
    const itemId = '0198c0de-0000-7000-8000-000000000000'
    expectRefusal(await post('', body({}, { lineItems: [{ itemId, quantity: 1 }] })), 'invoice.item_unknown')
  })

  test.each(['week', 'month', 'quarter_end', 'year'])('of days that are far away, by %s', async (unit) => {
    await at(start)
    const { id } = ok(await post('', body({ unit, dayOfMonth: undefined })), 201)
    for (const form of ['A', 'B'] as const)
      for (const day of ['9999-12-31', '2999-12-31', '0001-01-01'])
        expectRefusal(await post(`/${id}/skip`, { day }, form), 'request.invalid')
    ok(await post(`/${id}/end`))
  })

  test('another organisation sees nothing, and rights are those of the policy', async () => {
    const { id } = ok(await post('', body()), 201)
    const stranger = await app.person()
    expectRefusal(await app.a.get(`${path}/${id}`, { token: stranger.token }), 'resource.not_found')
    const key = await app.key(own.organisationId, { capabilities: ['invoice.create', 'invoice.read'] })
    const asKey = (sent: object) => app.a.post(path, { token: key, body: sent })
    expectRefusal(await asKey(body()), 'auth.capability_missing')
    ok(await asKey(body({ policy: 'draft' })), 201)
    ok(await post(`/${id}/end`))
    expectRefusal(await post(`/${id}/skip`, { day: '2026-11-30' }), 'recurring_schedule.ended')
  })

  test('a fault of our own is kept as the result of its period', async () => {
    await at(start)
    const rule = { unit: 'week', startsOn: '2026-11-16', dayOfMonth: undefined, policy: 'draft', count: 1 }
    const { id } = ok(await post('', body(rule)), 201)
    const cure = await poison(app, 'invoices', `new.organisation_id = '${own.organisationId}'`)
    await at('2026-11-16T10:00:00Z')
    await cure()
    expect((await get(`/${id}/periods`))[0]).toMatchObject({ outcome: 'failed', error: { reason: 'internal.failure' } })
    expect(ok(await post(`/${id}/periods/run`, { day: '2026-11-16' }))).toMatchObject({ outcome: 'made' })
  })

  test('the list shows schedules by their status', async () => {
    const { id } = ok(await post('', body()), 201)
    for (const form of ['A', 'B'] as const)
      expect((await get('?status=active&limit=1', form)).map((one: { id: string }) => one.id)).toEqual([id])
    ok(await post(`/${id}/end`))
  })

  test('too many schedules', async () => {
    await app.runtime.db.run(sql`
      insert into recurring_schedules (organisation_id, mode, id, name, status, recurrence, catch_up, made_by, next_number, created_at, updated_at)
      select ${own.organisationId}, 'sandbox', gen_random_uuid(), 'x', 'paused', '{}', 'all', '{}', 0, now(), now() from generate_series(1, 20000)`)
    expectRefusal(await post('', body()), 'recurring_schedule.too_many')
  })
})
