import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { followAllLists } from '../../../../../test/harness/follow-lists.ts'
import { expectInvoicesAddUp } from '../../../../../test/harness/invoice-identity.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok, payableMinor } from '../../../../../test/harness/issued.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const forms = ['A', 'B'] as const
type FormName = (typeof forms)[number]
const number = (form: FormName, text: string) => (form === 'A' ? text : Number(text))
/** A deposit that is overdue, one that is due today, and one in the future. */
const inThree = (form: FormName = 'A') => ({
  invoiceDate: '2026-10-15',
  dueDate: undefined,
  instalments: [
    { dueDate: '2026-10-15', percent: number(form, '33.3333') },
    { dueDate: '2026-11-15', percent: number(form, '33.3333') },
    { dueDate: '2026-12-15', percent: number(form, '33.3334') },
  ],
})
const parts = [483_803, 483_803, 483_805]
const get = async (what: string, form: FormName = 'A') => ok(await app.client(form).get(what, { token: own.token }))
const list = async (filter: string): Promise<string[]> =>
  (await get(`${invoicesPath}?limit=100&${filter}`)).map(({ id }: { id: string }) => id)
const patch = (id: string, body: object, form: FormName = 'A') =>
  app.client(form).patch(`${invoicesPath}/${id}`, { token: own.token, body })

describe.each(forms)('form %s', (form) => {
  test('shows each instalment with what is left of it', async () => {
    const draft = await life.draft(inThree(form), form)
    expect(draft).toMatchObject({ dueDate: '2026-12-15', nextDueDate: '2026-10-15', overdueMinor: 0, overdue: false })
    ok(await life.act(draft.id, 'finalise'))
    const invoice = await get(`${invoicesPath}/${draft.id}`, form)
    expect(invoice.instalments).toEqual(
      ['2026-10-15', '2026-11-15', '2026-12-15'].map((dueDate, at) => ({
        dueDate,
        percent: at < 2 ? '33.3333' : '33.3334',
        amountMinor: parts[at],
        dueMinor: parts[at],
        status: at === 0 ? 'overdue' : 'unpaid',
      })),
    )
    expect(invoice).toMatchObject({ nextDueMinor: parts[0], overdueMinor: parts[0], overdue: true })
    ok(await life.pay(draft.id, '5000.00'), 201)
    expect(await get(`${invoicesPath}/${draft.id}`, form)).toMatchObject({
      nextDueDate: '2026-11-15',
      nextDueMinor: 2 * (parts[0] as number) - 500_000,
      overdueMinor: 0,
      overdue: false,
      dueMinor: payableMinor - 500_000,
    })
  })

  test('lists every fault of a draft’s instalments', async () => {
    const reply = await app.client(form).post(invoicesPath, {
      token: own.token,
      body: invoiceBody[form](own, {
        dueDate: '2026-12-31',
        instalments: [
          { dueDate: '2026-11-20', amount: number(form, '10') },
          { dueDate: '2026-11-20', percent: number(form, '50') },
          { dueDate: '2026-11-01', amount: number(form, '10'), percent: number(form, '10') },
        ],
      }),
    })
    expectRefusal(reply, 'request.invalid')
    expect(faultPaths(reply).toSorted()).toEqual([
      'dueDate',
      'instalments[1].dueDate',
      'instalments[2]',
      'instalments[2].dueDate',
    ])
    const badNumbers = await app.client(form).post(invoicesPath, {
      token: own.token,
      body: invoiceBody[form](own, {
        dueDate: undefined,
        instalments: [
          { dueDate: '2026-11-20', amount: number(form, '-1') },
          { dueDate: '2026-11-21', amount: number(form, '0.001') },
        ],
      }),
    })
    expect(faultPaths(badNumbers).toSorted()).toEqual(['instalments[0].amount', 'instalments[1].amount'])
    const bad = { dueDate: '2026-11-20', percent: number(form, '100') }
    for (const instalments of [[bad], Array.from({ length: 25 }, () => bad)])
      expect(
        faultPaths(
          await app.client(form).post(invoicesPath, {
            token: own.token,
            body: invoiceBody[form](own, { dueDate: undefined, instalments }),
          }),
        ),
      ).toEqual(['instalments'])
  })
})

