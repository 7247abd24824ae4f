import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { sendDueReminders, sweepReminders } from '../../../../test/harness/due-reminders.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok } from '../../../../test/harness/issued.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { demandOn } from './due-part.ts'
import { nextReminder } from './next-reminder.ts'
import {
  coveredSince,
  mostInvoicesOfMail,
  mostListed,
  type ReminderPlan,
  type ReminderPlanId,
} from './reminder-plan.ts'
import { listUpcoming } from './reminders.store.ts'

let app: TestApp
let own: Issuer
let life: Life
/** 10:00 in Lagos */
const start = '2026-11-15T09:00:00Z'
beforeAll(async () => {
  app = await startTestApp({
    now: start,
    settings: { mailLimits: { document: 5, invitations: 100, hourly: 400 } },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(start)
  own = await issuer(app)
  life = lifeOf(app, own)
})

type FormName = 'A' | 'B'
const path = '/i/v1/reminders'
const client = (form: FormName = 'A') => app.client(form)
const put = (to: string, body: object, form?: FormName) => client(form).put(to, { token: own.token, body })
const get = async (to: string, form?: FormName) => ok(await client(form).get(to, { token: own.token }))

/** A plan for three days before, on, and 7 and 14 days after the due date. */
const plan = (more: object = {}) => ({
  on: true,
  hour: 9,
  buyers: 'all',
  steps: [{ days: -3 }, { days: 0 }, { days: 7 }, { days: 14 }],
  ...more,
})
const save = async (more: object = {}, form?: FormName) => ok(await put(`${path}/plan`, plan(more), form))

/** Moves the clock, signs in again and lets the workers send what is due. */
async function at(moment: string): Promise<void> {
  app.clock.set(moment)
  own = await sessionAgain(app, own, 'sandbox')
  life = lifeOf(app, own)
  await sendDueReminders(app)
}
/** 09:30 in Lagos */
const on = (day: string) => at(`${day}T08:30:00Z`)

let buyers = 0
async function newBuyer(more: object = {}): Promise<{ id: string; email: string }> {
  const email = `buyer${++buyers}@chidi.test`
  return { id: await life.buyer({ email, ...more }), email }
}
/** An invoice that is due on 2 December. */
const invoiceTo = (buyerId: string, more: object = {}) => life.issued({ buyerId, ...more })
const sentOf = async (id: string): Promise<string[]> =>
  (await get(`${path}/sent?invoiceId=${id}&limit=100`)).map(
    ({ day, stepDays }: { day: string; stepDays: number | null }) => `${day} ${stepDays ?? 'by hand'}`,
  )
const mailsOf = (email: string, atLeast: number) => app.mailTo(email, atLeast)
const mailsTotal = async (): Promise<number> =>
  (
    await app.runtime.db.one<{ many: number }>(
      sql`select count(*)::int as many from messages where cause like ${`reminder:${own.organisationId}:%`}`,
    )
  ).many

test.each(['A', 'B'] as const)('form %s: each step sends one mail, which ends with the payment', async (form) => {
  expect(await get(`${path}/plan`, form)).toMatchObject({ on: false, version: 0, nextRunAt: null, updatedAt: null })
  const saved = await save({}, form)
  expect(saved).toMatchObject({ on: true, hour: 9, timeZone: 'Africa/Lagos', version: 1 })
  expect(saved.nextRunAt).toBe('2026-11-16T08:00:00.000Z')
  expect(await get(`${path}/plan`, form)).toEqual(saved)
  const buyer = await newBuyer()
  const { id, invoiceNumber } = await invoiceTo(buyer.id)
  expect(await get(`${path}/upcoming`, form)).toMatchObject([
    { invoiceId: id, day: '2026-11-29', stepDays: -3, buyerId: buyer.id, to: buyer.email, dueMinor: 1_451_411 },
  ])
  await on('2026-11-28')
  expect(await sentOf(id)).toEqual([])
  await at('2026-11-29T07:59:00Z')
  expect(await sentOf(id)).toEqual([])
  for (const day of ['2026-11-29', '2026-11-30', '2026-12-02', '2026-12-08', '2026-12-09']) await on(day)
  expect(await sentOf(id)).toEqual(['2026-12-09 7', '2026-12-02 0', '2026-11-29 -3'])
  expect(await get(`${invoicesPath}/${id}/reminders`, form)).toMatchObject({
    heldBack: null,
    next: { day: '2026-12-16', stepDays: 14 },
    sent: [{ stepDays: 7 }, { stepDays: 0 }, { stepDays: -3, kind: 'scheduled', to: buyer.email }],
  })
  ok(await life.pay(id, '14514.11'), 201)
  await on('2026-12-16')
  expect(await sentOf(id)).toHaveLength(3)
  expect(await get(`${invoicesPath}/${id}/reminders`, form)).toMatchObject({ heldBack: 'nothing_due', next: null })
  expect(await get(`${path}/sent?buyerId=${buyer.id}`, form)).toHaveLength(3)
  const mails = await mailsOf(buyer.email, 3)
  expect(mails).toHaveLength(3)
  const [last] = mails
  expect(last?.subject).toBe(`[Test] Reminder: Tax invoice ${invoiceNumber} from Eze Stores`)
  expect(last?.text).toContain('₦14,514.11 was due on 2 December 2026, 7 days ago.')
  expect(last?.text).toMatch(/See the tax invoice online: http:\/\/dashboard\.test\/s\/[\w-]{43}/)
  expect((await life.told(id)).filter((type) => type === 'invoice.reminder_sent')).toHaveLength(3)
  const emails = await get(`/i/v1/buyers/${buyer.id}/emails`, form)
  expect(emails).toMatchObject([{ kind: 'reminder', to: buyer.email }, { kind: 'reminder' }, { kind: 'reminder' }])
})

test('all invoices of a buyer are in one mail, each with its amount and link', async () => {
  await save()
  const buyer = await newBuyer()
  const first = await invoiceTo(buyer.id, { dueDate: '2026-11-25' })
  const second = await invoiceTo(buyer.id)
  const other = await newBuyer()
  await invoiceTo(other.id)
  await on('2026-12-02')
  const [mail, ...more] = await mailsOf(buyer.email, 1)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('[Test] Reminder: 2 unpaid documents from Eze Stores')
  expect(mail?.text).toMatch(
    new RegExp(`${first.invoiceNumber}: ₦14,514.11 was due on 25 November 2026, 7 days ago.\nhttp\\S+/s/[\\w-]{43}`),
  )
  expect(mail?.text).toMatch(
    new RegExp(`${second.invoiceNumber}: ₦14,514.11 is due on 2 December 2026.\nhttp\\S+/s/[\\w-]{43}`),
  )
  expect(mail?.text).toContain('Together: ₦29,028.22.')
  expect(mail?.html.match(/<a href/g)).toHaveLength(2)
  expect(await sentOf(first.id)).toEqual(['2026-12-02 7'])
  expect(await sentOf(second.id)).toEqual(['2026-12-02 0'])
  expect(await mailsOf(other.email, 1)).toHaveLength(1)
})

test('a mail lists the first invoices and counts the others, and all of them are recorded', async () => {
  await save({ steps: [{ days: 1 }] })
  const buyer = await newBuyer()
  const ids: string[] = []
  for (let nth = 0; nth < mostListed + 2; nth++) ids.push((await invoiceTo(buyer.id)).id)
  await on('2026-12-03')
  const [mail] = await mailsOf(buyer.email, 1)
  expect(mail?.text.match(/\/s\//g)).toHaveLength(mostListed)
  expect(mail?.text).toContain('And 2 more: ₦29,028.22.')
  expect(mail?.text).toContain('Together: ₦391,880.97.')
  for (const id of ids) expect(await sentOf(id)).toEqual(['2026-12-03 1'])
  await on('2026-12-04')
  expect(await mailsTotal()).toBe(1)
})

test('after an outage only the latest step is sent, and never at night', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  // Nothing ran since the plan was saved. In Lagos it is half past two in the morning.
  app.clock.set('2026-12-18T01:30:00Z')
  await sweepReminders(app)
  own = await sessionAgain(app, own, 'sandbox')
  expect(await sentOf(id)).toEqual([])
  await on('2026-12-18')
  expect(await sentOf(id)).toEqual(['2026-12-18 14'])
  await on('2026-12-19')
  expect(await sentOf(id)).toEqual(['2026-12-18 14'])
})

test('steps that passed before the plan was switched on are not sent', async () => {
  const buyer = await newBuyer()
  const old = await invoiceTo(buyer.id, { invoiceDate: '2026-10-01', dueDate: '2026-10-20' })
  const late = await invoiceTo(buyer.id, { invoiceDate: '2026-10-01', dueDate: '2026-11-05' })
  await save()
  expect(await get(`${path}/upcoming`)).toMatchObject([{ invoiceId: late.id, day: '2026-11-19', stepDays: 14 }])
  await on('2026-11-19')
  expect(await sentOf(old.id)).toEqual([])
  expect(await sentOf(late.id)).toEqual(['2026-11-19 14'])
  // A new step counts from the day on which it is added. The others keep their days.
  ok(await put(`${path}/plan`, plan({ steps: [{ days: 14 }, { days: 15 }, { days: 29 }] })))
  await on('2026-11-20')
  expect(await sentOf(late.id)).toEqual(['2026-11-20 15', '2026-11-19 14'])
  expect(await sentOf(old.id)).toEqual([])
})

describe('a buyer who is covered later gets no steps of days that have passed', () => {
  const old = { invoiceDate: '2026-10-01', dueDate: '2026-11-16' }
  const coming = async () =>
    (await get(`${path}/upcoming`)).map(({ day, stepDays }: { day: string; stepDays: number }) => `${day} ${stepDays}`)

  test('because the plan covers all buyers', async () => {
    await save({ buyers: 'chosen' })
    const [buyer, chosen] = [await newBuyer(), await newBuyer()]
    const choose = (reminders: string) => put(`/i/v1/buyers/${chosen.id}/reminders`, { reminders })
    ok(await choose('chosen'))
    await invoiceTo(buyer.id, old)
    await at('2026-11-18T07:00:00Z')
    await invoiceTo(chosen.id, { ...old, dueDate: '2026-11-17' })
    await at('2026-11-24T07:00:00Z')
    await save()
    expect(await coming()).toEqual(['2026-11-24 7', '2026-11-30 14'])
    await on('2026-11-24')
    expect(await mailsTotal()).toBe(1)
    expect(await coming()).toEqual(['2026-11-30 14', '2026-12-01 14'])
  })

  test('because the buyer is no longer left out', async () => {
    await save()
    const buyer = await newBuyer()
    ok(await put(`/i/v1/buyers/${buyer.id}/reminders`, { reminders: 'never' }))
    await invoiceTo(buyer.id, old)
    await at('2026-11-24T07:00:00Z')
    ok(await put(`/i/v1/buyers/${buyer.id}/reminders`, { reminders: 'by_plan' }))
    expect(await coming()).toEqual(['2026-11-30 14'])
  })

  test('because the minimum of a step is lower', async () => {
    const steps = (amountMinor: number) => ({
      steps: [{ days: 1, minimumAmounts: [{ currency: 'NGN', amountMinor }] }],
    })
    await save(steps(9_000_000))
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id, old)
    await at('2026-11-24T07:00:00Z')
    await save(steps(8_000_000))
    expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ heldBack: 'no_step_left' })
    await save(steps(1_000))
    await invoiceTo(buyer.id, { dueDate: '2026-11-30' })
    expect(await coming()).toEqual(['2026-12-01 1'])
  })
})

