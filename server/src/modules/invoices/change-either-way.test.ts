import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../test/harness/issued.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Statement } from '../../platform/operations/operation.ts'
import type { DraftChange } from './drafts/draft.ts'
import { updateDraft } from './drafts/update-draft.ts'
import type { InvoiceId } from './invoice.ts'
import { finaliseInvoice } from './life/finalise-invoice.ts'
import { recordPayment } from './payments/payments.ts'

let app: TestApp
let own: Issuer
let life: Life
let callers: Record<string, TokenCaller>
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
  const of = async (token: string) => (await app.runtime.authentication.authenticate(token)).caller
  callers = { 'a person': await of(own.token), 'a program': await of(await app.key(own.organisationId)) }
})
afterAll(() => app.close())

/** Everything that a change wrote, without ids and times. */
const leftBy = (id: string): Promise<object> =>
  app.runtime.db.one(sql`
    select (select to_jsonb(i) - 'id' - 'number' from invoices i where id = ${id}) as invoice,
           (select jsonb_agg(to_jsonb(p) - 'invoice_id') from issued_parties p where invoice_id = ${id}) as parties,
           (select jsonb_agg(to_jsonb(p) - 'id' - 'invoice_id') from invoice_payments p where invoice_id = ${id}) as payments,
           (select jsonb_agg(to_jsonb(e) - 'id' - 'seq' - 'object_id' - 'xid' - 'position'
                               #- '{data,invoiceId}' #- '{data,invoiceNumber}' #- '{data,paymentId}' order by e.position)
              from events e where object_id = ${id} and request_id = ${origin.requestId}) as events`)

type Change<Input> = Statement<TokenCaller, Input, unknown>

const notThisWay = (): never => {
  throw new Error('it was to go another way')
}

/** None of the ways can fall back on another. */
const ways: Record<string, <Input>(change: Change<Input>) => Change<Input>> = {
  'in statements': (change) => ({ ...change, fallback: notThisWay }),
  'step by step': (change) => ({ ...change, fitsStatement: () => false, write: notThisWay }),
}

/** A reply as text, without ids and times. */
const spelled = (output: unknown): string =>
  JSON.stringify(output, (name, value) =>
    typeof value === 'bigint' ? `${value}` : ownNames.includes(name) ? '' : value,
  )
const ownNames = ['id', 'number', 'invoiceId']

async function made<Input>(way: Change<Input>, caller: TokenCaller, input: Input, key: string | undefined) {
  const call = { caller, origin, input }
  if (key === undefined) return spelled(await app.runner.run(way, call))
  const seal = (output: unknown) => {
    const sent = { status: 200, headers: {}, body: spelled(output) }
    return { sent, kept: sent }
  }
  const claim = { key, target: 'POST /either-way', body: '' }
  const first = await app.runner.runOnce(way, call, claim, seal)
  const again = await app.runner.runOnce(way, call, claim, seal)
  expect([first.replayed, again]).toEqual([false, { ...first, replayed: true }])
  return first.reply.body
}

/** Makes one change, and then several concurrent ones that share a statement, in each way, with and without keys. */
async function expectSameEitherWay<Input>(change: Change<Input>, caller: TokenCaller, inputs: () => Promise<Input>) {
  const results: Record<string, string[]> = {}
  const groups: number[] = []
  for (const [way, made_] of Object.entries(ways)) {
    for (const withKey of [false, true]) {
      const forced = made_(change)
      const { write } = forced
      const counted: Change<Input> = {
        ...forced,
        write: (db, tenant, planned) => {
          groups.push(planned.length)
          return write(db, tenant, planned)
        },
      }
      const sent = await Promise.all(Array.from({ length: 6 }, inputs))
      const reply = (input: Input) => made(counted, caller, input, withKey ? newId() : undefined)
      const replies = [await reply(sent[0] as Input), ...(await Promise.all(sent.slice(1).map(reply)))]
      const left = await Promise.all(sent.map((input) => leftBy((input as { id: string }).id)))
      results[`${way}${withKey ? ', with keys' : ''}`] = replies.map((reply, at) =>
        JSON.stringify({ reply: JSON.parse(reply), left: left[at] }),
      )
    }
  }
  expect(Math.max(...groups), 'some were written together').toBeGreaterThan(1)
  expect(groups, 'a single one goes as values').toContain(1)
  const [first] = (results['step by step'] as [string]).map((text) => JSON.parse(text))
  for (const [way, all] of Object.entries(results)) for (const one of all) expect(JSON.parse(one), way).toEqual(first)
  return first
}

const whoever = ['a person', 'a program']

test.each(whoever)('finalising a draft by %s writes the same by statement and fallback', async (who) => {
  const whole = await life.buyer()
  const address = JSON.stringify({ line1: '1 “Marina”', city: 'Lagos', country: 'NG' })
  await app.runtime.db.run(sql`
    update buyers set legal_name = 'L', trading_name = 'T', vat_number = 'V', registration_number = 'R', phone = '+2348030000000',
                      business_description = 'B', address = ${address}::jsonb where id = ${whole}`)
  await app.runtime.db.run(sql`
    update sellers set trading_name = 'T', vat_number = 'V', registration_number = 'R', address = ${address}::jsonb where id = ${own.sellerId}`)
  const bare = ok(await app.a.post('/i/v1/buyers', { token: own.token, body: { name: 'Bare' } }), 201).id
  await app.runtime.db.run(sql`
    insert into letterheads (organisation_id, bank, updated_at) values (${own.organisationId}, ${JSON.stringify({ bankName: 'B' })}::jsonb, now())
    on conflict do nothing`)
  const cases = [{ buyerId: whole }, { buyerId: bare }, { buyerId: null, invoiceKind: 'B2C' }, { dueDate: null }]
  for (const more of cases) {
    const result = await expectSameEitherWay(finaliseInvoice, callers[who] as TokenCaller, async () => ({
      id: (await life.draft(more)).id as InvoiceId,
    }))
    expect(result.left).toMatchObject({ invoice: { status: 'finalised', version: 2 }, parties: [{}], events: [{}] })
  }
})