test('validating says what creating would', async () => {
  const body = invoiceBody.A(own, {
    dueDate: undefined,
    instalments: [
      { dueDate: '2026-11-20', amount: '10' },
      { dueDate: '2026-11-21', amount: '11' },
    ],
  })
  const [validated, created] = [
    await app.a.post(`${invoicesPath}/validate`, { token: own.token, body }),
    await app.a.post(invoicesPath, { token: own.token, body }),
  ]
  expect(faultPaths(created)).toEqual(['instalments'])
  expect(validated.data).toEqual(created.data)
  expect(created.text).toContain('NGN 14,514.11; they are NGN 21.00')
})

test('a draft’s percentages follow its total, amounts must be sent again, and null removes both', async () => {
  const { id } = await life.draft(inThree())
  const lineItems = [
    {
      description: 'Cement',
      hsnCode: '2523.29',
      unitCode: 'XBG',
      quantity: '1',
      unitPrice: '100',
      taxCategory: 'exempt',
    },
  ]
  const changed = ok(await patch(id, { lineItems }))
  expect(changed.instalments.map(({ amountMinor }: { amountMinor: number }) => amountMinor)).toEqual([3333, 3333, 3334])
  const amounts = [
    { dueDate: '2026-11-20', amount: '60' },
    { dueDate: '2026-12-20', amount: '40' },
  ]
  expect(ok(await patch(id, { instalments: amounts }))).toMatchObject({ dueDate: '2026-12-20', nextDueMinor: 6000 })
  const dearer = [{ ...lineItems[0], unitPrice: '101' }]
  const refused = await patch(id, { lineItems: dearer })
  expect(faultPaths(refused)).toEqual(['instalments'])
  expect(faultPaths(await patch(id, { dueDate: '2027-01-01' }))).toEqual(['dueDate'])
  expect(faultPaths(await patch(id, { invoiceDate: '2026-11-30' }))).toEqual(['instalments[0].dueDate'])
  expect(faultPaths(await patch(id, { dueDate: null }))).toEqual(['dueDate'])
  expect(ok(await patch(id, { dueDate: null, instalments: amounts }))).toMatchObject({ dueDate: '2026-12-20' })
  expect(ok(await patch(id, { lineItems: dearer, instalments: null }))).toMatchObject({
    instalments: null,
    dueDate: '2026-12-20',
    nextDueDate: '2026-12-20',
    nextDueMinor: 10_100,
  })
  const events = await app.runtime.db.rows<{ data: { changed: string[] } }>(
    sql`select data from events where object_id = ${id} and type = 'invoice.updated' order by position desc limit 1`,
  )
  expect(events[0]?.data.changed).toContain('instalments')
})

test('payments, reversals and credit notes settle the oldest first, and everything still adds up', async () => {
  const { id } = await life.issued(inThree())
  const left = async () => (await life.get(id)).instalments.map(({ dueMinor }: { dueMinor: number }) => dueMinor)
  const { payment } = ok(await life.pay(id, '6000'), 201)
  expect(await left()).toEqual([0, 367_606, 483_805])
  const note = ok(await life.credit(id, { amount: '4000' }), 201)
  expect(await left()).toEqual([0, 367_606, 483_805])
  ok(await life.act(note.id, 'finalise'))
  expect(await left()).toEqual([0, 0, 451_411])
  ok(await app.a.delete(`${invoicesPath}/${id}/payments/${payment.id}`, { token: own.token }))
  expect(await left()).toEqual([83_803, 483_803, 483_805])
  ok(await life.pay(id, '10514.11'), 201)
  expect(await life.get(id)).toMatchObject({ paymentStatus: 'paid', nextDueDate: null, nextDueMinor: 0 })
  await expectInvoicesAddUp(app, own.token)
})

test('a reopened invoice keeps its instalments as a draft, and an issued one never changes them', async () => {
  const { id } = await life.issued(inThree())
  expectRefusal(await patch(id, { instalments: null }), 'invoice.edit.not_draft')
  await expect(app.runtime.db.run(sql`update invoices set instalments = null where id = ${id}`)).rejects.toThrow(
    'an issued document cannot be changed',
  )
  const draft = ok(await life.act(id, 'reopen'))
  expect(draft.instalments).toHaveLength(3)
  await expect(
    app.runtime.db.run(
      sql`update invoices set payable_minor = payable_minor + 1, net_minor = net_minor + 1 where id = ${id}`,
    ),
  ).rejects.toThrow('a document that does not add up cannot be saved')
})

