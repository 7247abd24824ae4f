import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { type Collector, collector } from '../../../test/harness/collection.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { type Issuer, invoiceBody, issuer } from '../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../test/harness/issued.ts'
import { badItems, type Due, type Row, testRows } from '../../../test/harness/one-bad-item.ts'
import { poison } from '../../../test/harness/poison.ts'
import { buyer, order } from '../../../test/harness/purchases.ts'
import { businessDay } from '../kernel/days.ts'
import { idAt, newId } from '../kernel/ids.ts'
import { startConsumers } from '../platform/background/consumers.ts'
import { insertingAuthChanges } from '../platform/callers/auth-changes.store.ts'
import { clockSubject, saveTestClock } from '../platform/clocks/test-clocks.store.ts'
import { sql } from '../platform/database/sql.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import type { SealedColumn } from '../platform/secrets/secret-keys.store.ts'
import { createVault } from '../platform/secrets/secrets.ts'
import { consumers, jobHandlers, ownQueues, sealedColumns } from './index.ts'

const [k1, k2] = [randomBytes(32), randomBytes(32)]
const before = createVault({ active: 'k1', keys: new Map([['k1', k1]]) })
const after = createVault({
  active: 'k2',
  keys: new Map([
    ['k1', k1],
    ['k2', k2],
  ]),
})

const bodies = sealedColumns.find(({ table }) => table === 'messages') as SealedColumn

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ bank: true, checkout: true, vault: after, now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const { exists, isFailing, runJob, refusing } = badItems(() => app)
const inPast = () => new Date(app.clock.now().getTime() - 60_000)
const told = (type: string) => (due: Due) =>
  exists(sql`select from events where organisation_id = ${due.organisationId} and type = ${type}`)
const whose = ({ organisationId }: Person): Due => ({ organisationId, item: organisationId })

/** A transfer into an account of an organisation of its own that the bank has told nobody of. */
async function transferred(): Promise<Due> {
  const own: Collector = await collector(app)
  const { accountNumber } = await own.open()
  const { reference } = app.bank.control.receive({ accountNumber, amountMinor: 5_000, narration: '#lost' })
  return { organisationId: own.organisationId, item: reference }
}
const isRecorded = ({ item }: Due) => exists(sql`select from received_payments where provider_reference = ${item}`)
const isStray = ({ item }: Due) =>
  exists(sql`select from collection_strays where reference = ${item} and reason = 'failed' and taken_in_at is null`)
const refusingTransfer = ({ item }: Due) => poison(app, 'received_payments', `new.provider_reference = '${item}'`)