test('a buyer whose address was removed gets no reminder, whatever the document says', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  ok(await app.a.patch(`/i/v1/buyers/${buyer.id}`, { token: own.token, body: { email: null } }))
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ heldBack: 'no_email' })
  expect(await get(`${path}/upcoming`)).toEqual([])
  expectRefusal(await life.act(id, 'remind'), 'invoice.send.no_email')
  await on('2026-12-02')
  expect(await sentOf(id)).toEqual([])
})

test('a reminder by hand is possible on every day, and the plan sends nothing on the same day', async () => {
  await save()
  const buyer = await newBuyer()
  const first = await invoiceTo(buyer.id)
  const second = await invoiceTo(buyer.id)
  app.clock.set('2026-12-02T07:30:00Z')
  own = await sessionAgain(app, own, 'sandbox')
  life = lifeOf(app, own)
  ok(await life.act(first.id, 'remind'))
  ok(await life.act(first.id, 'remind'))
  expect(await get(`${path}/upcoming`)).toMatchObject([
    { invoiceId: second.id, day: '2026-12-03', stepDays: 0 },
    { invoiceId: first.id, day: '2026-12-09', stepDays: 7 },
  ])
  await on('2026-12-02')
  expect(await sentOf(first.id)).toEqual(['2026-12-02 by hand', '2026-12-02 by hand'])
  expect(await sentOf(second.id)).toEqual([])
  await on('2026-12-03')
  // The reminder by hand stands for the step of the first invoice.
  expect(await sentOf(first.id)).toHaveLength(2)
  expect(await sentOf(second.id)).toEqual(['2026-12-03 0'])
  ok(await life.act(first.id, 'remind'))
  expect((await life.told(first.id)).filter((type) => type === 'invoice.sent')).toHaveLength(3)
})

