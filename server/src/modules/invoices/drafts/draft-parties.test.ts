import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { archivedBuyer, tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { newId } from '../../../kernel/ids.ts'
import type { RefusalName } from '../../../kernel/refusals.ts'

let app: TestApp
let own: Issuer
let stranger: Issuer
let otherSeller: string
let archived: string
let ofOtherMode: string
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  stranger = await issuer(app)
  archived = await archivedBuyer(app, own)
  const live = await app.key(own.organisationId, { mode: 'live' })
  ofOtherMode = (await app.a.post('/i/v1/buyers', { token: live, body: { name: 'Live one' } })).data.id
  const seller = await app.b.post('/i/v1/sellers', {
    token: own.token,
    body: {
      partyName: 'Eze Transport',
      taxNumber: '50000001-0001',
      email: 't@eze.ng',
      phoneNumber: '0801',
      postalAddress: { line1: '1 Marina', city: 'Lagos', country: 'NG' },
    },
  })
  otherSeller = seller.data.id
})
afterAll(() => app.close())

const path = '/i/v1/invoices'

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const cases: [what: string, more: () => object, refusal: RefusalName][] = [
    ['an unknown buyer', () => ({ buyerId: newId() }), 'invoice.buyer_unknown'],
    ['a stranger’s buyer', () => ({ buyerId: stranger.buyerId }), 'invoice.buyer_unknown'],
    ['a buyer of the other mode', () => ({ buyerId: ofOtherMode }), 'invoice.buyer_unknown'],
    ['an archived buyer', () => ({ buyerId: archived }), 'invoice.buyer_archived'],
    ['an unknown seller', () => ({ sellerId: newId() }), 'invoice.seller_unknown'],
    ['a stranger’s seller', () => ({ sellerId: stranger.sellerId }), 'invoice.seller_unknown'],
    ['a taken number', () => ({ invoiceNumber: 'INV000001' }), 'invoice.number_taken'],
  ]
  if (form === 'A')
    cases.push(['a seller that is not the organisation', () => ({ sellerId: otherSeller }), 'invoice.seller_unknown'])
  else
    cases.push(
      [
        'a note on nothing',
        () => ({ invoiceType: 'credit_note', originalInvoiceNumber: 'NONE' }),
        'invoice.original_unknown',
      ],
      [
        'a note on what cannot be read',
        () => ({ invoiceType: 'debit_note', originalInvoiceNumber: '—' }),
        'invoice.original_unknown',
      ],
    )

  test.each(cases)('%s is refused by all routes for drafts, without effect', async (_, more, refusal) => {
    const before = await tracesOf(app, own)
    const sending = { token: own.token, body: invoiceBody[form](own, more()) }
    const saved = await app.client(form).post(path, sending)
    expectRefusal(saved, refusal)
    const keyed = await app.client(form).post(path, { ...sending, headers: { 'idempotency-key': 'refused-1' } })
    const validated = await app.client(form).post(`${path}/validate`, sending)
    for (const reply of [keyed, validated]) {
      expectRefusal(reply, refusal)
      expect(reply.body.error).toEqual(saved.body.error)
    }
    expect(await tracesOf(app, own)).toEqual(before)
  })

  test('of several refusals, both routes name the same', async () => {
    const taken = { invoiceNumber: 'INV000001' }
    const worst = [
      { ...taken, buyerId: newId(), sellerId: newId() },
      { ...taken, sellerId: newId() },
      ...(form === 'A' ? [] : [{ buyerId: newId(), invoiceType: 'credit_note', originalInvoiceNumber: 'NONE' }]),
    ]
    for (const more of worst) {
      const sending = { token: own.token, body: invoiceBody[form](own, more) }
      const [saved, validated] = await Promise.all(
        [path, `${path}/validate`].map((at) => app.client(form).post(at, sending)),
      )
      expect(validated?.body.error).toEqual(saved?.body.error)
    }
  })
})

test('a deleted buyer disappears from its drafts, and a renamed one is renamed on them', async () => {
  const { token } = own
  const newBuyer = await app.a.post('/i/v1/buyers', { token, body: { name: 'Ada Foods' } })
  const buyerId = newBuyer.data.id as string
  const made = await app.a.post(path, { token, body: invoiceBody.A({ buyerId }) })
  const read = async () => (await app.a.get(`${path}/${made.data.id}`, { token })).data
  expect(await read()).toMatchObject({ buyerId, buyer: { name: 'Ada Foods', taxId: null } })
  await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { name: 'Ada Foods Plc' } })
  expect(await read()).toMatchObject({ buyer: { name: 'Ada Foods Plc' } })
  expect((await app.a.delete(`/i/v1/buyers/${buyerId}`, { token })).status).toBe(200)
  expect(await read()).toMatchObject({ buyerId: null, buyer: null })
  const edited = await app.a.patch(`${path}/${made.data.id}`, { token, body: { notes: 'without a buyer' } })
  expect(edited.data).toMatchObject({ buyerId: null, notes: 'without a buyer' })
})