const rows: Readonly<Record<string, Row>> = {
  'announce-ended-keys': {
    make: async () => {
      const person = await app.person()
      await app.key(person.organisationId)
      await app.owner.run(
        sql`update api_keys set expires_at = ${inPast()} where organisation_id = ${person.organisationId}`,
      )
      return whose(person)
    },
    spoil: refusing('api_keys', 'update'),
    run: runJob('announce-ended-keys'),
    isDone: told('api_key.expired'),
    isReported: isFailing('api_key.end_notify_failed'),
  },
  'expire-invitations': {
    make: async () => {
      const person = await app.person()
      const body = { email: `${newId()}@example.test`, fullName: 'Ada Obi' }
      ok(await app.a.post('/a/v1/organizations/me/invitations', { token: person.token, body }), 201)
      await app.owner.run(
        sql`update invitations set expires_at = ${inPast()} where organisation_id = ${person.organisationId}`,
      )
      return whose(person)
    },
    spoil: refusing('invitations', 'update'),
    run: runJob('expire-invitations'),
    isDone: told('invitation.expired'),
    isReported: isFailing('invitation.end_notify_failed'),
  },
  'purge-expired': {
    make: async () => {
      const { organisationId } = await app.person()
      const at = app.clock.now().getTime() - 30 * 86_400_000
      await app.owner.run(sql`
        insert into request_log (organisation_id, mode, id, answered_at, method, path, status, duration_ms, actor_type, actor_id, actor_name,
                                 request_id, address, user_agent)
        values (${organisationId}, 'sandbox', ${idAt(at, 1)}, ${new Date(at)}, 'GET', '/', 200, 1, 'user', ${newId()}, '', '', '', '')`)
      return { organisationId, item: `${organisationId} sandbox` }
    },
    spoil: refusing('request_log', 'delete'),
    run: runJob('purge-expired'),
    isDone: async ({ organisationId }) =>
      !(await exists(sql`select from request_log where organisation_id = ${organisationId}`)),
    isReported: isFailing('request_log.not_purged'),
  },
  'settle-exchanges': {
    make: async () => {
      const { organisationId } = await app.person()
      const id = newId()
      const intent = { organisationId, paymentId: newId(), provider: 'paystack', name: 'x', version: 1, overdue: false }
      await app.owner.run(sql`
        insert into exchanges (id, name, organisation_id, mode, caller, intent, abandoned_after)
        values (${id}, 'look-at-payment', ${organisationId}, 'live', '{"kind": "system"}', ${JSON.stringify(intent)}::jsonb, now() - interval '1 minute')`)
      return { organisationId, item: id }
    },
    spoil: ({ item }) => poison(app, 'exchanges', `new.id = '${item}' and new.settled_at is not null`, 'update'),
    run: runJob('settle-exchanges'),
    isDone: ({ item }) => exists(sql`select from exchanges where id = ${item} and settled_at is not null`),
    isReported: isFailing('exchange.not_settled'),
  },
  'reseal-secrets': {
    make: async () => {
      const id = newId()
      const sealed = before.seal('hello', bodies.place(id))
      await app.owner.run(sql`
        insert into messages (id, cause, channel, recipient, sealed_body, created_at)
        values (${id}, ${id}, 'email', 'x@example.test', ${sealed}, now())`)
      return { organisationId: newId(), item: id }
    },
    spoil: async ({ item }) => {
      const { sealed } = await app.owner.one<{ sealed: string }>(
        sql`select sealed_body as sealed from messages where id = ${item}`,
      )
      const save = (text: string) => app.owner.run(sql`update messages set sealed_body = ${text} where id = ${item}`)
      await save(`${sealed.slice(0, -6)}AAAAAA`)
      return async () => void (await save(sealed))
    },
    run: runJob('reseal-secrets'),
    isDone: ({ item }) => exists(sql`select from messages where id = ${item} and sealed_body like 'v1.k2.%'`),
    isReported: isFailing('secret.not_resealed messages.sealed_body'),
  },
  'open-missing-accounts': {
    make: async () => {
      const organisationId = newId()
      await app.owner.run(sql`
        insert into organisations (id, name, country, created_at, updated_at) values (${organisationId}, 'Shop', 'NG', now(), now())`)
      return { organisationId, item: organisationId }
    },
    spoil: refusing('billing_accounts', 'insert'),
    run: runJob('open-missing-accounts'),
    isDone: ({ organisationId }) => exists(sql`select from billing_accounts where organisation_id = ${organisationId}`),
    isReported: isFailing('billing.account_not_opened'),
  },
  'fill-sandboxes': {
    make: async () => {
      const own = await issuer(app)
      await app.owner.run(sql`
        update credit_balances set available = available - 500, spent = spent + 500
         where organisation_id = ${own.organisationId} and mode = 'sandbox'`)
      return whose(own)
    },
    spoil: refusing('credit_balances', 'update'),
    run: runJob('fill-sandboxes'),
    isDone: ({ organisationId }) =>
      exists(
        sql`select from credit_balances where organisation_id = ${organisationId} and mode = 'sandbox' and available = 100000`,
      ),
    isReported: isFailing('sandbox.not_filled'),
  },
  'tell-due-reports': {
    make: async () => {
      const own = await issuer(app)
      // Sold to a consumer yesterday at ten past ten in Lagos, it has to be reported within a day.
      const sold = {
        invoiceKind: 'B2C',
        buyerId: null,
        invoiceDate: '2026-11-14',
        issueTime: '10:10:00',
        dueDate: null,
      }
      await lifeOf(app, own).issued(sold)
      return { organisationId: own.organisationId, item: `${own.organisationId} sandbox` }
    },
    spoil: refusing('invoices', 'update', 'and new.report_told_at is not null'),
    run: runJob('tell-due-reports'),
    isDone: told('invoice.reporting_due'),
    isReported: isFailing('invoice.due_report_notify_failed'),
  },
  'expire-quotes': {
    make: async () => {
      const own = await issuer(app)
      const validUntil = businessDay(app.clock.now(), 'Africa/Lagos')
      const lineItems = [
        { description: 'Rent', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice: 5, taxCategory: 'exempt' },
      ]
      const { token, buyerId, organisationId } = own
      const body = { buyerId, currency: 'NGN', validUntil, lineItems }
      const { id } = ok(await app.a.post('/i/v1/quotes', { token, body }), 201)
      ok(await app.a.post(`/i/v1/quotes/${id}/send`, { token, body: { mail: false } }))
      await app.owner.run(sql`update quotes set expires_at = ${inPast()} where id = ${id}`)
      return { organisationId, item: `${organisationId} sandbox` }
    },
    spoil: refusing('quotes', 'update'),
    run: runJob('expire-quotes'),
    isDone: told('quote.expired'),
    isReported: isFailing('quotes.expiry_failed'),
  },
  'run-moved-sandboxes': {
    make: async () => {
      const own = await issuer(app)
      const { token, buyerId, organisationId } = own
      // A quote that has expired in the time of the sandbox only: no other sweep finds it.
      const lineItems = [
        { description: 'Rent', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice: 5, taxCategory: 'exempt' },
      ]
      const body = { buyerId, currency: 'NGN', validUntil: '2026-11-20', lineItems }
      const { id } = ok(await app.a.post('/i/v1/quotes', { token, body }), 201)
      ok(await app.a.post(`/i/v1/quotes/${id}/send`, { token, body: { mail: false } }))
      const offset = { ms: 30 * 86_400_000, reachedAt: app.clock.now() }
      await app.runtime.db.transaction(async (tx) => {
        await saveTestClock(tx, organisationId, { offset, next: undefined, moment: undefined })
        await tx.run(insertingAuthChanges([clockSubject(organisationId)]))
      })
      app.runtime.authentication.forget([clockSubject(organisationId)])
      return { organisationId, item: `${organisationId} expiry of quotes` }
    },
    spoil: refusing('quotes', 'update'),
    run: runJob('run-moved-sandboxes'),
    isDone: told('quote.expired'),
    isReported: isFailing('test_clock.due_work_failed'),
  },
  'make-recurring-invoices': {
    make: async () => {
      const own = await issuer(app)
      const startsOn = businessDay(app.clock.now(), 'Africa/Lagos')
      const line = {
        description: 'Rent',
        hsnCode: '2523.29',
        unitCode: 'XBG',
        quantity: 1,
        unitPrice: 5,
        taxCategory: 'exempt',
      }
      const invoice = { buyerId: own.buyerId, currency: 'NGN', lineItems: [line] }
      const body = { name: 'Rent', unit: 'year', startsOn, policy: 'draft', invoice }
      ok(await app.a.post('/i/v1/recurring-invoices', { token: own.token, body }), 201)
      return { organisationId: own.organisationId, item: `${own.organisationId} sandbox` }
    },
    spoil: refusing('recurring_schedules', 'update'),
    run: runJob('make-recurring-invoices'),
    isDone: told('recurring_schedule.invoice_made'),
    isReported: isFailing('recurring_schedule.sweep_failed'),
  },
  'send-reminders': {
    make: async () => {
      const own = await issuer(app)
      const body = { on: true, hour: 0, buyers: 'all', steps: [{ days: 1 }] }
      ok(await app.a.put('/i/v1/reminders/plan', { token: own.token, body }))
      await app.runtime.db.run(sql`
        update reminder_plans set next_at = ${app.clock.now()}, steps = jsonb_set(steps, '{0,since}', '"2020-01-01"') where organisation_id = ${own.organisationId}`)
      return { organisationId: own.organisationId, item: `${own.organisationId} sandbox` }
    },
    spoil: refusing('reminder_plans', 'update'),
    run: runJob('send-reminders'),
    isDone: (due) =>
      exists(
        sql`select from reminder_plans where organisation_id = ${due.organisationId} and next_at > ${app.clock.now()}`,
      ),
    isReported: isFailing('reminder.sweep_failed'),
  },
  'sweep-payments': {
    make: async () => {
      const person = await buyer(app)
      const id = await order(app, person)
      await app.owner.run(sql`update payments set look_at = ${inPast()} where id = ${id}`)
      return { organisationId: person.organisationId, item: id }
    },
    spoil: ({ item }) => poison(app, 'payments', `new.id = '${item}'`, 'update'),
    run: runJob('sweep-payments'),
    isDone: ({ item }) => exists(sql`select from payments where id = ${item} and look_at > ${app.clock.now()}`),
    isReported: isFailing('payment.not_looked_at'),
  },
  'run-subscriptions': {
    make: async () => {
      const { organisationId } = await buyer(app)
      const id = newId()
      const begun = new Date(app.clock.now().getTime() - 70 * 86_400_000)
      await app.owner.run(sql`
        insert into subscriptions (organisation_id, id, plan_code, interval, currency, amount_minor, monthly_credits, status, cancel_at_period_end,
                                   anchor_at, next_step_at, created_at)
        values (${organisationId}, ${id}, 'starter', 'monthly', 'NGN', 100, 100, 'active', true, ${begun}, ${inPast()}, ${begun})`)
      return { organisationId, item: id }
    },
    spoil: refusing('subscriptions', 'update'),
    run: runJob('run-subscriptions'),
    isDone: ({ item }) => exists(sql`select from subscriptions where id = ${item} and status = 'expired'`),
    isReported: isFailing('subscription.not_brought_on'),
  },
  'sweep-collection': {
    make: transferred,
    spoil: refusingTransfer,
    run: runJob('sweep-collection'),
    isDone: isRecorded,
    isReported: isStray,
  },
  'sweep-collection: payments to match': {
    make: async () => {
      const due = await transferred()
      await app.runJob('sweep-collection')
      const { id } = await app.owner.one<{ id: string }>(
        sql`select id from received_payments where provider_reference = ${due.item}`,
      )
      return { ...due, item: id }
    },
    spoil: refusing('received_payments', 'update', 'and new.matched_at is not null'),
    run: async (due) => {
      // As if the recording process had died before they were matched.
      await app.owner.run(sql`
        update received_payments set matched_at = null, recorded_at = ${inPast()} where id = any (${due.map(({ item }) => item)}::uuid[])`)
      await runJob('sweep-collection')()
    },
    isDone: ({ item }) => exists(sql`select from received_payments where id = ${item} and matched_at is not null`),
    isReported: isFailing('collection.payment_not_matched'),
  },
  'reconcile-collection': {
    make: transferred,
    spoil: refusingTransfer,
    run: async () => {
      app.clock.advance({ minutes: 15 })
      await runJob('reconcile-collection')()
    },
    isDone: isRecorded,
    isReported: isStray,
  },
  'send-message': {
    make: async () => {
      const { organisationId } = await app.person()
      return { organisationId, item: `r${newId()}@example.test` }
    },
    spoil: ({ item }) => poison(app, 'mailbox', `new.recipient = '${item}'`, 'insert'),
    run: async (due) => {
      for (const { item } of due)
        ok(
          await app.a.post('/a/v1/auth/register', {
            body: {
              email: item,
              password: 'correct horse battery staple',
              firstName: 'Ada',
              lastName: 'Obi',
              organizationName: 'Obi Stores',
              country: 'NG',
            },
          }),
          201,
        )
    },
    isDone: ({ item }) => exists(sql`select from mailbox where recipient = ${item}`),
    // The job waits for its next attempt and has the reason, and the queue counts the failure.
    isReportedForAll: true,
    isReported: async () =>
      (await exists(sql`select from jobs where job = 'send-message' and attempts > 0 and reason is not null`)) &&
      app.runtime.queueCounts.mail.failed > 0,
  },
}

