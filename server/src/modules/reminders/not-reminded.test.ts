import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { sendDueReminders, sweepReminders } from '../../../../test/harness/due-reminders.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { invoicesPath, ok } from '../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { plan, remindersPath, startReminding } from '../../../../test/harness/reminding.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { demandOn } from './due-part.ts'
import { nextReminder } from './next-reminder.ts'
import { coveredSince, type ReminderPlan, type ReminderPlanId } from './reminder-plan.ts'
import { listUpcoming } from './reminders.store.ts'

const reminding = startReminding()
const { at, client, get, invoiceTo, mailsTotal, newBuyer, on, put, save, sentOf } = reminding

describe('never to', () => {
  test.each(['A', 'B'] as const)('form %s: a disputed invoice, until the dispute is resolved', async (form) => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    const to = `${invoicesPath}/${id}/dispute`
    expectRefusal(await client(form).delete(to, { token: reminding.own.token }), 'invoice.dispute.none')
    expect(ok(await put(to, { reason: 'Torn bags' }, form))).toMatchObject({
      dispute: { reason: 'Torn bags', disputedAt: '2026-11-15T09:00:00.000Z' },
      heldBack: 'disputed',
      next: null,
    })
    expect(await get(`${remindersPath}/upcoming`, form)).toEqual([])
    const byHand = await client(form).post(`${invoicesPath}/${id}/remind`, { token: reminding.own.token })
    expectRefusal(byHand, 'invoice.remind.held_back')
    await on('2026-12-02')
    ok(await put(to, { reason: 'Three torn bags' }, form))
    expect(await sentOf(id)).toEqual([])
    expect(ok(await client(form).delete(to, { token: reminding.own.token }))).toMatchObject({
      dispute: null,
      next: { day: '2026-12-03', stepDays: 0 },
    })
    await on('2026-12-03')
    expect(await sentOf(id)).toEqual(['2026-12-03 0'])
    expect(await reminding.life.told(id)).toEqual([
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
    expectRefusal(await client(form).delete(to, { token: reminding.own.token }), 'invoice.promise.none')
    for (const day of ['2026-11-14', '2027-11-16']) expectRefusal(await put(to, { day }, form), 'request.invalid')
    ok(await put(to, { day: '2026-12-01', remark: 'By cheque' }, form))
    expect(ok(await put(to, { day: '2026-12-05' }, form))).toMatchObject({
      promise: { day: '2026-12-05', remark: null },
      heldBack: 'promised',
      next: { day: '2026-12-06', stepDays: 0 },
    })
    for (const day of ['2026-11-29', '2026-12-02', '2026-12-05']) await on(day)
    expectRefusal(await reminding.life.act(id, 'remind'), 'invoice.remind.held_back')
    expect(await sentOf(id)).toEqual([])
    await on('2026-12-06')
    expect(await sentOf(id)).toEqual(['2026-12-06 0'])
    // A promise before the mail is sent would stop it.
    expect(await mailsTotal()).toBe(1)
    ok(await put(to, { day: '2026-12-09', remark: 'Again' }, form))
    expect(ok(await client(form).delete(to, { token: reminding.own.token }))).toMatchObject({
      promise: null,
      heldBack: null,
    })
    await on('2026-12-09')
    expect(await sentOf(id)).toEqual(['2026-12-09 7', '2026-12-06 0'])
    expect((await reminding.life.told(id)).slice(2)).toEqual([
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
    expectRefusal(await reminding.life.act(ids[0] as string, 'remind'), 'invoice.remind.held_back')
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
    expect(await reminding.life.told(never.id)).toEqual([
      'buyer.created',
      'buyer.reminders_changed',
      'buyer.reminders_changed',
    ])
  })

  test('buyers without an email address, drafts, credit notes, cancelled and rejected documents, small amounts', async () => {
    await save({ steps: [{ days: 0, minimumAmounts: [{ currency: 'NGN', amountMinor: 1_451_411 }] }] })
    const silent = await reminding.life.buyer({ email: null })
    const buyer = await newBuyer()
    const ids = [
      (await invoiceTo(silent)).id,
      (await reminding.life.draft({ buyerId: buyer.id })).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id)).id,
      (await invoiceTo(buyer.id, { dueDate: undefined })).id,
    ]
    const [, , cancelled, rejected, cancelling, small] = ids as [string, string, string, string, string, string]
    await reminding.life.become(cancelled, 'cancelled')
    await reminding.life.become(rejected, 'rejected')
    await reminding.life.become(cancelling, 'cancellation_pending')
    ok(await reminding.life.pay(small, '0.01'), 201)
    const credited = await invoiceTo(buyer.id)
    const note = ok(await reminding.life.credit(credited.id, {}), 201)
    ok(await reminding.life.act(note.id, 'finalise'))
    ids.push(credited.id, note.id)
    expect(await get(`${remindersPath}/upcoming`)).toEqual([])
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
    await reminding.app.owner.run(sql`alter table received_payments disable trigger all`)
    for (const [buyer, minor] of [
      [rich, 1_451_411],
      [poor, 1_451_410],
    ] as const)
      await reminding.app.owner.run(sql`
        insert into received_payments (organisation_id, mode, id, account_id, provider, provider_reference, buyer_id, currency, amount_minor, unmatched_minor, received_at, recorded_at)
        values (${reminding.own.organisationId}, 'sandbox', ${newId()}, ${account}, 'test', ${buyer.id}, ${buyer.id}, 'NGN', ${minor}, ${minor}, now(), now())`)
    await reminding.app.owner.run(sql`alter table received_payments enable trigger all`)
    // The money covers the invoice that was due first, and no other one.
    const second = await invoiceTo(rich.id, { dueDate: '2026-12-03' })
    expect(await get(`${invoicesPath}/${ids[0]}/reminders`)).toMatchObject({ heldBack: 'covered', next: null })
    expect(await get(`${invoicesPath}/${second.id}/reminders`)).toMatchObject({
      heldBack: null,
      next: { day: '2026-11-30' },
    })
    expect((await get(`${remindersPath}/upcoming`)).map((one: { invoiceId: string }) => one.invoiceId)).toEqual([
      ids[1],
      second.id,
    ])
    await on('2026-12-02')
    expect(await sentOf(ids[0] as string)).toEqual([])
    expect(await sentOf(ids[1] as string)).toEqual(['2026-12-02 0'])
    expect(await sentOf(second.id)).toEqual(['2026-12-02 -3'])
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
  reminding.app.clock.set('2026-12-02T08:30:00Z')
  await reminding.signInAgain()
  const { db } = reminding.app.runtime
  const { run } = await db.transaction(async (tx) => {
    await tx.run(sql`update invoices set paid_minor = payable_minor where id = ${id}`)
    const run = sendDueReminders(reminding.app)
    const isWaiting = async () =>
      expect(await listLockWaits(reminding.app.owner, /from invoices.*for /s)).not.toEqual([])
    await eventually(isWaiting)
    return { run }
  })
  await run
  expect(await sentOf(id)).toEqual([])
  expect(await mailsTotal()).toBe(0)
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
    const refused = await put(`${remindersPath}/plan`, plan({ steps }))
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
      expectRefusal(await put(`${remindersPath}/plan`, plan(wrong)), 'request.invalid')
    expect(await save({ on: false, steps: [] })).toMatchObject({ on: false, nextRunAt: null, version: 1 })
    expect(await save({ version: 1 })).toMatchObject({ version: 2 })
    expectRefusal(await put(`${remindersPath}/plan`, plan({ version: 1 })), 'version.stale')
    const told = (
      await reminding.app.runtime.db.rows<{ type: string }>(sql`
      select type from events where organisation_id = ${reminding.own.organisationId} and type like 'reminder%'`)
    ).length
    expect(told).toBe(2)
  })

  test('of disputes and promises of documents that are not owed', async () => {
    const buyer = await newBuyer()
    const draft = await reminding.life.draft({ buyerId: buyer.id })
    expectRefusal(await put(`${invoicesPath}/${draft.id}/dispute`, { reason: 'x' }), 'invoice.dispute.not_issued')
    const promise = { day: '2026-11-20' }
    expectRefusal(await put(`${invoicesPath}/${draft.id}/payment-promise`, promise), 'invoice.promise.nothing_due')
    const { id } = await invoiceTo(buyer.id)
    ok(await reminding.life.pay(id, '14514.11'), 201)
    expectRefusal(await put(`${invoicesPath}/${id}/payment-promise`, promise), 'invoice.promise.nothing_due')
    ok(await put(`${invoicesPath}/${id}/dispute`, { reason: 'Paid, but torn' }))
  })

  test('another organisation sees nothing, and a key needs the permissions', async () => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    const stranger = await reminding.app.person()
    for (const to of [`${invoicesPath}/${id}/reminders`, `/i/v1/buyers/${buyer.id}/reminders`])
      expectRefusal(await reminding.app.a.get(to, { token: stranger.token }), 'resource.not_found')
    expect(ok(await reminding.app.a.get(`${remindersPath}/plan`, { token: stranger.token })).version).toBe(0)
    const key = await reminding.app.key(reminding.own.organisationId, { capabilities: ['invoice.read', 'buyer.read'] })
    expectRefusal(
      await reminding.app.a.put(`${remindersPath}/plan`, { token: key, body: plan() }),
      'auth.capability_missing',
    )
    expect(ok(await reminding.app.a.get(`${remindersPath}/upcoming`, { token: key }))).toHaveLength(1)
  })
})

