import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { issuerBeside } from '../../../../../test/harness/cluster.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { followLists } from '../../../../../test/harness/follow-lists.ts'
import { buyerDetails, type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../../test/harness/issued.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Decimal, parseDecimal } from '../../../kernel/decimal.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Statement } from '../../../platform/operations/operation.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { ItemId } from '../../items/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { Invoice } from '../invoice.ts'
import { createInvoice } from './create-invoice.ts'
import type { DraftInput, LineInput } from './draft.ts'
import type { InvoicePlan } from './plan-invoice.ts'

let app: TestApp
let own: Issuer
let other: TokenCaller
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  other = (await app.runtime.authentication.authenticate((await issuerBeside(app, own)).token)).caller
})
afterAll(() => app.close())

const path = '/i/v1/invoices'

/** Everything that a draft wrote, without ids, number and order. */
const leftBy = (id: string): Promise<object> =>
  eventually(async () => {
    await followLists(app.runtime.db, 1_000)
    const isOwn = sql`organisation_id = ${own.organisationId}`
    return await app.runtime.db.one(sql`
      select (select to_jsonb(i) - 'id' - 'number' from invoices i where ${isOwn} and id = ${id}) as invoice,
             (select jsonb_agg(to_jsonb(n) - 'reading' - 'invoice_id') from invoice_numbers n where ${isOwn} and invoice_id = ${id}) as numbers,
             (select jsonb_agg(to_jsonb(t) - 'invoice_id' order by item_id) from invoice_items t where ${isOwn} and invoice_id = ${id}) as items,
             (select jsonb_agg(to_jsonb(m) - 'id' - 'seq' - 'cause' - 'available_after')
                from credit_moves m where ${isOwn} and cause = 'invoice:' || ${id}) as moves,
             (select jsonb_agg(to_jsonb(e) - 'id' - 'seq' - 'object_id' - 'xid' - 'position'
                                 #- '{data,invoiceId}' #- '{data,invoiceNumber}')
                from events e where ${isOwn} and object_id = ${id}) as events,
             to_jsonb(l) - 'id' - 'number_key' as listed
        from invoice_listing l where ${isOwn} and id = ${id}`)
  })

/** The tenant's counters, and the reported uses of items. */
const counters = (): Promise<Record<string, number>> =>
  app.runtime.db.one(sql`
    select (select sum(next_number)::int from number_series where organisation_id = ${own.organisationId}) as numbers,
           b.available::int as available, b.spent::int as spent, b.version::int as version,
           (select coalesce(sum(u.value::int), 0)::int from events e, jsonb_each_text(e.data -> 'itemUses') as u
             where e.organisation_id = ${own.organisationId}) as uses
      from credit_balances b where b.organisation_id = ${own.organisationId} and b.mode = 'sandbox'`)

type Creation = Statement<TokenCaller, DraftInput, Invoice>

const notThisWay = (): never => {
  throw new Error('it was to go another way')
}
const asStatement: Creation = { ...createInvoice, fallback: notThisWay }
const planOf = (plan: unknown): InvoicePlan => plan as InvoicePlan

/** Another draft shares the statement, which then gets all of them as one text. */
const inGroup: Creation = {
  ...asStatement,
  write: async (db, tenant, planned) => {
    const others = planned.map((one) => {
      const { draft, number, ...rest } = planOf(one.plan)
      const keyed = one.keyed && { ...one.keyed, claim: { ...one.keyed.claim, key: newId() } }
      return { ...one, keyed, plan: { ...rest, draft: { ...draft, id: newId() }, number: number && `${number} too` } }
    })
    return (await createInvoice.write(db, tenant, [...planned, ...others]))?.slice(0, planned.length)
  },
}
/** The same beside drafts of another tenant. */
const beside: Creation = {
  ...asStatement,
  write: async (db, _, planned) => {
    const others = planned.map((one) => {
      const { draft, number, ...rest } = planOf(one.plan)
      const lines = draft.lines.map((line) => ({ ...line, itemId: null }))
      const theirs = { ...draft, id: newId(), buyerId: null, sellerId: null, lines }
      const keyed = one.keyed && { ...one.keyed, tenant: other.tenant }
      return { ...one, caller: other, keyed, plan: { ...rest, draft: theirs, number } }
    })
    const said = await createInvoice.writeShared?.(db, [...others, ...planned])
    expect(said).not.toContain(undefined)
    return said?.slice(others.length)
  },
}
const inSteps: Creation = { ...createInvoice, fitsStatement: () => false, write: notThisWay }

