import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../../test/harness/eventually.ts'
import { invoicesPath, ok } from '../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { plan, remindersPath, startReminding } from '../../../../test/harness/reminding.ts'
import { jobHandlers } from '../../jobs/index.ts'
import { sql } from '../../platform/database/sql.ts'
import { builtInMailbox } from '../messages/index.ts'
import { MessageNotTaken, type OutgoingMessage } from '../messages/message.ts'

/** What the mail server does with a message. */
let carry: (message: OutgoingMessage) => Promise<void>
let attempts: OutgoingMessage[] = []
const reminding = startReminding({
  carrier: {
    textsPhones: false,
    reachesPeople: false,
    carry: async (message) => {
      attempts.push(message)
      await carry(message)
    },
  },
})
const { invoiceTo, newBuyer, on, put, save, sentOf } = reminding

const intoMailbox = (message: OutgoingMessage) =>
  builtInMailbox(reminding.app.runtime, { textsPhones: false }).carry(message)
const isAway = async () => {
  throw new MessageNotTaken('the mail server is away')
}
/** The mail arrives, and the connection breaks before the answer. */
const breaksAfterwards = async (message: OutgoingMessage) => {
  await intoMailbox(message)
  throw new Error('the connection broke')
}

beforeEach(() => {
  carry = intoMailbox
  attempts = []
})

const attemptsTo = (email: string) => attempts.filter(({ to }) => to === email)
const mailsTo = async (email: string) => await reminding.app.mailTo(email, 0)

/** Waits until the mail to the buyer has failed once. */
const untilTried = (email: string) => eventually(async () => expect(attemptsTo(email).length).toBeGreaterThan(0))

/** The mail server is back: what waits is tried at once, until nothing waits. */
async function retryAll(): Promise<void> {
  const { db } = reminding.app.runtime
  await eventually(async () => {
    await db.run(sql`
      with due as (update jobs set due_at = now() where queue = 'mail' and taken_by is null and due_at > now() returning 1)
      select pg_notify('risiti_work', 'mail') from due`)
    expect(await db.rows(sql`select job from jobs where queue = 'mail'`)).toEqual([])
  })
}

const stoppedOf = async (id: string) =>
  (await eventsAbout(reminding.app, id))
    .filter(({ type }) => type === 'invoice.reminder_not_sent')
    .map(({ data }) => data as { reason: string; mayHaveArrived: boolean; stepDays: number | null; to: string })

/** Only a rejected document can be reopened after it was sent. */
async function becomeDraft(id: string): Promise<void> {
  await reminding.life.become(id, 'rejected')
  ok(await reminding.life.act(id, 'reopen'))
}

interface Case {
  readonly invoiceId: string
  readonly buyerId: string
}
const changes: Readonly<Record<string, (one: Case) => Promise<unknown>>> = {
  nothing_due: async ({ invoiceId }) => ok(await reminding.life.pay(invoiceId, '14514.11'), 201),
  disputed: async ({ invoiceId }) => ok(await put(`${invoicesPath}/${invoiceId}/dispute`, { reason: 'Torn' })),
  promised: async ({ invoiceId }) =>
    ok(await put(`${invoicesPath}/${invoiceId}/payment-promise`, { day: '2026-12-04' })),
  buyer_never: async ({ buyerId }) => ok(await put(`/i/v1/buyers/${buyerId}/reminders`, { reminders: 'never' })),
  not_owed: async ({ invoiceId }) => await reminding.life.become(invoiceId, 'cancelled'),
  not_issued: async ({ invoiceId }) => await becomeDraft(invoiceId),
  no_email: async ({ buyerId }) =>
    ok(await reminding.app.a.patch(`/i/v1/buyers/${buyerId}`, { token: reminding.own.token, body: { email: null } })),
}
const planChanges: Readonly<Record<string, (one: Case) => Promise<unknown>>> = {
  ...changes,
  plan_off: async () => ok(await put(`${remindersPath}/plan`, plan({ on: false }))),
  buyer_not_chosen: async () => ok(await put(`${remindersPath}/plan`, plan({ buyers: 'chosen' }))),
  no_step_left: async () => ok(await put(`${remindersPath}/plan`, plan({ steps: [{ days: 14 }] }))),
}