describe('never to', () => {
  test.each(['A', 'B'] as const)('form %s: a disputed invoice, until the dispute is resolved', async (form) => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    const to = `${invoicesPath}/${id}/dispute`
    expectRefusal(await client(form).delete(to, { token: own.token }), 'invoice.dispute.none')
    expect(ok(await put(to, { reason: 'Torn bags' }, form))).toMatchObject({
      dispute: { reason: 'Torn bags', disputedAt: '2026-11-15T09:00:00.000Z' },
      heldBack: 'disputed',
      next: null,
    })
    expect(await get(`${path}/upcoming`, form)).toEqual([])
    const byHand = await client(form).post(`${invoicesPath}/${id}/remind`, { token: own.token })
    expectRefusal(byHand, 'invoice.remind.held_back')
    await on('2026-12-02')
    ok(await put(to, { reason: 'Three torn bags' }, form))
    expect(await sentOf(id)).toEqual([])
    expect(ok(await client(form).delete(to, { token: own.token }))).toMatchObject({
      dispute: null,
      next: { day: '2026-12-03', stepDays: 0 },
    })
    await on('2026-12-03')
    expect(await sentOf(id)).toEqual(['2026-12-03 0'])
    expect(await life.told(id)).toEqual([
      'invoice.created',
      'invoice.finalised',
      'invoice.disputed',
      'invoice.disputed',
      'invoice.dispute_resolved',
      'invoice.reminder_sent',
    ])
  })

  test.each(['A', 'B'] as const)('form %s: a promise to pay, until its day has passed', async (form) => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    const to = `${invoicesPath}/${id}/payment-promise`
    expectRefusal(await client(form).delete(to, { token: own.token }), 'invoice.promise.none')
    for (const day of ['2026-11-14', '2027-11-16']) expectRefusal(await put(to, { day }, form), 'request.invalid')
    ok(await put(to, { day: '2026-12-01', remark: 'By cheque' }, form))
    expect(ok(await put(to, { day: '2026-12-05' }, form))).toMatchObject({
      promise: { day: '2026-12-05', remark: null },
      heldBack: 'promised',
      next: { day: '2026-12-06', stepDays: 0 },
    })
    for (const day of ['2026-11-29', '2026-12-02', '2026-12-05']) await on(day)
    expectRefusal(await life.act(id, 'remind'), 'invoice.remind.held_back')
    expect(await sentOf(id)).toEqual([])
    await on('2026-12-06')
    expect(await sentOf(id)).toEqual(['2026-12-06 0'])
    ok(await put(to, { day: '2026-12-09', remark: 'Again' }, form))
    expect(ok(await client(form).delete(to, { token: own.token }))).toMatchObject({ promise: null, heldBack: null })
    await on('2026-12-09')
    expect(await sentOf(id)).toEqual(['2026-12-09 7', '2026-12-06 0'])
    expect((await life.told(id)).slice(2)).toEqual([
      'invoice.payment_promised',
      'invoice.payment_promised',
      'invoice.reminder_sent',
      'invoice.payment_promised',
      'invoice.payment_promise_withdrawn',
      'invoice.reminder_sent',
    ])
  })

  test.each(['A', 'B'] as const)('form %s: buyers who opted out, or were not chosen', async (form) => {
    await save({}, form)
    const [never, chosen, other] = [await newBuyer(), await newBuyer(), await newBuyer()]
    const choose = (buyer: { id: string }, reminders: string) =>
      put(`/i/v1/buyers/${buyer.id}/reminders`, { reminders }, form)
    expect(ok(await choose(never, 'never'))).toEqual({ reminders: 'never' })
    expect(ok(await choose(never, 'never'))).toEqual({ reminders: 'never' })
    expect(ok(await choose(chosen, 'chosen'))).toEqual({ reminders: 'chosen' })
    expect(await get(`/i/v1/buyers/${never.id}/reminders`, form)).toEqual({ reminders: 'never' })
    expect(await get(`/i/v1/buyers/${other.id}/reminders`, form)).toEqual({ reminders: 'by_plan' })
    const ids: string[] = []
    for (const { id } of [never, chosen, other]) ids.push((await invoiceTo(id)).id)
    expectRefusal(await life.act(ids[0] as string, 'remind'), 'invoice.remind.held_back')
    await on('2026-11-29')
    const many = async () => await Promise.all(ids.map(async (id) => (await sentOf(id)).length))
    expect(await many()).toEqual([0, 1, 1])
    await save({ buyers: 'chosen' }, form)
    await on('2026-12-02')
    expect(await many()).toEqual([0, 2, 1])
    expect(await get(`${invoicesPath}/${ids[2]}/reminders`, form)).toMatchObject({ heldBack: 'buyer_not_chosen' })
    expect(ok(await choose(never, 'by_plan'))).toEqual({ reminders: 'by_plan' })
    await save({}, form)
    await on('2026-12-03')
    expect(await many()).toEqual([1, 2, 2])
    expect(await life.told(never.id)).toEqual(['buyer.created', 'buyer.reminders_changed', 'buyer.reminders_changed'])
  })

  test('buyers without an email address, drafts, credit notes, cancelled and rejected documents, small amounts', async () => {
    await save({ steps: [{ days: 0, minimumAmounts: [{ currency: 'NGN', amountMinor: 1_451_411 }] }] })
    const silent = await life.buyer({ email: null })
    const buyer = await newBuyer()
    const ids = [
      (await invoiceTo(silent)).id,
      (await life.draft({ buyerId: buyer.id })).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id, { dueDate: undefined })).id,
    ]
    const [, , cancelled, rejected, cancelling, small] = ids as [string, string, string, string, string, string]
    await life.become(cancelled, 'cancelled')
    await life.become(rejected, 'rejected')
    await life.become(cancelling, 'cancellation_pending')
    ok(await life.pay(small, '0.01'), 201)
    const credited = await invoiceTo(buyer.id)
    const note = ok(await life.credit(credited.id, {}), 201)
    ok(await life.act(note.id, 'finalise'))
    ids.push(credited.id, note.id)
    expect(await get(`${path}/upcoming`)).toEqual([])
    await on('2026-12-02')
    await on('2026-12-03')
    for (const id of ids) expect(await sentOf(id)).toEqual([])
    expect(await mailsTotal()).toBe(0)
    const reasons = await Promise.all(ids.map(async (id) => (await get(`${invoicesPath}/${id}/reminders`)).heldBack))
    expect(reasons).toEqual([
      'no_email',
      'not_issued',
      'not_owed',
      'not_owed',
      'not_owed',
      'below_minimum',
      'no_due_date',
      'nothing_due',
      'nothing_due',
    ])
  })

  test('a buyer whose money is here but not applied', async () => {
    await save()
    const [rich, poor] = [await newBuyer(), await newBuyer()]
    const ids: string[] = []
    for (const { id } of [rich, poor]) ids.push((await invoiceTo(id)).id)
    const account = newId()
    await app.owner.run(sql`alter table received_payments disable trigger all`)
    for (const [buyer, minor] of [
      [rich, 1_451_411],
      [poor, 1_451_410],
    ] as const)
      await app.owner.run(sql`
        insert into received_payments (organisation_id, mode, id, account_id, provider, provider_reference, buyer_id, currency, amount_minor, unmatched_minor, received_at, recorded_at)
        values (${own.organisationId}, 'sandbox', ${newId()}, ${account}, 'test', ${buyer.id}, ${buyer.id}, 'NGN', ${minor}, ${minor}, now(), now())`)
    await app.owner.run(sql`alter table received_payments enable trigger all`)
    // The money covers the invoice that was due first, and no other one.
    const second = await invoiceTo(rich.id, { dueDate: '2026-12-03' })
    expect(await get(`${invoicesPath}/${ids[0]}/reminders`)).toMatchObject({ heldBack: 'covered', next: null })
    expect(await get(`${invoicesPath}/${second.id}/reminders`)).toMatchObject({
      heldBack: null,
      next: { day: '2026-11-30' },
    })
    expect((await get(`${path}/upcoming`)).map((one: { invoiceId: string }) => one.invoiceId)).toEqual([
      ids[1],
      second.id,
    ])
    await on('2026-12-02')
    expect(await sentOf(ids[0] as string)).toEqual([])
    expect(await sentOf(ids[1] as string)).toEqual(['2026-12-02 0'])
    expect(await sentOf(second.id)).toEqual(['2026-12-02 -3'])
  })
})

