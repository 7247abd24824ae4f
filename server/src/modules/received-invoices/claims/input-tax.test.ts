import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { documentTo, type Receiver, receivedPath, receivers } from '../../../../../test/harness/receivers.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const { arrived, get, receiver } = receivers(() => app)

const tax = (category: string, taxable: number, percent: number) => ({
  taxable_amount: taxable,
  tax_amount: (taxable * percent) / 100,
  tax_category: { id: category, percent },
})

interface Charge {
  readonly net?: number
  readonly taxes?: readonly ReturnType<typeof tax>[]
}

/** A document with one line and consistent amounts. */
function amounts({ net = 1000, taxes = [tax('STANDARD_VAT', net, 7.5)] }: Charge = {}) {
  const [line] = documentTo('').invoice_line
  const due = taxes.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  return {
    tax_total: [{ tax_amount: due, tax_subtotal: taxes }],
    legal_monetary_total: {
      line_extension_amount: net,
      tax_exclusive_amount: net,
      tax_inclusive_amount: net + due,
      payable_amount: net + due,
    },
    invoice_line: [{ ...line, line_extension_amount: net, price: { price_amount: net, price_unit: 'EA' } }],
  }
}

let nth = 0
const irnOn = (day: string) => `TX${++nth}-59854B81-${day.replaceAll('-', '')}`

const dayIn = (irn = '20261110') => irn.slice(-8).replace(/^(....)(..)(..)$/, '$1-$2-$3')

interface SentInvoice extends Charge {
  readonly type?: 'standard' | 'credit_note' | 'debit_note'
  readonly corrects?: readonly string[]
  readonly day?: string
  readonly irn?: string
  readonly changes?: object
}
const codes = { standard: '381', credit_note: '380', debit_note: '384' } as const

function send(
  { taxId }: Receiver,
  { type = 'standard', corrects, irn, day = dayIn(irn), changes, ...charge }: SentInvoice = {},
) {
  const document = documentTo(taxId, {
    irn: irn ?? irnOn(day),
    issue_date: day,
    invoice_type_code: codes[type],
    ...amounts(charge),
    ...(corrects ? { billing_reference: corrects.map((one) => ({ irn: one, issue_date: day })) } : {}),
    ...changes,
  })
  return app.authority.control.receive({ document })
}

async function sendAll(person: Receiver, documents: readonly SentInvoice[]): Promise<void> {
  for (const document of documents) await arrived(person, send(person, document))
}

/** The incremental figures and a fresh count must agree. */
async function claimable({ token }: Receiver, form: 'A' | 'B' = 'A'): Promise<number> {
  const figure = async (query: string): Promise<number> =>
    (await app.client(form).get(`${receivedPath}/analytics${query}`, { token })).data.claimableTaxMinor
  const kept = await figure('')
  expect(await figure('?issueDateFrom=1900-01-01'), 'counted anew').toBe(kept)
  return kept
}

describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
  test('only VAT can be claimed, in figures and in lists', async () => {
    const person = await receiver()
    const irn = send(person, { taxes: [tax('STANDARD_VAT', 1000, 7.5), tax('TOURISM_TAX', 1000, 5)] })
    const item = await arrived(person, irn)
    expect(item).toMatchObject({ taxMinor: 12_500, inputVat: { claimable: true, claimableMinor: 7_500 } })
    expect((await get(person, item.id, form)).data.inputVat).toMatchObject({ claimableMinor: 7_500 })
    expect(await claimable(person, form)).toBe(7_500)
  })

  test('a credit note for a document that never counted reduces nothing', async () => {
    const person = await receiver()
    const faulty = irnOn('2026-11-10')
    const corrected = irnOn('2026-11-12')
    await sendAll(person, [
      { irn: faulty, changes: { due_date: '2026-11-01' } },
      { type: 'credit_note', corrects: [faulty], day: '2026-11-11' },
      { irn: corrected, day: '2026-11-12' },
    ])
    expect(await claimable(person, form)).toBe(7_500)
    expect((await get(person, corrected, form)).data.inputVat).toMatchObject({ claimable: true, claimableMinor: 7_500 })
    expect((await get(person, faulty, form)).data.inputVat).toMatchObject({ claimable: false, claimableMinor: 0 })
  })
})

describe('a credit note that names its invoice by the reference of a duplicate', () => {
  const twice = async (person: Receiver) => {
    const irn = irnOn('2026-11-10')
    const again = irn.replace('59854B81', '69854B82')
    const first = documentTo(person.taxId, { irn, ...amounts() })
    const kept = await arrived(person, app.authority.control.receive({ document: first }))
    const repeat = async () => {
      app.authority.control.receive({ document: { ...first, irn: again } })
      await eventually(async () => expect((await get(person, again)).data.id).toBe(kept.id))
    }
    return { again, repeat }
  }

  test('reduces the invoice', async () => {
    const person = await receiver()
    const { again, repeat } = await twice(person)
    await repeat()
    await sendAll(person, [{ type: 'credit_note', corrects: [again], day: '2026-11-11', net: 400 }])
    expect(await claimable(person)).toBe(4_500)
  })

  test('reduces the invoice even if the note arrived before the duplicate', async () => {
    const person = await receiver()
    const { again, repeat } = await twice(person)
    await sendAll(person, [{ type: 'credit_note', corrects: [again], day: '2026-11-11', net: 400 }])
    expect(await claimable(person)).toBe(7_500)
    await repeat()
    expect(await claimable(person)).toBe(4_500)
  })
})