describe('a queued reminder is not sent', () => {
  test.each(Object.entries(planChanges))('by the plan: %s', async (reason, change) => {
    await save()
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    carry = isAway
    await on('2026-12-02')
    await untilTried(buyer.email)
    await change({ invoiceId: id, buyerId: buyer.id })
    carry = intoMailbox
    await retryAll()
    expect(await mailsTo(buyer.email)).toEqual([])
    expect(await stoppedOf(id)).toMatchObject([{ reason, mayHaveArrived: false, stepDays: 0, to: buyer.email }])
    for (const form of ['A', 'B'] as const) {
      const listed = await reminding.get(`${remindersPath}/sent?invoiceId=${id}`, form)
      expect(listed).toMatchObject([{ notSentReason: reason, mayHaveArrived: false, stepDays: 0 }])
    }
    const emails = await reminding.get(`/i/v1/buyers/${buyer.id}/emails`)
    expect(emails.map(({ kind }: { kind: string }) => kind)).toEqual(['reminder_not_sent', 'reminder'])
  })

  test.each(Object.entries(changes))('by hand: %s', async (reason, change) => {
    const buyer = await newBuyer()
    const { id } = await invoiceTo(buyer.id)
    carry = isAway
    ok(await reminding.life.act(id, 'remind'))
    await untilTried(buyer.email)
    await change({ invoiceId: id, buyerId: buyer.id })
    carry = intoMailbox
    await retryAll()
    expect(await mailsTo(buyer.email)).toEqual([])
    expect(await stoppedOf(id)).toMatchObject([{ reason, mayHaveArrived: false, stepDays: null, to: buyer.email }])
    expect(await reminding.get(`${remindersPath}/sent?invoiceId=${id}`)).toMatchObject([
      { notSentReason: reason, stepDays: null },
    ])
  })

  test('of a draft that was deleted; the mail has the other invoices', async () => {
    await save()
    const buyer = await newBuyer()
    const gone = await invoiceTo(buyer.id)
    const left = await invoiceTo(buyer.id)
    carry = isAway
    await on('2026-12-02')
    await untilTried(buyer.email)
    await becomeDraft(gone.id)
    ok(await reminding.app.a.delete(`${invoicesPath}/${gone.id}`, { token: reminding.own.token }))
    carry = intoMailbox
    await retryAll()
    const [mail] = await mailsTo(buyer.email)
    expect(mail?.text).toContain(left.invoiceNumber)
    expect(mail?.text).not.toContain(gone.invoiceNumber)
  })
})

test('the mail has what is left of its invoices, with the amounts that are due then, under one id', async () => {
  await save()
  const buyer = await newBuyer()
  const [paid, part, whole] = [await invoiceTo(buyer.id), await invoiceTo(buyer.id), await invoiceTo(buyer.id)]
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  expect(attemptsTo(buyer.email)[0]?.text).toContain('₦43,542.33')
  ok(await reminding.life.pay(paid.id, '14514.11'), 201)
  ok(await reminding.life.pay(part.id, '4514.11'), 201)
  carry = intoMailbox
  await retryAll()
  const mails = await mailsTo(buyer.email)
  expect(mails).toHaveLength(1)
  const { text } = mails[0] as { text: string }
  expect(text).not.toContain(paid.invoiceNumber)
  for (const words of [part.invoiceNumber, whole.invoiceNumber, '₦10,000.00', '₦24,514.11'])
    expect(text).toContain(words)
  expect(new Set(attemptsTo(buyer.email).map(({ id }) => id)).size).toBe(1)
  expect(await stoppedOf(paid.id)).toMatchObject([{ reason: 'nothing_due' }])
  expect([...(await stoppedOf(part.id)), ...(await stoppedOf(whole.id))]).toEqual([])
})

test('a reminder by hand asks for what is due when it is sent', async () => {
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = isAway
  ok(await reminding.life.act(id, 'remind'))
  await untilTried(buyer.email)
  ok(await reminding.life.pay(id, '4514.11'), 201)
  carry = intoMailbox
  await retryAll()
  const mails = await mailsTo(buyer.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('₦10,000.00')
  expect(mails[0]?.text).not.toContain('₦14,514.11')
})

test('the mail goes to the address that the buyer has when it is sent', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  const email = `new-${buyer.email}`
  ok(await reminding.app.a.patch(`/i/v1/buyers/${buyer.id}`, { token: reminding.own.token, body: { email } }))
  carry = intoMailbox
  await retryAll()
  expect(await mailsTo(buyer.email)).toEqual([])
  expect(await mailsTo(email)).toHaveLength(1)
  expect(await reminding.get(`${remindersPath}/sent?invoiceId=${id}`)).toMatchObject([
    { to: email, notSentReason: null },
  ])
})

test('an instalment that was paid is not asked for, nor is the next one, which is not due yet', async () => {
  await save()
  const buyer = await newBuyer()
  const instalments = [
    { dueDate: '2026-12-02', percent: 40 },
    { dueDate: '2027-03-02', percent: 60 },
  ]
  const { id } = await invoiceTo(buyer.id, { dueDate: undefined, instalments })
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  ok(await reminding.life.pay(id, '5805.64'), 201)
  carry = intoMailbox
  await retryAll()
  expect(await mailsTo(buyer.email)).toEqual([])
  expect(await stoppedOf(id)).toMatchObject([{ reason: 'nothing_due' }])
})