describe('words', () => {
  const template = {
    language: null,
    subject: '{number}: {amount due}',
    body: 'Hello {buyer},\n\n{amount due} is {days_overdue} days late since {due date}.\n{link}\nThank you. {seller}',
  }

  test('a template of the plan, and one for a language', async () => {
    const french = { language: 'fr', subject: 'Rappel {number}', body: 'Bonjour {buyer}' }
    await save({ steps: [{ days: 0 }, { days: 7, templates: [template, french] }] })
    const one = await newBuyer()
    const other = await newBuyer({ language: 'fr' })
    const third = await newBuyer({ language: 'yo' })
    const { invoiceNumber } = await invoiceTo(one.id)
    await invoiceTo(other.id)
    await invoiceTo(third.id)
    await on('2026-12-09')
    const [mail] = await mailsOf(one.email, 1)
    expect(mail?.subject).toBe(`[Test] ${invoiceNumber}: ₦14,514.11`)
    expect(mail?.text.split('\n\n').slice(1, 5)).toEqual([
      'Hello Chidi Stores Limited,',
      '₦14,514.11 is 7 days late since 2 December 2026.',
      expect.stringMatching(
        /^Tax invoice INV\d+: ₦14,514.11 was due on 2 December 2026, 7 days ago.\nhttp:\/\/dashboard.test\/s\/[\w-]{43}$/,
      ),
      'Thank you. Eze Stores',
    ])
    expect((await mailsOf(other.email, 1))[0]?.subject).toMatch(/^\[Essai\] Rappel INV/)
    expect((await mailsOf(third.email, 1))[0]?.subject).toMatch(/^\[Ìdánwò\] INV/)
  })

  test('the standard words are in the language of the buyer', async () => {
    await save()
    const buyer = await newBuyer({ language: 'fr' })
    await invoiceTo(buyer.id)
    await invoiceTo(buyer.id)
    await on('2026-12-02')
    const [mail] = await mailsOf(buyer.email, 1)
    expect(mail?.subject).toBe('[Essai] Rappel : 2 documents impayés de Eze Stores')
    expect(mail?.text).toContain('Bonjour Chidi Stores Limited,')
  })

  test.each(['A', 'B'] as const)('form %s: a preview shows the mail and sends nothing', async (form) => {
    const preview = (body: object) => client(form).post(`${path}/preview`, { token: own.token, body })
    const { subject, body } = template
    const sample = ok(await preview({ subject, body, days: 14 }))
    expect(sample.subject).toBe('[Test] INV000042: ₦125,000.00')
    expect(sample.text).toContain('₦125,000.00 is 14 days late since 1 November 2026.')
    expect(sample.html).toContain('<a href="http://dashboard.test/s/preview"')
    expect(ok(await preview({ language: 'pt' })).subject).toMatch(/^\[Teste\] Lembrete: /)
    const buyer = await newBuyer({ language: 'fr' })
    const { id, invoiceNumber } = await invoiceTo(buyer.id)
    expect(ok(await preview({ subject, body, invoiceIds: [id] }))).toMatchObject({
      language: 'fr',
      subject: expect.stringContaining(invoiceNumber),
    })
    expectRefusal(await preview({ subject }), 'request.invalid')
    expectRefusal(await preview({ subject: '{name}', body }), 'request.invalid')
    expectRefusal(await preview({ invoiceIds: [newId()] }), 'resource.not_found')
    expect(await mailsTotal()).toBe(0)
  })
})

