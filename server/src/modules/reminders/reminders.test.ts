import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { sweepReminders } from '../../../../test/harness/due-reminders.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { invoicesPath, ok } from '../../../../test/harness/issued.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { plan, remindersPath, startReminding } from '../../../../test/harness/reminding.ts'
import { dayAfter } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { mostInvoicesOfMail, mostListed } from './reminder-plan.ts'

const reminding = startReminding()
const { at, client, get, invoiceTo, mailsOf, mailsTotal, newBuyer, on, put, save, sentOf } = reminding

test.each(['A', 'B'] as const)('form %s: each step sends one mail, which ends with the payment', async (form) => {
  expect(await get(`${remindersPath}/plan`, form)).toMatchObject({
    on: false,
    version: 0,
    nextRunAt: null,
    updatedAt: null,
  })
  const saved = await save({}, form)
  expect(saved).toMatchObject({ on: true, hour: 9, timeZone: 'Africa/Lagos', version: 1 })
  expect(saved.nextRunAt).toBe('2026-11-16T08:00:00.000Z')
  expect(await get(`${remindersPath}/plan`, form)).toEqual(saved)
  const buyer = await newBuyer()
  const { id, invoiceNumber } = await invoiceTo(buyer.id)
  expect(await get(`${remindersPath}/upcoming`, form)).toMatchObject([
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
  ok(await reminding.life.pay(id, '14514.11'), 201)
  await on('2026-12-16')
  expect(await sentOf(id)).toHaveLength(3)
  expect(await get(`${invoicesPath}/${id}/reminders`, form)).toMatchObject({ heldBack: 'nothing_due', next: null })
  expect(await get(`${remindersPath}/sent?buyerId=${buyer.id}`, form)).toHaveLength(3)
  const mails = await mailsOf(buyer.email, 3)
  expect(mails).toHaveLength(3)
  const [last] = mails
  expect(last?.subject).toBe(`[Test] Reminder: Tax invoice ${invoiceNumber} from Eze Stores`)
  expect(last?.text).toContain('₦14,514.11 was due on 2 December 2026, 7 days ago.')
  expect(last?.text).toMatch(/See the tax invoice online: http:\/\/dashboard\.test\/s\/[\w-]{43}/)
  expect((await reminding.life.told(id)).filter((type) => type === 'invoice.reminder_sent')).toHaveLength(3)
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
  reminding.app.clock.set('2026-12-18T01:30:00Z')
  await sweepReminders(reminding.app)
  await reminding.signInAgain()
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
  expect(await get(`${remindersPath}/upcoming`)).toMatchObject([
    { invoiceId: late.id, day: '2026-11-19', stepDays: 14 },
  ])
  await on('2026-11-19')
  expect(await sentOf(old.id)).toEqual([])
  expect(await sentOf(late.id)).toEqual(['2026-11-19 14'])
  // A new step counts from the day on which it is added. The others keep their days.
  ok(await put(`${remindersPath}/plan`, plan({ steps: [{ days: 14 }, { days: 15 }, { days: 29 }] })))
  await on('2026-11-20')
  expect(await sentOf(late.id)).toEqual(['2026-11-20 15', '2026-11-19 14'])
  expect(await sentOf(old.id)).toEqual([])
})

describe('a buyer who is covered later gets no steps of days that have passed', () => {
  const old = { invoiceDate: '2026-10-01', dueDate: '2026-11-16' }
  const coming = async () =>
    (await get(`${remindersPath}/upcoming`)).map(
      ({ day, stepDays }: { day: string; stepDays: number }) => `${day} ${stepDays}`,
    )

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
  ok(await reminding.app.a.patch(`/i/v1/buyers/${buyer.id}`, { token: reminding.own.token, body: { email: null } }))
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ heldBack: 'no_email' })
  expect(await get(`${remindersPath}/upcoming`)).toEqual([])
  expectRefusal(await reminding.life.act(id, 'remind'), 'invoice.send.no_email')
  await on('2026-12-02')
  expect(await sentOf(id)).toEqual([])
})

test('a reminder by hand is possible on every day, and the plan sends nothing on the same day', async () => {
  await save()
  const buyer = await newBuyer()
  const first = await invoiceTo(buyer.id)
  const second = await invoiceTo(buyer.id)
  reminding.app.clock.set('2026-12-02T07:30:00Z')
  await reminding.signInAgain()
  ok(await reminding.life.act(first.id, 'remind'))
  ok(await reminding.life.act(first.id, 'remind'))
  expect(await get(`${remindersPath}/upcoming`)).toMatchObject([
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
  ok(await reminding.life.act(first.id, 'remind'))
  expect((await reminding.life.told(first.id)).filter((type) => type === 'invoice.sent')).toHaveLength(3)
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
    const preview = (body: object) =>
      client(form).post(`${remindersPath}/preview`, { token: reminding.own.token, body })
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
  await reminding.app.runtime.db.run(sql`
    insert into invoices
    select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', i.number || '-' || n))).*
      from invoices i cross join generate_series(1, ${mostInvoicesOfMail + 2}::int) as n where i.id = ${id}`)
  const many = async () =>
    (
      await reminding.app.runtime.db.rows<{ many: number }>(sql`
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
  expectRefusal(
    await put(`${remindersPath}/plan`, plan({ steps: [{ days: 0, templates: [header] }] })),
    'request.invalid',
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
  expect(await get(`${remindersPath}/upcoming`)).toMatchObject([
    { day: '2026-11-29', dueMinor: 580_564, dueDate: '2026-12-02' },
  ])
  await on('2026-12-02')
  const [mail] = await mailsOf(buyer.email, 1)
  expect(mail?.text).toContain('₦5,805.64 is due on 2 December 2026.')
  ok(await reminding.life.pay(id, '5805.64', { paidOn: '2026-12-02' }), 201)
  await on('2026-12-09')
  expect(await sentOf(id)).toEqual(['2026-12-02 0'])
  expect(await get(`${invoicesPath}/${id}/reminders`)).toMatchObject({ next: { day: '2026-12-30', stepDays: -3 } })
  await on('2026-12-30')
  expect(await get(`${remindersPath}/sent?invoiceId=${id}`)).toMatchObject([
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
  expect(await get(`${remindersPath}/upcoming`)).toMatchObject([
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
  const moved = ok(await reminding.app.a.post(to, { token: reminding.own.token, body: { by: { days: 30 } } }), 202)
  await eventually(async () =>
    expect(ok(await reminding.app.a.get(`${to}/${moved.id}`, { token: reminding.own.token })).status).toBe('ready'),
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
  const cure = await poison(reminding.app, 'sent_reminders', `new.buyer_id = '${bad.id}'`)
  const to = '/n/v1/test-clock/moves'
  const { id: moveId } = ok(
    await reminding.app.a.post(to, { token: reminding.own.token, body: { by: { days: 70 } } }),
    202,
  )
  await eventually(async () =>
    expect(ok(await reminding.app.a.get(`${to}/${moveId}`, { token: reminding.own.token })).status).toBe('ready'),
  )
  const days = Array.from({ length: 8 }, (_, nth) => `${dayAfter('2026-12-02', nth * 7)} ${nth * 7}`)
  expect(await sentOf(id)).toEqual(days.toReversed())
  expect(await mailsOf(buyer.email, 8)).toHaveLength(8)
  // A buyer who fails is tried again at the next run, not every ten minutes of a sandbox whose days pass in a moment.
  expect(ok(await reminding.app.a.get(`${to}/${moveId}`, { token: reminding.own.token })).steps).toBeLessThan(80)
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