/** Each way, and how many drafts it makes at a time. None of them can fall back on another. */
const ways: Record<string, [way: Creation, drafts: number, withKey?: 'with a key']> = {
  'in one statement': [asStatement, 1],
  'in a statement with others': [inGroup, 2],
  'in a statement with others of another tenant': [beside, 1],
  'step by step': [inSteps, 1],
  'in one statement, with a key': [asStatement, 1, 'with a key'],
  'in a statement with others, all with keys': [inGroup, 2, 'with a key'],
  'in a statement with others of another tenant, all with keys': [beside, 1, 'with a key'],
  'step by step, with a key': [inSteps, 1, 'with a key'],
}

const spelled = (invoice: Invoice): string =>
  JSON.stringify(invoice, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/** The reply as text. With a key, the repeated request must give the same bytes. */
async function made(way: Creation, caller: TokenCaller, input: DraftInput, key: string | undefined): Promise<Invoice> {
  const call = { caller, origin, input }
  if (key === undefined) return JSON.parse(spelled(await app.runner.run(way, call)))
  const seal = (invoice: Invoice) => {
    const sent = { status: 201, headers: {}, body: spelled(invoice) }
    return { sent, kept: sent }
  }
  const claim = { key, target: 'POST /either-way', body: '' }
  const first = await app.runner.runOnce(way, call, claim, seal)
  const again = await app.runner.runOnce(createInvoice, call, claim, seal)
  expect([first.replayed, again]).toEqual([false, { ...first, replayed: true }])
  return JSON.parse(first.reply.body)
}

const decimal = (text: string) => parseDecimal(text) as Decimal
const line: LineInput = {
  description: 'Bag of cement',
  hsnCode: '2523.29',
  unitCode: 'XBG',
  quantity: decimal('3'),
  unitPrice: decimal('4500.50'),
  taxCategory: 'standard',
}
const plain = { type: 'standard', issueDate: '2026-11-02', currency: 'NGN', lines: [line] } as const
let given = 0
const newNumber = () => `Either ${++given}`

const drafts: Record<string, () => Promise<Partial<DraftInput>>> = {
  'one that says as little as it may': async () => ({}),
  'one that says all that it may': async () => {
    const saved = { name: 'Sand', itemType: 'goods', hsnCode: '2505.10', productCategory: 'Sand', unitCode: 'TNE' }
    const body = { ...saved, unitPriceMinor: '100', currency: 'NGN', taxCategory: 'zero' }
    const { id } = ok(await app.a.post('/i/v1/items', { token: own.token, body }), 201)
    const itemId = id as ItemId
    const saysAll = {
      ...line,
      itemName: 'Cement',
      productCategory: 'Cement',
      discount: { units: 1n, scale: 0 },
      fee: { units: 5n, scale: 1 },
    }
    return {
      kind: 'B2C',
      number: 'said',
      sellerId: own.sellerId as SellerId,
      primarySellerOnly: true,
      buyerId: own.buyerId as BuyerId,
      issueTime: '09:30:00',
      dueDate: '2026-12-02',
      lines: [saysAll, { itemId, quantity: decimal('2') }, { itemId, quantity: decimal('0.5') }],
      allowance: { units: 15n, scale: 1 },
      charge: { units: 25n, scale: 1 },
      declaredPaymentStatus: 'partially_paid',
      paymentTerms: 'Net 30',
      notes: 'Thanks',
      purchaseOrderReference: 'PO-1',
      buyerReference: 'B-1',
      accountingCost: 'C-1',
    }
  },
  'a prepayment for a government, in dollars': async () => ({
    type: 'prepayment',
    number: 'said',
    currency: 'USD',
    lines: [{ ...line, taxCategory: undefined, taxPercent: decimal('7.50') }],
    buyerId: (await lifeOf(app, own).buyer({ partyType: 'government' })) as BuyerId,
  }),
  'one for a registered buyer, of another seller': async () => ({
    buyerId: own.buyerId as BuyerId,
    sellerId: (await lifeOf(app, own).seller()) as SellerId,
  }),
  'one for a buyer without a number': async () => {
    const body = { name: buyerDetails.name }
    return { buyerId: ok(await app.a.post('/i/v1/buyers', { token: own.token, body }), 201).id }
  },
}

const callers: Record<string, () => Promise<TokenCaller>> = {
  'a person': async () => (await app.runtime.authentication.authenticate(own.token)).caller,
  'a program': async () => (await app.runtime.authentication.authenticate(await app.key(own.organisationId))).caller,
}

test.each(Object.keys(drafts).flatMap((draft) => Object.keys(callers).map((who) => [draft, who] as const)))(
  '%s, created by %s, writes the same by statement and fallback',
  async (name, who) => {
    const { number, ...said } = await (drafts[name] as () => Promise<Partial<DraftInput>>)()
    const caller = await (callers[who] as () => Promise<TokenCaller>)()
    // The series must exist for every way.
    await app.runner.run(createInvoice, { caller, origin, input: plain })
    const results: Record<string, object> = {}
    for (const [way, [operation, drafts, withKey]] of Object.entries(ways)) {
      const input: DraftInput = { ...plain, ...said, number: number && newNumber() }
      const before = await counters()
      const { id, number: numbered, ...invoice } = await made(operation, caller, input, withKey && newId())
      const after = await counters()
      const counted = Object.keys(after).map((at) => [at, ((after[at] as number) - (before[at] as number)) / drafts])
      expect(numbered).toBe(input.number ?? `INV${String(before.numbers).padStart(6, '0')}`)
      results[way] = { invoice, left: await leftBy(id), counted: Object.fromEntries(counted) }
    }
    const [first, ...others] = Object.entries(results) as [[string, object], ...[string, object][]]
    expect(first[1]).toMatchObject({
      left: { invoice: {}, numbers: [{}], moves: [{}], events: [{}], listed: {} },
      counted: { available: -1, spent: 1, version: 1, numbers: number === undefined ? 1 : 0 },
    })
    for (const [way, result] of others) expect(result, way).toEqual(first[1])
  },
)

test('after a lost connection nobody retries a write that may have committed', async () => {
  const { token } = own
  const before = await tracesOf(app, own)
  const send = () => app.a.post(path, { token, body: invoiceBody.A(own) })
  const [broken, waiting] = await app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from credit_balances where organisation_id = ${own.organisationId} for update`)
    const first = send()
    // Outside this transaction: inside it, the list of waiting sessions would be read only once.
    const { pid } = await eventually(async () => {
      const [found] = await listLockWaits(app.owner)
      if (!found) throw new Error('nobody waits yet')
      return found
    })
    const second = send()
    await tx.run(sql`select pg_terminate_backend(${pid}::int)`)
    return [await first, second] as const
  })
  expectRefusal(broken, 'dependency.unavailable')
  expect((await waiting).status).toBe(201)
  expect(await tracesOf(app, own)).toMatchObject({
    invoices: (before.invoices as number) + 1,
    credits: (before.credits as number) - 1,
  })
  await expectBooksInOrder(app)
})