test('another hour on the same day reminds nobody twice', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  await on('2026-12-02')
  expect((await save({ hour: 15 })).nextRunAt).toBe('2026-12-02T14:00:00.000Z')
  await at('2026-12-02T14:30:00Z')
  expect(await sentOf(id)).toEqual(['2026-12-02 0'])
  expect((await save({ hour: 8 })).nextRunAt).toBe('2026-12-03T07:00:00.000Z')
  await at('2026-12-02T22:30:00Z')
  await at('2026-12-03T07:30:00Z')
  expect(await sentOf(id)).toHaveLength(1)
  await at('2026-12-09T07:30:00Z')
  expect(await sentOf(id)).toEqual(['2026-12-09 7', '2026-12-02 0'])
})

test('a buyer who pays between the choice and the mail is not reminded', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  app.clock.set('2026-12-02T08:30:00Z')
  own = await sessionAgain(app, own, 'sandbox')
  const { db } = app.runtime
  const { run } = await db.transaction(async (tx) => {
    await tx.run(sql`update invoices set paid_minor = payable_minor where id = ${id}`)
    const run = sendDueReminders(app)
    const isWaiting = async () =>
      expect(
        await db.maybe(sql`
          select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%from invoices%for %' limit 1`),
      ).toBeDefined()
    await vi.waitFor(isWaiting, { timeout: 20_000 })
    return { run }
  })
  await run
  expect(await sentOf(id)).toEqual([])
  expect(await mailsTotal()).toBe(0)
})

test('the total of a mail names each currency', async () => {
  await save()
  const buyer = await newBuyer()
  await invoiceTo(buyer.id)
  await invoiceTo(buyer.id, { currency: 'USD' })
  await on('2026-12-02')
  const [mail] = await mailsOf(buyer.email, 1)
  expect(mail?.text).toMatch(/Together: (₦14,514\.11, \S*14,514\.11|\S*14,514\.11, ₦14,514\.11)\./)
})

test('a buyer with more invoices than one mail takes is reminded of the others on the next day', async () => {
  await save({ steps: [{ days: 0 }] })
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  await app.runtime.db.run(sql`
    insert into invoices
    select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', i.number || '-' || n))).*
      from invoices i cross join generate_series(1, ${mostInvoicesOfMail + 2}::int) as n where i.id = ${id}`)
  const many = async () =>
    (
      await app.runtime.db.rows<{ many: number }>(sql`
        select count(distinct invoice_id)::int as many from sent_reminders where buyer_id = ${buyer.id} group by day order by day`)
    ).map(({ many }) => many)
  await on('2026-12-02')
  expect(await many()).toEqual([mostInvoicesOfMail])
  await on('2026-12-03')
  expect(await many()).toEqual([mostInvoicesOfMail, 3])
  await on('2026-12-04')
  expect(await mailsTotal()).toBe(2)
})

