import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal } from '../../../../../test/harness/client.ts'
import { archivedBuyer } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { newId } from '../../../kernel/ids.ts'
import type { RefusalName } from '../../../kernel/refusals.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

/** Validates a draft, then saves it. Both must succeed with the same amounts, or fail with the same words. */
async function askThenSave(client: Client, body: object): Promise<string> {
  const { token } = own
  const asked = await client.post(`${path}/validate`, { token, body })
  const saved = await client.post(path, { token, body })
  if (saved.status !== 201) {
    expect(asked.body.error, `saved: ${saved.text}`).toEqual(saved.body.error)
    expect(asked.headers.get('risiti-reason')).toBe(saved.headers.get('risiti-reason'))
    return saved.headers.get('risiti-reason') as string
  }
  expect(asked.status, asked.text).toBe(200)
  const { netMinor, taxMinor, payableMinor } = saved.data
  expect(asked.data).toMatchObject({ netMinor, taxMinor, payableMinor })
  return 'saved'
}

const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }
let names = 0
const newNumber = () => `ASKED${++names}`

/** Requests that depend on existing rows; everything else is checked earlier, in one place for both. */
const situations: Record<string, (form: 'A' | 'B') => Promise<[more: object, outcome: RefusalName | 'saved']>> = {
  'a plain draft': async () => [{}, 'saved'],
  'an unknown buyer': async () => [{ buyerId: newId() }, 'invoice.buyer_unknown'],
  'an archived buyer': async () => [{ buyerId: await archivedBuyer(app, own) }, 'invoice.buyer_archived'],
  'an unknown seller': async () => [{ sellerId: newId() }, 'invoice.seller_unknown'],
  'another seller of the organisation': async (form) => [
    { sellerId: await life.seller() },
    form === 'A' ? 'invoice.seller_unknown' : 'saved',
  ],
  'a number that is taken': async () => [
    { invoiceNumber: (await life.draft({ invoiceNumber: newNumber() })).invoiceNumber.toLowerCase() },
    'invoice.number_taken',
  ],
  'a number that a deleted draft had': async () => {
    const { id, invoiceNumber } = await life.draft()
    ok(await app.a.delete(`${path}/${id}`, { token: own.token }))
    return [{ invoiceNumber }, 'invoice.number_taken']
  },
  'a due date before the issue date': async () => [{ dueDate: '2026-11-01' }, 'request.invalid'],
}

describe.each(['A', 'B'] as const)('in form %s, validating a draft gives the same refusals as saving it', (form) => {
  test.each(Object.keys(situations))('%s', async (name) => {
    const [more, outcome] = await (situations[name] as (typeof situations)[string])(form)
    expect(await askThenSave(app.client(form), invoiceBody[form](own, more))).toBe(outcome)
  })
})

test('the same holds for lines with saved items', async () => {
  const { token } = own
  const body = {
    name: 'Sand',
    itemType: 'goods',
    hsnCode: '2505.10',
    productCategory: 'Sand',
    unitCode: 'TNE',
    unitPriceMinor: '100',
    currency: 'NGN',
    taxCategory: 'zero',
  }
  const { id: itemId } = ok(await app.a.post('/i/v1/items', { token, body }), 201)
  const naming = (id: string) => invoiceBody.A(own, { lineItems: [{ itemId: id, quantity: 1 }] })
  expect(await askThenSave(app.a, naming(itemId))).toBe('saved')
  expect(await askThenSave(app.a, naming(newId()))).toBe('invoice.item_unknown')
  ok(await app.a.post(`/i/v1/items/${itemId}/archive`, { token }))
  expect(await askThenSave(app.a, naming(itemId))).toBe('invoice.item_archived')
})

const noteOn = (originalInvoiceNumber: string, more: object = {}) =>
  invoiceBody.B(own, { invoiceType: 'credit_note', originalInvoiceNumber, ...more })

describe('the same holds for notes', () => {
  test('on documents that cannot have notes', async () => {
    const draft = await life.draft()
    expect(await askThenSave(app.b, noteOn(draft.invoiceNumber))).toBe('invoice.original_unknown')
    expect(await askThenSave(app.b, noteOn('NOBODYS1'))).toBe('invoice.original_unknown')
    const issued = await life.issued()
    expect(await askThenSave(app.b, noteOn(issued.invoiceNumber, { currency: 'USD' }))).toBe('request.invalid')
    await life.become(issued.id, 'cancelled')
    expect(await askThenSave(app.b, noteOn(issued.invoiceNumber))).toBe('invoice.note.not_possible')
  })

  test('on an invoice whose buyer is archived: the note may name that buyer, and no other archived one', async () => {
    const buyerId = await life.buyer()
    const issued = await life.issued({ buyerId })
    ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token: own.token }))
    const asked = { buyerId: await archivedBuyer(app, own) }
    expect(await askThenSave(app.b, noteOn(issued.invoiceNumber, asked))).toBe('invoice.buyer_archived')
    for (const invoiceType of ['debit_note', 'credit_note'])
      expect(await askThenSave(app.b, noteOn(issued.invoiceNumber, { buyerId, invoiceType }))).toBe('saved')
  })

  test('that fit only after rounding to what is left', async () => {
    // 3 × 0.07 with 7.5 per cent is 0.23. Each 0.07 alone gives 0.08, which would add up to 0.24.
    const line = { ...goods, unitPrice: 0.07, taxPercent: 7.5 }
    const issued = await life.issued({ lineItems: [{ ...line, quantity: 3 }] }, 'B')
    expect(issued.payableMinor).toBe(23)
    const one = noteOn(issued.invoiceNumber, { lineItems: [{ ...line, quantity: 1 }] })
    const outcomes = []
    for (const _ of 'four') outcomes.push(await askThenSave(app.b, { ...one, invoiceNumber: newNumber() }))
    expect(outcomes).toEqual(['saved', 'saved', 'saved', 'invoice.note.too_much'])
  })

  test('of any lines, after any earlier credits', async () => {
    const rated = (quantity: number, taxPercent: number) => ({ ...goods, quantity, unitPrice: 0.07, taxPercent })
    const line = fc
      .tuple(fc.constantFrom(1, 1, 2), fc.constantFrom(7.5, 7.5, 0))
      .map(([quantity, taxPercent]) => rated(quantity, taxPercent))
    const notes = fc.array(fc.array(line, { minLength: 1, maxLength: 2 }), { minLength: 4, maxLength: 6 })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(notes, async (each) => {
        const { invoiceNumber } = await life.issued({ lineItems: [rated(3, 7.5), rated(1, 0)] }, 'B')
        for (const lines of each) seen.add(await askThenSave(app.b, noteOn(invoiceNumber, { lineItems: lines })))
      }),
      { numRuns: casesToTry(4, 12), endOnFailure: true, seed: 15 },
    )
    expect([...seen].sort()).toEqual(['invoice.note.too_much', 'saved'])
  })
})

test('a note with another buyer can get the buyer of its original again, even if archived', async () => {
  const { token } = own
  const buyerId = await life.buyer()
  const issued = await life.issued({ buyerId })
  const note = ok(await life.credit(issued.id), 201)
  ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token }))
  const named = (id: string) => app.a.patch(`${path}/${note.id}`, { token, body: { buyerId: id } })
  ok(await named(own.buyerId))
  expectRefusal(await named(await archivedBuyer(app, own)), 'invoice.buyer_archived')
  expect(ok(await named(buyerId)).buyerId).toBe(buyerId)
})