test('two workers at the same time, and a reminder by hand meanwhile, remind each buyer once', async () => {
  await save()
  const found: { id: string; email: string; invoices: string[] }[] = []
  for (let nth = 0; nth < 8; nth++) {
    const buyer = await newBuyer()
    found.push({ ...buyer, invoices: [(await invoiceTo(buyer.id)).id, (await invoiceTo(buyer.id)).id] })
  }
  reminding.app.clock.set('2026-12-02T08:30:00Z')
  await reminding.signInAgain()
  const byHand = found.slice(0, 3).map(({ invoices }) => reminding.life.act(invoices[0] as string, 'remind'))
  await Promise.all([
    sweepReminders(reminding.app),
    sweepReminders(reminding.app),
    sweepReminders(reminding.app),
    ...byHand,
  ])
  await sendDueReminders(reminding.app)
  await reminding.app.quiet()
  for (const { id, invoices } of found) {
    const { scheduled, mails } = await reminding.app.runtime.db.one<{ scheduled: number; mails: number }>(sql`
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
  const cure = await poison(reminding.app, 'sent_reminders', `new.buyer_id = '${bad.id}'`)
  reminding.app.clock.set('2026-12-02T08:30:00Z')
  await reminding.signInAgain()
  await sweepReminders(reminding.app)
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
  await reminding.app.runtime.db.run(sql`
    insert into rate_windows (subject, window_end, used) values (${`mails:${reminding.own.organisationId} 3600`}, ${hour}, 400)`)
  reminding.app.clock.set('2026-12-02T08:30:00Z')
  await sweepReminders(reminding.app)
  await reminding.signInAgain()
  expect(await sentOf(id)).toEqual([])
  await at('2026-12-02T09:31:00Z')
  expect(await sentOf(id)).toEqual(['2026-12-02 0'])
})

test('an organisation with many reminders does not delay another one', async () => {
  const other = reminding.own
  await save({ steps: [{ days: 0 }] })
  await invoiceTo((await newBuyer()).id)
  await reminding.becomeAnotherOrganisation()
  await save({ steps: [{ days: 0 }] })
  for (let nth = 0; nth < 41; nth++) await invoiceTo((await newBuyer()).id)
  const many = reminding.own.organisationId
  await on('2026-12-02')
  // Ids grow with time. The other reminder comes at the latest after the first batch of 20.
  const idsOf = async (organisationId: string): Promise<string[]> => {
    const rows = await reminding.app.runtime.db.rows<{ id: string }>(
      sql`select id from sent_reminders where organisation_id = ${organisationId}`,
    )
    return rows.map((row) => row.id)
  }
  const [ofMany, [ofOther]] = [await idsOf(many), await idsOf(other.organisationId)]
  expect(ofMany).toHaveLength(41)
  expect(ofMany.filter((id) => id < (ofOther as string)).length).toBeLessThanOrEqual(20)
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
    if (paid > 0) ok(await reminding.life.pay(id, paid), 201)
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
  const tenant = { organisationId: reminding.own.organisationId, mode: 'sandbox' } as const
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
        const { db } = reminding.app.runtime
        for (const table of ['reminder_days', 'sent_reminders', 'reminder_holds', 'reminder_buyers'])
          await reminding.app.owner.run({
            text: `delete from ${table} where organisation_id = $1`,
            values: [reminding.own.organisationId],
            name: undefined,
          })
        for (const { id } of invoices) {
          if (last)
            await db.run(sql`
            insert into sent_reminders (organisation_id, mode, id, invoice_id, invoice_number, day, recipient, due_minor, currency, sent_at)
            values (${reminding.own.organisationId}, 'sandbox', ${newId()}, ${id}, 'x', ${last}, 'x', 1, 'NGN', now())`)
          if (promise)
            await db.run(sql`
            insert into reminder_holds (organisation_id, mode, invoice_id, promised_on, promised_at) values (${reminding.own.organisationId}, 'sandbox', ${id}, ${promise}, now())`)
        }
        await db.run(sql`
          insert into reminder_buyers (organisation_id, mode, buyer_id, choice, since, updated_at)
          values (${reminding.own.organisationId}, 'sandbox', ${buyer.id}, ${setting.choice}, ${setting.since}, now())`)
        if (isTaken)
          await db.run(
            sql`insert into reminder_days (organisation_id, mode, buyer_id, day) values (${reminding.own.organisationId}, 'sandbox', ${buyer.id}, ${run})`,
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
              issuedOn: businessDay(reminding.app.clock.now(), zone),
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