test('hostile words stay words: in templates, and in the names that they are filled with', async () => {
  const hostile = '{link} <img src=x onerror=alert(1)> {buyer}'
  const words = {
    language: null,
    subject: '{buyer} {seller}',
    body: 'Dear {buyer},\n<script>alert(1)</script>\n{link}',
  }
  await save({ steps: [{ days: 0, templates: [words] }] })
  const buyer = await newBuyer({ name: hostile })
  await invoiceTo(buyer.id)
  await on('2026-12-02')
  const [mail] = await mailsOf(buyer.email, 1)
  expect(mail?.subject).toBe(`[Test] ${hostile} Eze Stores`)
  expect(mail?.text).toContain(`Dear ${hostile},`)
  expect(mail?.html).not.toMatch(/<script|<img/)
  expect(mail?.html.match(/<a href/g)).toHaveLength(1)
  const header = { ...words, subject: 'Reminder\r\nBcc: everybody@chidi.test' }
  expectRefusal(await put(`${path}/plan`, plan({ steps: [{ days: 0, templates: [header] }] })), 'request.invalid')
})

describe('refusals', () => {
  test('of wrong plans list every fault', async () => {
    const words = { subject: 'x', body: 'x' }
    const steps = [
      { days: 1 },
      {
        days: 1,
        minimumAmounts: [
          { currency: 'NGN', amountMinor: 1 },
          { currency: 'NGN', amountMinor: 2 },
        ],
      },
      {
        days: 2,
        templates: [
          { language: 'fr', ...words },
          { language: 'fr', subject: '{price}', body: 'Dear {name}' },
        ],
      },
    ]
    const refused = await put(`${path}/plan`, plan({ steps }))
    expectRefusal(refused, 'request.invalid')
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'steps[1].days',
      'steps[1].minimumAmounts[1].currency',
      'steps[2].templates[1].language',
      'steps[2].templates[1].subject',
      'steps[2].templates[1].body',
    ])
    for (const wrong of [
      { steps: [] },
      { steps: Array.from({ length: 11 }, (_, days) => ({ days })) },
      { hour: 24 },
      { steps: [{ days: 366 }] },
      { steps: [{ days: 1, templates: [{ language: null, subject: 'x', body: 'See https://pay.example' }] }] },
      { steps: [{ days: 1, templates: [{ language: null, subject: 'x', body: 'x'.repeat(4_001) }] }] },
    ])
      expectRefusal(await put(`${path}/plan`, plan(wrong)), 'request.invalid')
    expect(await save({ on: false, steps: [] })).toMatchObject({ on: false, nextRunAt: null, version: 1 })
    expect(await save({ version: 1 })).toMatchObject({ version: 2 })
    expectRefusal(await put(`${path}/plan`, plan({ version: 1 })), 'version.stale')
    const told = (
      await app.runtime.db.rows<{ type: string }>(sql`
      select type from events where organisation_id = ${own.organisationId} and type like 'reminder%'`)
    ).length
    expect(told).toBe(2)
  })

  test('of disputes and promises of documents that are not owed', async () => {
    const buyer = await newBuyer()
    const draft = await life.draft({ buyerId: buyer.id })
    expectRefusal(await put(`${invoicesPath}/${draft.id}/dispute`, { reason: 'x' }), 'invoice.dispute.not_issued')
    const promise = { day: '2026-11-20' }
    expectRefusal(await put(`${invoicesPath}/${draft.id}/payment-promise`, promise), 'invoice.promise.nothing_due')
    const { id } = await invoiceTo(buyer.id)
    ok(await life.pay(id, '14514.11'), 201)
    expectRefusal(await put(`${invoicesPath}/${id}/payment-promise`, promise), 'invoice.promise.nothing_due')
    ok(await put(`${invoicesPath}/${id}/dispute`, { reason: 'Paid, but torn' }))
  })

  test('another organisation sees nothing, and a key needs the permissions', async () => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    const stranger = await app.person()
    for (const to of [`${invoicesPath}/${id}/reminders`, `/i/v1/buyers/${buyer.id}/reminders`])
      expectRefusal(await app.a.get(to, { token: stranger.token }), 'resource.not_found')
    expect(ok(await app.a.get(`${path}/plan`, { token: stranger.token })).version).toBe(0)
    const key = await app.key(own.organisationId, { capabilities: ['invoice.read', 'buyer.read'] })
    expectRefusal(await app.a.put(`${path}/plan`, { token: key, body: plan() }), 'auth.capability_missing')
    expect(ok(await app.a.get(`${path}/upcoming`, { token: key }))).toHaveLength(1)
  })
})

test('two workers at the same time, and a reminder by hand meanwhile, remind each buyer once', async () => {
  await save()
  const found: { id: string; email: string; invoices: string[] }[] = []
  for (let nth = 0; nth < 8; nth++) {
    const buyer = await newBuyer()
    found.push({ ...buyer, invoices: [(await invoiceTo(buyer.id)).id, (await invoiceTo(buyer.id)).id] })
  }
  app.clock.set('2026-12-02T08:30:00Z')
  own = await sessionAgain(app, own, 'sandbox')
  life = lifeOf(app, own)
  const byHand = found.slice(0, 3).map(({ invoices }) => life.act(invoices[0] as string, 'remind'))
  await Promise.all([sweepReminders(app), sweepReminders(app), sweepReminders(app), ...byHand])
  await sendDueReminders(app)
  for (const { id, invoices } of found) {
    const { scheduled, mails } = await app.runtime.db.one<{ scheduled: number; mails: number }>(sql`
      select (select count(*)::int from sent_reminders where buyer_id = ${id} and step_days is not null) as scheduled,
             (select count(*)::int from messages where cause like ${`reminder:%:${id}:%`}) as mails`)
    expect([0, invoices.length]).toContain(scheduled)
    expect(mails).toBe(scheduled === 0 ? 0 : 1)
  }
  expect(await mailsTotal()).toBeGreaterThanOrEqual(5)
})