const invoice = 'LIFE1-59854B81-20261110'
const first = 'LIFE2-59854B81-20261111'
const second = 'LIFE3-59854B81-20261112'
const original: SentInvoice = { irn: invoice }
const credit = (irn: string, corrects: string, net: number): SentInvoice => ({
  irn,
  type: 'credit_note',
  corrects: [corrects],
  net,
})
const debit = (irn: string, corrects: string, net: number): SentInvoice => ({
  irn,
  type: 'debit_note',
  corrects: [corrects],
  net,
})

test.each<[string, readonly SentInvoice[], number]>([
  ['a partial note', [original, credit(first, invoice, 400)], 4_500],
  ['a note before its invoice', [credit(first, invoice, 400), original], 4_500],
  ['a note whose invoice never comes', [credit(first, 'NEVER-59854B81-20261110', 400)], 0],
  ['notes of more than the invoice', [original, credit(first, invoice, 900), credit(second, invoice, 900)], 0],
  ['a debit note raises', [original, debit(first, invoice, 200)], 9_000],
  ['a credit note of a debit note', [original, debit(first, invoice, 200), credit(second, first, 200)], 7_500],
  [
    'a debit note that takes a credit note back',
    [original, credit(first, invoice, 400), debit(second, first, 400)],
    7_500,
  ],
  ['the same in the other order', [debit(second, first, 400), credit(first, invoice, 400), original], 7_500],
  [
    'a debit note that takes back what never counted',
    [{ ...original, changes: { due_date: '2026-11-01' } }, credit(first, invoice, 1000), debit(second, first, 1000)],
    0,
  ],
  ['a credit note that names another one', [original, credit(first, invoice, 400), credit(second, first, 200)], 3_000],
  [
    'a note of another supplier',
    [
      original,
      {
        ...credit(first, invoice, 400),
        changes: { accounting_supplier_party: { ...documentTo('').accounting_supplier_party, tin: '31111111-0001' } },
      },
    ],
    7_500,
  ],
  [
    'a note in another currency',
    [original, { ...credit(first, invoice, 400), changes: { document_currency_code: 'USD' } }],
    7_500,
  ],
  ['a note that names itself', [original, credit(first, first, 400)], 7_500],
])('%s', async (_, documents, expected) => {
  const person = await receiver()
  // The authority knows each reference once, so each receiver gets its own numbers.
  const own = (irn: string) => irn.replace('LIFE', `L${person.taxId.slice(0, 8)}`)
  await sendAll(
    person,
    documents.map((one) => ({ ...one, irn: own(one.irn ?? ''), corrects: (one.corrects ?? []).map(own) })).map(named),
  )
  expect(await claimable(person)).toBe(expected)
})

function named({ corrects, ...document }: SentInvoice): SentInvoice {
  return corrects?.length ? { ...document, corrects } : document
}

test('one credit note for several documents reduces each of them once', async () => {
  const person = await receiver()
  const [one, two] = [irnOn('2026-11-09'), irnOn('2026-11-10')]
  await sendAll(person, [
    { irn: one, day: '2026-11-09' },
    { irn: two },
    { type: 'credit_note', corrects: [one, two], net: 1500 },
  ])
  expect(await claimable(person)).toBe(3_750)
})

test('a note counts until the last day of its document, and the result is never negative', async () => {
  const owner = await receiver()
  // Years pass, which a session does not survive.
  const person = { ...owner, token: await app.key(owner.organisationId) }
  const old = irnOn('2022-01-10')
  await sendAll(person, [
    { irn: old, day: '2022-01-10' },
    { type: 'credit_note', corrects: [old], day: '2026-11-10', net: 400 },
    { day: '2026-11-10', net: 100 },
  ])
  expect(await claimable(person)).toBe(4_500 + 750)
  app.clock.set('2027-01-11T09:00:00Z')
  expect(await claimable(person)).toBe(750)
  expect((await get(person, old)).data.inputVat).toMatchObject({
    claimable: false,
    reason: 'too_old',
    claimableMinor: 0,
  })
  app.clock.set('2031-11-11T09:00:00Z')
  expect(await claimable(person)).toBe(0)
  app.clock.set('2026-11-15T09:00:00Z')
})

test('a document shows the amount that notes reduced', async () => {
  const person = await receiver()
  const [whole, note] = [irnOn('2026-11-10'), irnOn('2026-11-11')]
  await sendAll(person, [
    { irn: whole },
    { irn: note, type: 'credit_note', corrects: [whole], day: '2026-11-11', net: 400 },
  ])
  expect((await get(person, whole)).data.inputVat).toMatchObject({ claimable: true, claimableMinor: 4_500 })
  expect((await get(person, note)).data.inputVat).toMatchObject({
    claimable: false,
    reason: 'credit_note',
    claimableMinor: 0,
  })
  await sendAll(person, [{ type: 'credit_note', corrects: [whole], day: '2026-11-12', net: 600 }])
  expect((await get(person, whole)).data.inputVat).toMatchObject({
    claimable: false,
    reason: 'credited',
    claimableMinor: 0,
    claimableUntil: null,
  })
})