/** What goes through nothing of several owners, or is shown elsewhere. */
const others: Readonly<Record<string, string>> = {
  'refresh-code-lists': 'code lists belong to countries; each is loaded by itself',
  'keep-events': 'months belong to nobody; keep-events.test.ts shows that one that fails does not stop the others',
  'sweep-follow-ups': 'one statement asks for a job for each tenant',
  'follow-settlements': 'the loop of follow-sandbox-settlements, with live providers',
  'follow-feeds': 'one transaction asks for a job for each feed and tenant',
}
/** Files with rows like these for other jobs and for the queues with tables of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  'follow-feed': 'one-bad-received-document.test.ts',
  'receive-invoices': 'one-bad-received-document.test.ts',
  'acknowledge-invoices': 'one-bad-received-document.test.ts',
  'check-received-payments': 'one-bad-received-document.test.ts',
  'follow-up-submissions': 'one-bad-reported-document.test.ts',
  'stamp-invoices': 'one-bad-reported-document.test.ts',
  'submissions queue': 'one-bad-reported-document.test.ts',
  'sweep-sub-accounts': 'one-bad-settlement.test.ts',
  'sweep-splits': 'one-bad-settlement.test.ts',
  'follow-sandbox-settlements': 'one-bad-settlement.test.ts',
  'compare-settlements': 'one-bad-settlement.test.ts',
  'collection queue': 'one-bad-settlement.test.ts',
  'webhooks queue': 'one-bad-delivery.test.ts',
  'webhooks fan-out': 'one-bad-delivery.test.ts',
}
/** Jobs that do one thing for one organisation: their queue takes each by itself, as it takes messages. */
const single = [
  'open-billing-account',
  'grant-free-credits',
  'tell-low-balance',
  'settle-notification',
  'look-at-payment',
  'charge-card',
  'return-money',
  'follow-profile',
  'check-buyer-tax-number',
  'check-seller-tax-number',
  'mail-invoice',
  'mail-quote',
  'mail-statement-of-account',
  'send-accepted-recurring-invoice',
  'send-reminder',
  'send-reminder-by-hand',
  'stop-deliveries',
  'replay-missed',
  'redeliver-failed',
  'follow-newcomer',
  'use-credit',
  'spread-credit',
  'tell-payment',
  'work-on-bulk-job',
  'work-on-import',
  'advance-test-clock',
]

