import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { badItems, type Due, type Row, testRows } from '../../../test/harness/one-bad-item.ts'
import { poison } from '../../../test/harness/poison.ts'
import { documentTo, receivers } from '../../../test/harness/receivers.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const { exists, isFailing } = badItems(() => app)
const { arrived, poll, receiver } = receivers(() => app)

/** The tax number of whom a document is for, by the document's number. */
const buyers = new Map<string, string>()
const newReference = () => `DOC${randomUUID().slice(0, 6).toUpperCase()}-59854B81-20261110`
const send = (irn: string) =>
  app.authority.control.receive({ document: documentTo(buyers.get(irn) ?? '', { irn }), unchecked: true })

/** An organisation that will be sent a document. */
async function awaiting(): Promise<Due> {
  const { organisationId, taxId } = await receiver()
  const item = newReference()
  buyers.set(item, taxId)
  return { organisationId, item }
}
async function sendAll(due: readonly Due[]): Promise<void> {
  for (const { item } of due) send(item)
  await poll().catch(() => {})
}
/** A document that was sent, stored and acknowledged. */
async function held(): Promise<Due> {
  const person = await receiver()
  const item = newReference()
  buyers.set(item, person.taxId)
  send(item)
  await poll()
  await arrived(person, item)
  return { organisationId: person.organisationId, item }
}
const refusing =
  (table: string, on: 'insert' | 'update', more = '') =>
  ({ item }: Due) =>
    poison(app, table, `new.reference = '${item}' ${more}`, on)
const both =
  (...spoilers: Row['spoil'][]): Row['spoil'] =>
  async (due) => {
    const heals: (() => Promise<void>)[] = []
    for (const spoil of spoilers) heals.push(await spoil(due))
    return async () => {
      for (const heal of heals) await heal()
    }
  }
const isStored = ({ item }: Due) => exists(sql`select from received_invoices where reference = ${item}`)

const rows: Readonly<Record<string, Row>> = {
  'follow-feed': {
    make: awaiting,
    spoil: refusing('received_arrivals', 'insert'),
    run: sendAll,
    isDone: isStored,
    isReported: ({ item }) =>
      exists(sql`select from received_references where reference = ${item} and problem is not null and tries > 0`),
  },
  'follow-feed: one that cannot even be set aside': {
    make: awaiting,
    spoil: both(refusing('received_arrivals', 'insert'), refusing('received_references', 'update')),
    run: sendAll,
    isDone: isStored,
    isReported: isFailing('received.not_fetched'),
  },
  'receive-invoices': {
    make: awaiting,
    spoil: refusing('received_invoices', 'insert'),
    run: sendAll,
    isDone: isStored,
    isReported: ({ item }) =>
      exists(sql`select from received_arrivals where reference = ${item} and problem is not null and tries > 0`),
  },
  'acknowledge-invoices': {
    make: awaiting,
    spoil: refusing('received_invoices', 'update', 'and new.acknowledged_at is not null'),
    run: sendAll,
    isDone: ({ item }) =>
      exists(sql`select from received_invoices where reference = ${item} and acknowledged_at is not null`),
    isReported: isFailing('received.not_acknowledged'),
  },
  'check-received-payments': {
    make: held,
    spoil: refusing('received_invoices', 'update', 'and new.payment_checks > 0'),
    run: async (due) => {
      const references = due.map(({ item }) => item)
      await app.owner.run(sql`
        update received_invoices set payment_check_at = ${app.clock.now()} where reference = any (${references}::text[])`)
      await poll().catch(() => {})
    },
    isDone: ({ item }) => exists(sql`select from received_invoices where reference = ${item} and payment_checks > 0`),
    isReported: isFailing('received.payment_not_checked'),
  },
}

testRows(rows)