test('a reminder that fails does not stop the others, and is sent once it can be', async () => {
  await save()
  const [bad, good] = [await newBuyer(), await newBuyer()]
  const ids = [(await invoiceTo(bad.id)).id, (await invoiceTo(good.id)).id] as const
  const cure = await poison(app, 'sent_reminders', `new.buyer_id = '${bad.id}'`)
  app.clock.set('2026-12-02T08:30:00Z')
  own = await sessionAgain(app, own, 'sandbox')
  await sweepReminders(app)
  expect(await sentOf(ids[1])).toEqual(['2026-12-02 0'])
  expect(await sentOf(ids[0])).toEqual([])
  await cure()
  await at('2026-12-02T08:45:00Z')
  expect(await sentOf(ids[0])).toEqual(['2026-12-02 0'])
  expect(await sentOf(ids[1])).toHaveLength(1)
})

test('the hourly limit of mails delays reminders and loses none', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  const hour = new Date('2026-12-02T09:00:00Z')
  await app.runtime.db.run(sql`
    insert into rate_windows (subject, window_end, used) values (${`mails:${own.organisationId} 3600`}, ${hour}, 400)`)
  app.clock.set('2026-12-02T08:30:00Z')
  await sweepReminders(app)
  own = await sessionAgain(app, own, 'sandbox')
  expect(await sentOf(id)).toEqual([])
  await at('2026-12-02T09:31:00Z')
  expect(await sentOf(id)).toEqual(['2026-12-02 0'])
})

test('an organisation with many reminders does not delay another one', async () => {
  const other = own
  await save({ steps: [{ days: 0 }] })
  await invoiceTo((await newBuyer()).id)
  own = await issuer(app)
  life = lifeOf(app, own)
  await save({ steps: [{ days: 0 }] })
  for (let nth = 0; nth < 41; nth++) await invoiceTo((await newBuyer()).id)
  const many = own.organisationId
  await on('2026-12-02')
  // Ids grow with time. The other reminder comes at the latest after the first batch of 20.
  const { before, all } = await app.runtime.db.one<{ before: number; all: number }>(sql`
    select count(*)::int as all,
           count(*) filter (where id < (select id from sent_reminders where organisation_id = ${other.organisationId}))::int as before
      from sent_reminders where organisation_id = ${many}`)
  expect(all).toBe(41)
  expect(before).toBeLessThanOrEqual(20)
})

test('the list of what comes next agrees with the rule', async () => {
  await save()
  const zone = 'Africa/Lagos'
  const buyer = await newBuyer()
  const invoices: { id: string; parts: { dueDate: string; dueMinor: bigint }[] }[] = []
  for (const [days, paid] of [
    [10, 0],
    [20, 5_000],
    [40, 0],
    [25, 14_000],
  ] as const) {
    const dueDate = dayAfter('2026-11-05', days)
    const { id } = await invoiceTo(buyer.id, { dueDate })
    if (paid > 0) ok(await life.pay(id, paid), 201)
    invoices.push({ id, parts: [{ dueDate, dueMinor: 1_451_411n - BigInt(paid) * 100n }] })
  }
  // 5,805.64 is due on the first day, and 8,708.47 on the second one.
  const instalments = [
    { dueDate: '2026-11-20', percent: 40 },
    { dueDate: '2026-12-05', percent: 60 },
  ]
  const parted = await invoiceTo(buyer.id, { dueDate: undefined, instalments })
  const parts = [
    { dueDate: '2026-11-20', dueMinor: 580_564n },
    { dueDate: '2026-12-05', dueMinor: 870_847n },
  ]
  invoices.push({ id: parted.id, parts })
  const tenant = { organisationId: own.organisationId, mode: 'sandbox' } as const
  const day = fc.integer({ min: 0, max: 60 }).map((days) => dayAfter('2026-11-10', days))
  const step = fc.record({
    days: fc.integer({ min: -20, max: 30 }),
    since: day,
    minimums: fc.array(
      fc.record({ currency: fc.constant('NGN'), amountMinor: fc.bigInt({ min: 0n, max: 1_500_000n }) }),
      { maxLength: 1 },
    ),
    templates: fc.constant([]),
  })
  const steps = fc.uniqueArray(step, { minLength: 1, maxLength: 6, selector: ({ days }) => days })
  await fc.assert(
    fc.asyncProperty(
      steps,
      day,
      fc.option(day),
      fc.option(day),
      fc.boolean(),
      fc.option(day),
      fc.record({ choice: fc.constantFrom('by_plan' as const, 'chosen' as const), since: fc.option(day) }),
      async (rule, run, last, promise, isTaken, everyoneSince, setting) => {
        const { db } = app.runtime
        for (const table of ['reminder_days', 'sent_reminders', 'reminder_holds', 'reminder_buyers'])
          await app.owner.run({
            text: `delete from ${table} where organisation_id = $1`,
            values: [own.organisationId],
            name: undefined,
          })
        for (const { id } of invoices) {
          if (last)
            await db.run(sql`
            insert into sent_reminders (organisation_id, mode, id, invoice_id, invoice_number, day, recipient, due_minor, currency, sent_at)
            values (${own.organisationId}, 'sandbox', ${newId()}, ${id}, 'x', ${last}, 'x', 1, 'NGN', now())`)
          if (promise)
            await db.run(sql`
            insert into reminder_holds (organisation_id, mode, invoice_id, promised_on, promised_at) values (${own.organisationId}, 'sandbox', ${id}, ${promise}, now())`)
        }
        await db.run(sql`
          insert into reminder_buyers (organisation_id, mode, buyer_id, choice, since, updated_at)
          values (${own.organisationId}, 'sandbox', ${buyer.id}, ${setting.choice}, ${setting.since}, now())`)
        if (isTaken)
          await db.run(
            sql`insert into reminder_days (organisation_id, mode, buyer_id, day) values (${own.organisationId}, 'sandbox', ${buyer.id}, ${run})`,
          )
        const whole: ReminderPlan = {
          id: newId() as ReminderPlanId,
          isOn: true,
          hour: 9,
          buyers: 'all',
          everyoneSince,
          steps: rule,
          nextAt: null,
          version: 1,
          createdAt: new Date(),
          updatedAt: new Date(),
        }
        const listed = await listUpcoming(db, tenant, { plan: whole, day: run, zone }, { page: 1, limit: 100 })
        const expected = invoices.flatMap(({ id, parts }) => {
          const next = nextReminder(
            rule,
            {
              parts,
              currency: 'NGN',
              issuedOn: businessDay(new Date(start), zone),
              lastRemindedOn: last,
              promisedOn: promise,
              coveredSince: coveredSince(whole, setting),
            },
            isTaken ? dayAfter(run) : run,
          )
          return next ? [`${id} ${next.day} ${next.step.days} ${demandOn(parts, next.day)}`] : []
        })
        expect(
          listed.rows.map((row) => `${row.invoiceId} ${row.day} ${row.stepDays} ${row.dueMinor}`).toSorted(),
        ).toEqual(expected.toSorted())
        expect(listed.rows.map((row) => row.day)).toEqual(listed.rows.map((row) => row.day).toSorted())
      },
    ),
    { numRuns: 60 },
  )
})