testRows(rows)

describe('consumers of events', () => {
  /** What a consumer writes for an organisation, and what to refuse. */
  interface ConsumerCase {
    readonly happens: () => Promise<Due>
    readonly spoil: Row['spoil']
    readonly isDone: Row['isDone']
  }
  const insertEvent = async (type: string, more: { mode?: string; data?: object; objectId?: string } = {}) => {
    const { organisationId } = await app.person()
    await app.owner.run(sql`
      insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
      values (${organisationId}, ${newId()}, ${more.mode ?? 'sandbox'}, ${type}, ${more.objectId ?? newId()}, ${JSON.stringify(more.data ?? {})}::jsonb,
              'system', 'test', '', '', 'test', now())`)
    return { organisationId, item: organisationId }
  }
  // Whose turn it is may be another organisation's id: sandboxes take turns of their own.
  const isAskedFor =
    (job: string) =>
    ({ organisationId }: Due) =>
      exists(sql`select from jobs where job = ${job} and payload ->> 'organisationId' = ${organisationId}`)
  const refusingWork =
    (job: string) =>
    ({ organisationId }: Due) =>
      poison(app, 'jobs', `new.job = '${job}' and new.payload ->> 'organisationId' = '${organisationId}'`, 'insert')
  const asking = (job: string, type: string, more: Parameters<typeof insertEvent>[1] = {}): ConsumerCase => ({
    happens: () => insertEvent(type, more),
    spoil: refusingWork(job),
    isDone: isAskedFor(job),
  })
  const drafted = async (more: (own: Issuer) => Promise<object> = async () => ({})): Promise<Due> => {
    const own = await issuer(app)
    const { token, organisationId } = own
    ok(await app.a.post('/i/v1/invoices', { token, body: invoiceBody.A(own, await more(own)) }), 201)
    return { organisationId, item: organisationId }
  }
  const item = {
    name: 'Broiler',
    itemType: 'goods',
    hsnCode: '0105.11',
    productCategory: 'Poultry',
    unitCode: 'EA',
    unitPriceMinor: '350000',
    currency: 'NGN',
    taxCategory: 'STANDARD_VAT',
  }

  const byName: Readonly<Record<string, ConsumerCase>> = {
    ...Object.fromEntries(
      consumers
        .filter(({ name }) => jobHandlers({ ports: {} } as Runtime, {} as Runner).some(({ job }) => job.name === name))
        .map(({ name, on: [type] }) => [name, asking(name, type as string)]),
    ),
    'payment-status-to-tell': asking('tell-payment', 'invoice.payment_recorded', { data: { authorityReference: 'x' } }),
    'buyer-credit': {
      happens: async () => {
        const own = await collector(app)
        const buyerId = await own.life.buyer()
        const first = await own.life.issued({ buyerId })
        const account = await own.open({ mode: 'dynamic', invoiceId: first.id, amount: 1 })
        app.bank.control.receive({ accountNumber: account.accountNumber, amountMinor: 9_000_000, narration: '#lost' })
        await app.runJob('sweep-collection')
        await own.life.issued({ buyerId })
        return { organisationId: own.organisationId, item: own.organisationId }
      },
      spoil: refusingWork('use-credit'),
      isDone: isAskedFor('use-credit'),
    },
    'invoice-lists': {
      happens: drafted,
      spoil: refusing('invoice_listing'),
      isDone: ({ organisationId }) =>
        exists(sql`select from invoice_listing where organisation_id = ${organisationId}`),
    },
    'item-uses': {
      happens: () =>
        drafted(async ({ token }) => {
          const { id } = ok(await app.a.post('/i/v1/items', { token, body: item }), 201)
          return { lineItems: [{ itemId: id, quantity: 1 }] }
        }),
      spoil: refusing('items', 'update'),
      isDone: ({ organisationId }) =>
        exists(sql`select from items where organisation_id = ${organisationId} and use_count > 0`),
    },
    'recurring-invoices-to-send': {
      happens: async () => {
        const [scheduleId, invoiceId] = [newId(), newId()]
        const due = await insertEvent('invoice.accepted', { objectId: invoiceId })
        await app.owner.run(sql`
          insert into recurring_schedules (organisation_id, mode, id, name, status, recurrence, catch_up, made_by, next_number, created_at, updated_at)
          values (${due.organisationId}, 'sandbox', ${scheduleId}, 'Rent', 'ended', '{}', 'all', '{}', 2, now(), now())`)
        await app.owner.run(sql`
          insert into recurring_runs (organisation_id, mode, schedule_id, day, number, outcome, invoice_id, details, ran_at, is_sent_later)
          values (${due.organisationId}, 'sandbox', ${scheduleId}, '2026-11-01', 1, 'made', ${invoiceId}, '[]', now(), true)`)
        return due
      },
      spoil: refusingWork('send-accepted-recurring-invoice'),
      isDone: isAskedFor('send-accepted-recurring-invoice'),
    },
    'event-counts': {
      happens: () => insertEvent('member.joined'),
      spoil: refusing('event_counts'),
      isDone: ({ organisationId }) => exists(sql`select from event_counts where organisation_id = ${organisationId}`),
    },
  }

  beforeAll(() => app.stopWork())

  test('each consumer has a row here', () => {
    expect(Object.keys(byName).toSorted()).toEqual(consumers.map(({ name }) => name).toSorted())
  })

  // Each waits for three failures of its own consumer, so they wait side by side.
  test.concurrent.each(Object.entries(byName))(
    '%s sets aside the event that it fails on, and takes those before and behind it',
    async (name, { happens, spoil, isDone }) => {
      const consumer = consumers.find((one) => one.name === name)
      if (!consumer) throw new Error(`no consumer is called ${name}`)
      const follow = () =>
        startConsumers([{ ...consumer, restMs: 1 }], app.runtime, () => ({
          runtime: app.runtime,
          runner: app.runner,
          deadlineMs: 30_000,
          pace: { idleMs: 100, afterFailureMs: 10, asideEveryMs: 100 },
        }))
      // Up to now, before anything is spoilt.
      expect(await exists(sql`select from consumers where consumer = ${name}`)).toBe(true)
      const due: Due[] = []
      for (let nth = 0; nth < 3; nth++) due.push(await happens())
      const [first, bad, last] = due as [Due, Due, Due]
      const heal = await spoil(bad)
      const readers = follow()
      try {
        await eventually(async () => {
          expect([await isDone(first), await isDone(last)]).toEqual([true, true])
          expect(
            await exists(
              sql`select from set_aside_events where consumer = ${name} and organisation_id = ${bad.organisationId}`,
            ),
          ).toBe(true)
        })
        expect(await isDone(bad)).toBe(false)
        await heal()
        await app.owner.run(sql`update set_aside_events set retry_at = now() where consumer = ${name}`)
        await eventually(async () => {
          expect(await isDone(bad)).toBe(true)
          expect(await exists(sql`select from set_aside_events where consumer = ${name}`)).toBe(false)
        })
      } finally {
        await readers.stop()
      }
    },
  )
})

test('every job and every queue with a table of its own has a row, or a reason why it needs none', () => {
  const jobs = jobHandlers({ ports: {} } as Runtime, {} as Runner).map(({ job }) => job.name)
  const queues = [...ownQueues.map(({ name }) => `${name} queue`), 'webhooks fan-out']
  const shown = [
    ...Object.keys(rows).map((name) => name.split(':')[0]),
    ...Object.keys({ ...others, ...elsewhere }),
    ...single,
  ]
  expect([...new Set(shown)].toSorted()).toEqual([...jobs, ...queues].toSorted())
})

test.each(Object.entries(elsewhere))('%s has its row in %s', async (name, file) => {
  const text = await readFile(new URL(file, import.meta.url), 'utf8')
  expect(text).toContain('testRows(')
  expect(text).toContain(`  '${name}': {`)
})
