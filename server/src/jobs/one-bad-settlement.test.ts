import { afterAll, beforeAll } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { type Collector, collector } from '../../../test/harness/collection.ts'
import { manyBankAccounts } from '../../../test/harness/collection-providers.ts'
import { badItems, type Due, type Row, testRows } from '../../../test/harness/one-bad-item.ts'
import { poison } from '../../../test/harness/poison.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ bank: true, now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const { exists, isFailing, refusing, runJob } = badItems(() => app)
const inPast = () => new Date(app.clock.now().getTime() - 60_000)

/** Sellers with the same bank account share a sub-account, and each asks for the settlements of all. */
const bankAccounts = manyBankAccounts(20)
/** Somebody paid into an account of an organisation of its own; the bank has told nobody. */
async function transferred(): Promise<{ own: Collector; reference: string }> {
  const own = await collector(app, bankAccounts.shift())
  const { accountNumber } = await own.open()
  const { reference } = app.bank.control.receive({ accountNumber, amountMinor: 100_000, narration: '#lost' })
  return { own, reference }
}
async function paid(): Promise<{ own: Collector; paymentId: string }> {
  const { own, reference } = await transferred()
  await app.runJob('sweep-collection')
  const { id } = await own.payment(reference)
  return { own, paymentId: id }
}
/** A seller whose virtual account does not lead to the sub-account yet. */
async function unpointed(): Promise<{ own: Collector; accountId: string }> {
  const own = await collector(app)
  const { id } = await own.open()
  await app.owner.run(sql`update virtual_accounts set sub_account_code = null where id = ${id}`)
  await app.owner.run(
    sql`update collection_sub_accounts set accounts_due_at = ${inPast()} where organisation_id = ${own.organisationId}`,
  )
  return { own, accountId: id }
}
const ofSeller = ({ organisationId, sellerId }: Collector): Due => ({ organisationId, item: sellerId })
const hasSubAccount = (condition: ReturnType<typeof sql>) => (due: Due) =>
  exists(sql`select from collection_sub_accounts where organisation_id = ${due.organisationId} and ${condition}`)

const rows: Readonly<Record<string, Row>> = {
  'sweep-sub-accounts': {
    make: async () => {
      const own = await collector(app)
      await app.owner.run(sql`
        update collection_sub_accounts set state = 'pending', due_at = ${inPast()} where organisation_id = ${own.organisationId}`)
      return ofSeller(own)
    },
    spoil: refusing('collection_sub_accounts', 'update', `and new.state = 'confirmed'`),
    run: runJob('sweep-sub-accounts'),
    isDone: hasSubAccount(sql`state = 'confirmed'`),
    isReported: isFailing('collection.sub_account_failed'),
  },
  'sweep-sub-accounts: a provider that was configured later': {
    make: async () => {
      const own = await collector(app)
      await app.owner.run(sql`delete from collection_sub_accounts where organisation_id = ${own.organisationId}`)
      return ofSeller(own)
    },
    spoil: refusing('collection_sub_accounts', 'insert'),
    run: runJob('sweep-sub-accounts'),
    isDone: hasSubAccount(sql`state = 'confirmed'`),
    isReported: isFailing('collection.sub_account_failed'),
  },
  'sweep-splits': {
    make: async () => {
      const { own, accountId } = await unpointed()
      return { organisationId: own.organisationId, item: accountId }
    },
    spoil: refusing('virtual_accounts', 'update', 'and new.sub_account_code is not null'),
    run: runJob('sweep-splits'),
    isDone: ({ item }) => exists(sql`select from virtual_accounts where id = ${item} and sub_account_code is not null`),
    isReported: isFailing('collection.account_not_pointed'),
  },
  'sweep-splits: what is left of a seller': {
    make: async () => ofSeller((await unpointed()).own),
    spoil: refusing('collection_sub_accounts', 'update', 'and new.accounts_due_at is null'),
    run: runJob('sweep-splits'),
    isDone: hasSubAccount(sql`accounts_due_at is null`),
    isReported: isFailing('collection.account_not_pointed'),
  },
  'follow-sandbox-settlements': {
    make: async () => ofSeller((await paid()).own),
    spoil: refusing('collection_settlements'),
    run: async () => {
      app.bank.control.settle()
      app.clock.advance({ minutes: 1 })
      await runJob('follow-sandbox-settlements')()
    },
    isDone: ({ organisationId }) =>
      exists(sql`select from collection_settlements where organisation_id = ${organisationId}`),
    isReported: isFailing('collection.settlements_not_followed'),
  },
  'compare-settlements': {
    make: async () => {
      const { own, paymentId } = await paid()
      // Paid out to nobody for longer than a long weekend.
      await app.owner.run(
        sql`update received_payments set received_at = (received_at at time zone 'UTC' - interval '6 days') at time zone 'UTC' where id = ${paymentId}`,
      )
      return { organisationId: own.organisationId, item: paymentId }
    },
    spoil: refusing('collection_differences'),
    run: runJob('compare-settlements'),
    isDone: ({ item }) => exists(sql`select from collection_differences where payment_id = ${item}`),
    isReported: isFailing('collection.settlement_not_compared'),
  },
  'collection queue': {
    make: async () => {
      const { own, reference } = await transferred()
      return { organisationId: own.organisationId, item: reference }
    },
    spoil: ({ item }) => poison(app, 'received_payments', `new.provider_reference = '${item}'`),
    run: async (due) => {
      for (const { item, organisationId } of due)
        await app.owner.run(sql`
          insert into collection_notifications (provider, mode, id, subject, organisation_id)
          values ('sandbox', 'sandbox', ${item}, ${item}, ${organisationId})`)
      app.runtime.wakeUp.send(['money'])
    },
    isDone: ({ item }) => exists(sql`select from received_payments where provider_reference = ${item}`),
    // The notification waits for its next attempt and has the reason, and the queue counts the failure.
    isReported: async ({ item }) =>
      (await exists(sql`
        select from collection_notifications where subject = ${item} and due_at is not null and outcome is not null and tries > 0`)) &&
      (app.runtime.ownQueueCounts.get('collection')?.failed ?? 0) > 0,
  },
}

testRows(rows)