test('each unpaid instalment has the steps of its own due date', async () => {
  await save()
  const buyer = await newBuyer()
  const instalments = [
    { dueDate: '2026-12-02', percent: 40 },
    { dueDate: '2027-01-02', percent: 60 },
  ]
  const { id } = await invoiceTo(buyer.id, { dueDate: undefined, instalments })
  expect(await get(`${path}/upcoming`)).toMatchObject([{ day: '2026-11-29', dueMinor: 580_564, dueDate: '2026-12-02' }])
  await on('2026-12-02')
  const [mail] = await mailsOf(buyer.email, 1)
  expect(mail?.text).toContain('₦5,805.64 is due on 2 December 2026.')
  ok(await life.pay(id, '5805.64', { paidOn: '2026-12-02' }), 201)
  await on('2026-12-09')
  expect(await sentOf(id)).toEqual(['2026-12-02 0'])
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ next: { day: '2026-12-30', stepDays: -3 } })
  await on('2026-12-30')
  expect(await get(`${path}/sent?invoiceId=${id}`)).toMatchObject([
    { day: '2026-12-30', stepDays: -3, dueMinor: 870_847, dueDate: '2027-01-02' },
    { day: '2026-12-02' },
  ])
})

test('an instalment that stays unpaid past its last step does not silence the next ones', async () => {
  await save({ steps: [{ days: 7, minimumAmounts: [{ currency: 'NGN', amountMinor: 1_000_000 }] }, { days: 14 }] })
  const buyer = await newBuyer()
  const instalments = [
    { dueDate: '2026-12-02', percent: 40 },
    { dueDate: '2027-01-02', percent: 60 },
  ]
  const { id } = await invoiceTo(buyer.id, { dueDate: undefined, instalments })
  for (const day of ['2026-12-09', '2026-12-16', '2026-12-17']) await on(day)
  expect(await sentOf(id)).toEqual(['2026-12-16 14'])
  // Together, the two overdue parts are more than the minimum.
  expect(await get(`${path}/upcoming`)).toMatchObject([
    { day: '2027-01-09', stepDays: 7, dueMinor: 1_451_411, dueDate: '2026-12-02' },
  ])
  await on('2027-01-09')
  const mails = await mailsOf(buyer.email, 2)
  expect(mails.some(({ text }) => text.includes('₦14,514.11 was due'))).toBe(true)
  expect(await sentOf(id)).toEqual(['2027-01-09 7', '2026-12-16 14'])
})

test('a sandbox that is moved forward sends each reminder on its day', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  const to = '/n/v1/test-clock/moves'
  const moved = ok(await app.a.post(to, { token: own.token, body: { by: { days: 30 } } }), 202)
  await eventually(async () =>
    expect(ok(await app.a.get(`${to}/${moved.id}`, { token: own.token })).status).toBe('ready'),
  )
  expect(await sentOf(id)).toEqual(['2026-12-09 7', '2026-12-02 0', '2026-11-29 -3'])
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ next: { day: '2026-12-16', stepDays: 14 } })
})

test('a year in one move: more reminders to one buyer than mails of one document on a real day, and none twice', async () => {
  await save({ steps: Array.from({ length: 8 }, (_, nth) => ({ days: nth * 7 })) })
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  const bad = await newBuyer()
  await invoiceTo(bad.id)
  const cure = await poison(app, 'sent_reminders', `new.buyer_id = '${bad.id}'`)
  const to = '/n/v1/test-clock/moves'
  const { id: moveId } = ok(await app.a.post(to, { token: own.token, body: { by: { days: 100 } } }), 202)
  await eventually(async () =>
    expect(ok(await app.a.get(`${to}/${moveId}`, { token: own.token })).status).toBe('ready'),
  )
  const days = Array.from({ length: 8 }, (_, nth) => `${dayAfter('2026-12-02', nth * 7)} ${nth * 7}`)
  expect(await sentOf(id)).toEqual(days.toReversed())
  expect(await mailsOf(buyer.email, 8)).toHaveLength(8)
  // A buyer who fails is tried again at the next run, not every ten minutes of a sandbox whose days pass in a moment.
  expect(ok(await app.a.get(`${to}/${moveId}`, { token: own.token })).steps).toBeLessThan(110)
  await cure()
})

test('switching the plan off stops a run', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  await save({ on: false })
  await on('2026-12-02')
  expect(await sentOf(id)).toEqual([])
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ heldBack: 'plan_off', next: null })
  await eventually(async () => expect(await mailsTotal()).toBe(0))
})