test.each(whoever)('changing a draft by %s writes the same by statement and fallback', async (who) => {
  const quantity = { units: 2n, scale: 0 }
  const line = {
    description: 'Sand',
    hsnCode: '2505.10',
    unitCode: 'TNE',
    quantity,
    unitPrice: quantity,
    taxCategory: 'zero',
  }
  const changes: DraftChange[] = [
    { notes: 'Changed', purchaseOrderReference: 'PO', paymentTerms: null, issueTime: '10:00:00' },
    { lines: [line, line], allowance: { units: 10n, scale: 2 }, issueDate: '2026-11-03', kind: 'B2C', currency: 'USD' },
    { dueDate: null, buyerId: own.buyerId as never, sellerId: own.sellerId as never },
  ]
  for (const change of changes) {
    const result = await expectSameEitherWay(updateDraft, callers[who] as TokenCaller, async () => ({
      id: (await life.draft()).id as InvoiceId,
      change,
      expectedVersion: 1,
    }))
    expect(result.left).toMatchObject({ invoice: { status: 'draft', version: 2 }, events: [{}] })
  }
})

test.each(whoever)('recording a payment by %s writes the same by statement and fallback', async (who) => {
  for (const [amountMinor, events] of [
    [1n, 1],
    [1_451_411n, 2],
  ] as const) {
    const result = await expectSameEitherWay(recordPayment, callers[who] as TokenCaller, async () => ({
      id: (await life.issued()).id as InvoiceId,
      amount: { units: amountMinor, scale: 2 },
      paidOn: '2026-11-14',
      method: 'transfer',
      reference: null,
    }))
    expect(result.left).toMatchObject({ invoice: { version: 3 }, payments: [{}], events: Array(events).fill({}) })
  }
})

/** Runs `happening` between the plan of a change and its write. */
const after = <Input>(change: Change<Input>, happening: () => Promise<unknown>): Change<Input> => ({
  ...change,
  plan: async (context, input) => {
    const plan = await change.plan(context, input)
    await happening()
    return plan
  },
})

test('what changed between plan and write is checked again', async () => {
  const caller = callers['a person'] as TokenCaller
  const run = <Input>(change: Change<Input>, input: Input) => app.runner.run(change, { caller, origin, input })
  const rename = (buyerId: string, body: object) => app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body })
  const buyerId = await life.buyer()
  const { id } = await life.draft({ buyerId })
  await run(
    after(finaliseInvoice, () => rename(buyerId, { name: 'Renamed Limited' })),
    { id },
  )
  expect((await life.get(id)).buyer.name).toBe('Renamed Limited')

  const { id: second } = await life.draft()
  const changing = after(finaliseInvoice, () =>
    app.a.patch(`${path}/${second}`, { token: own.token, body: { notes: 'Late' } }),
  )
  expect(await run(changing, { id: second })).toMatchObject({ notes: 'Late', version: 3, status: 'finalised' })

  const { id: third } = await life.draft()
  const update = { id: third as InvoiceId, change: { notes: 'Mine' }, expectedVersion: 1 }
  await expect(
    run(
      after(updateDraft, () => life.act(third, 'finalise')),
      update,
    ),
  ).rejects.toMatchObject({
    refusal: 'version.stale',
  })

  const payment = {
    id: second as InvoiceId,
    amount: { units: 1_451_411n, scale: 2 },
    paidOn: '2026-11-14',
    method: null,
    reference: null,
  }
  await expect(
    run(
      after(recordPayment, () => life.pay(second, '1.00')),
      payment,
    ),
  ).rejects.toMatchObject({
    refusal: 'invoice.pay.too_much',
  })
})

test('concurrent changes of one invoice follow each other, and none is lost', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await life.issued()).id as string))
  const replies = await Promise.all(
    Array.from({ length: 48 }, (_, at) => life.pay(ids[at % 8] as string, '1.00', { reference: `${at}` })),
  )
  for (const reply of replies) ok(reply, 201)
  for (const id of ids) expect((await life.get(id)).paidMinor).toBe(600)
})

test('a change of a party waits for finalisations that copy it, and these do not wait for each other', async () => {
  const { id } = await life.draft()
  const [finalised, renamed] = await app.runtime.db.transaction(async (tx) => {
    // Another finalisation with the same parties is running.
    await tx.run(sql`select 1 from sellers where organisation_id = ${own.organisationId} for share`)
    await tx.run(
      sql`select 1 from buyers where organisation_id = ${own.organisationId} and id = ${own.buyerId} for share`,
    )
    const renaming = app.a.patch(`/i/v1/buyers/${own.buyerId}`, { token: own.token, body: { name: 'Later Limited' } })
    return [await life.act(id, 'finalise'), renaming] as const
  })
  expect(ok(finalised).buyer.name).toBe('Chidi Stores Limited')
  ok(await renamed)
  expectRefusal(await life.act(id, 'finalise'), 'invoice.finalise.not_draft')
})