test('a credit note has no instalments, a debit note can', async () => {
  const original = await life.issued({}, 'B')
  const noteWith = (invoiceType: string) =>
    app.b.post(invoicesPath, {
      token: own.token,
      body: invoiceBody.B(own, {
        ...inThree('B'),
        invoiceType,
        invoiceDate: '2026-10-15',
        originalInvoiceNumber: original.invoiceNumber,
      }),
    })
  expect(faultPaths(await noteWith('credit_note'))).toEqual(['instalments'])
  const { id } = ok(await noteWith('debit_note'), 201)
  expect(ok(await patch(id, { notes: 'More freight' }, 'B')).instalments).toHaveLength(3)
})

describe('lists, overview and statement of account agree', () => {
  test.each([false, true])('with an up-to-date listing: %s', async (isFollowed) => {
    const other = await issuer(app)
    const [before, beforeLife] = [own, life]
    own = other
    life = lifeOf(app, other)
    try {
      const buyerId = await life.buyer()
      const days = (...dueDates: string[]) => ({
        buyerId,
        invoiceDate: '2026-08-01',
        dueDate: undefined,
        instalments: dueDates.map((dueDate) => ({ dueDate, percent: String(100 / dueDates.length) })),
      })
      // Two parts of one age and one that is not due; a plain one; one whose overdue part is paid.
      const { id: spread } = await life.issued(days('2026-11-01', '2026-11-08', '2026-12-01', '2027-01-01'))
      const { id: plain } = await life.issued({ buyerId, dueDate: '2026-11-10' })
      const { id: paid } = await life.issued(days('2026-09-01', '2026-12-24'))
      ok(await life.pay(paid, '7257.06'), 201)
      const { id: old } = await life.issued(days('2026-08-05', '2026-11-01'))
      if (isFollowed) await followAllLists(app.runtime.db, 1_000)
      const ids = (...some: string[]) => some.toSorted()
      const shown = async (filter: string) => (await list(`buyerId=${buyerId}&${filter}`)).toSorted()
      expect(await shown('overdue=true')).toEqual(ids(spread, plain, old))
      expect(await shown('dueDateTo=2026-11-05')).toEqual(ids(spread, old))
      expect(await list(`buyerId=${buyerId}&sortBy=dueDate&sortOrder=ASC`)).toEqual([old, spread, plain, paid])
      const quarter = [362_853, 362_853, 362_853, 362_852]
      const { receivables } = await get('/i/v1/overview')
      const expected = [
        { age: 'not_due', count: 2, dueMinor: 362_853 + 362_852 + 725_705, shown: ids(spread, paid) },
        { age: '1_30', count: 3, dueMinor: 2 * 362_853 + payableMinor + 725_705, shown: ids(spread, plain, old) },
        { age: 'over_90', count: 1, dueMinor: 725_706, shown: ids(old) },
      ]
      expect(quarter.reduce((sum, one) => sum + one, 0)).toBe(payableMinor)
      expect(receivables).toEqual(expected.map(({ shown: _, ...row }) => ({ ...row, currency: 'NGN' })))
      for (const { age, shown: rows } of expected) {
        expect(await shown(`age=${age}`)).toEqual(rows)
        // Alone, the filter uses the kept count for its total.
        const page = await app.a.get(`${invoicesPath}?age=${age}`, { token: own.token })
        expect(page.body.meta.pagination.total).toBe(rows.length)
      }
      const { ages, closingMinor } = await get(`/i/v1/buyers/${buyerId}/statement-of-account`)
      expect(ages).toMatchObject({
        notDueMinor: expected[0]?.dueMinor,
        days1To30Minor: expected[1]?.dueMinor,
        over90DaysMinor: expected[2]?.dueMinor,
        creditMinor: 0,
      })
      expect(closingMinor).toBe(expected.reduce((sum, { dueMinor }) => sum + dueMinor, 0))
      const overdue = (await get(`${invoicesPath}?buyerId=${buyerId}`)).reduce(
        (sum: number, one: { overdueMinor: number }) => sum + one.overdueMinor,
        0,
      )
      expect(overdue).toBe((expected[1]?.dueMinor ?? 0) + (expected[2]?.dueMinor ?? 0))
    } finally {
      own = before
      life = beforeLife
    }
  })
})