test('a stopped reminder is no reminder: its step comes once the dispute is resolved, and never twice on a day', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  const dispute = `${invoicesPath}/${id}/dispute`
  ok(await put(dispute, { reason: 'Torn' }))
  carry = intoMailbox
  await retryAll()
  ok(await reminding.app.a.delete(dispute, { token: reminding.own.token }))
  expect(await reminding.get(`${invoicesPath}/${id}/reminders`)).toMatchObject({
    next: { day: '2026-12-03', stepDays: 0 },
  })
  expect(await reminding.get(`${remindersPath}/upcoming`)).toMatchObject([{ day: '2026-12-03', stepDays: 0 }])
  await on('2026-12-03')
  await retryAll()
  expect(await mailsTo(buyer.email)).toHaveLength(1)
  expect(await sentOf(id)).toEqual(['2026-12-03 0', '2026-12-02 0'])
})

test('after an attempt without an answer the history says that the mail may have arrived, and the step counts', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = breaksAfterwards
  await on('2026-12-02')
  await untilTried(buyer.email)
  const dispute = `${invoicesPath}/${id}/dispute`
  ok(await put(dispute, { reason: 'Torn' }))
  carry = intoMailbox
  await retryAll()
  expect(await mailsTo(buyer.email)).toHaveLength(1)
  expect(attemptsTo(buyer.email)).toHaveLength(1)
  expect(await stoppedOf(id)).toMatchObject([{ reason: 'disputed', mayHaveArrived: true }])
  ok(await reminding.app.a.delete(dispute, { token: reminding.own.token }))
  expect(await reminding.get(`${invoicesPath}/${id}/reminders`)).toMatchObject({
    next: { day: '2026-12-09', stepDays: 7 },
  })
})

test('a mail without an answer is sent again under its id while it is wanted', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = breaksAfterwards
  await on('2026-12-02')
  await untilTried(buyer.email)
  carry = intoMailbox
  await retryAll()
  expect(attemptsTo(buyer.email).length).toBeGreaterThan(1)
  expect(new Set(attemptsTo(buyer.email).map((one) => one.id)).size).toBe(1)
  expect(await mailsTo(buyer.email)).toHaveLength(1)
  expect(await stoppedOf(id)).toEqual([])
})

test('a worker that died between the check and the mail server: the next one checks again', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  // The first worker hangs at the mail server and never comes back.
  const gate = Promise.withResolvers<void>()
  carry = async () => await gate.promise
  await on('2026-12-02')
  await untilTried(buyer.email)
  ok(await reminding.life.pay(id, '14514.11'), 201)
  const { runtime, runner } = reminding.app
  const { payload } = await runtime.db.one<{ payload: object }>(
    sql`select payload from jobs where job = 'send-reminder'`,
  )
  const handler = jobHandlers(runtime, runner).find(({ job }) => job.name === 'send-reminder')
  await handler?.handle(payload, { number: 2, last: false })
  expect(attemptsTo(buyer.email)).toHaveLength(1)
  expect(await stoppedOf(id)).toMatchObject([{ reason: 'nothing_due', mayHaveArrived: true }])
  gate.reject(new Error('killed'))
  await retryAll()
  expect(await stoppedOf(id)).toHaveLength(1)
  expect(await mailsTo(buyer.email)).toEqual([])
})

test('two workers with the same mail stop its invoices once, and send the rest under one id', async () => {
  await save()
  const buyer = await newBuyer()
  const [paid, left] = [await invoiceTo(buyer.id), await invoiceTo(buyer.id)]
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  const { runtime, runner } = reminding.app
  const { payload } = await eventually(
    async () =>
      await runtime.db.one<{ payload: object }>(
        sql`select payload from jobs where job = 'send-reminder' and taken_by is null`,
      ),
  )
  ok(await reminding.life.pay(paid.id, '14514.11'), 201)
  carry = intoMailbox
  const handler = jobHandlers(runtime, runner).find(({ job }) => job.name === 'send-reminder')
  const attempt = { number: 2, last: false }
  await Promise.all([1, 2, 3].map(() => handler?.handle(payload, attempt)))
  await retryAll()
  expect(new Set(attemptsTo(buyer.email).map(({ id }) => id)).size).toBe(1)
  expect(await mailsTo(buyer.email)).toHaveLength(1)
  expect(await stoppedOf(paid.id)).toHaveLength(1)
  expect(await stoppedOf(left.id)).toEqual([])
})

test('the organisation that is checked is the one of the mail', async () => {
  await save()
  const buyer = await newBuyer()
  const { id } = await invoiceTo(buyer.id)
  carry = isAway
  await on('2026-12-02')
  await untilTried(buyer.email)
  await reminding.becomeAnotherOrganisation()
  ok(await put(`${remindersPath}/plan`, plan({ on: false })))
  carry = intoMailbox
  await retryAll()
  expect(await mailsTo(buyer.email)).toHaveLength(1)
  expect(await stoppedOf(id)).toEqual([])
})
