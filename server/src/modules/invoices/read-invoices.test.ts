import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { emitChanges } from '../../../../test/harness/follow-lists.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../test/harness/issued.ts'
import type { OrganisationId } from '../../kernel/ids.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

describe('the status', () => {
  const statusOf = (form: 'A' | 'B', id: string) => app.client(form).get(`${path}/${id}/status`, { token: own.token })

  test('is returned without lines, with the version', async () => {
    const draft = await life.draft()
    const reply = await statusOf('A', draft.id)
    const report = {
      outcome: 'not_submitted',
      message: 'The document was not submitted to the tax authority.',
      reference: null,
      sha256: null,
      retriesLeft: 5,
      nextAttemptAt: null,
      refusals: [],
      canReopen: false,
      canRetry: false,
      canCancel: false,
      authorityOutage: null,
    }
    expect(ok(reply)).toEqual({
      id: draft.id,
      invoiceNumber: draft.invoiceNumber,
      status: 'draft',
      simpleStatus: 'draft',
      paymentStatus: 'unpaid',
      reporting: { status: 'draft', delivery: 'none', irn: null, dueAt: null, reportedAt: null, late: false },
      submittedAt: null,
      updatedAt: draft.updatedAt,
      report,
    })
    expect(reply.headers.get('etag')).toBe('"1"')
    expect(ok(await statusOf('B', draft.id))).toEqual({
      id: draft.id,
      invoiceNumber: draft.invoiceNumber,
      status: 'draft',
      paymentStatus: 'unpaid',
      authorityReference: null,
      reporting: { status: 'draft', delivery: 'none', irn: null, dueAt: null, reportedAt: null, late: false },
      submittedAt: null,
      updatedAt: draft.updatedAt,
      report,
    })
  })

  test.each([
    ['finalised', 'finalised', 'issued', 'not_reported'],
    ['queued', 'queued', 'issued', 'in_progress'],
    ['signed', 'pending', 'issued', 'in_progress'],
    ['transmitted', 'pending', 'reported', 'in_progress'],
    ['accepted', 'accepted', 'reported', 'reported'],
    ['rejected', 'rejected', 'issued', 'needs_attention'],
    ['failed', 'failed', 'issued', 'needs_attention'],
    ['cancellation_pending', 'cancelled', 'issued', 'in_progress'],
    ['cancelled', 'cancelled', 'cancelled', 'reported'],
  ])('%s is %s in the other form, and %s to people', async (status, there, simpleStatus, reporting) => {
    const { id } = await once()
    await life.become(id, status)
    expect(ok(await statusOf('A', id))).toMatchObject({ status, simpleStatus, reporting: { status: reporting } })
    expect(ok(await statusOf('B', id)).status).toBe(there)
  })
  let first: ReturnType<Life['issued']> | undefined
  const once = () => {
    first ??= life.issued()
    return first
  }
})

describe('statistics', () => {
  let mine: Issuer
  let lives: Life
  const statistics = async (form: 'A' | 'B', query = '', { token }: Person = mine) =>
    ok(await app.client(form).get(`${path}/statistics${query}`, { token }))
  beforeAll(async () => {
    mine = await issuer(app)
    lives = lifeOf(app, mine)
    const [, second, third, fourth] = [
      await lives.draft({ invoiceDate: '2026-10-01' }),
      await lives.issued(),
      await lives.issued(),
      await lives.issued({ currency: 'USD' }),
    ]
    ok(await lives.pay(second.id, 100), 201)
    ok(await lives.credit(second.id, { amount: 1 }), 201)
    const fifth = await lives.issued()
    await lives.become(third.id, 'signed')
    await lives.become(fourth.id, 'transmitted')
    await lives.become(fifth.id, 'transmitted')
    const tenant = { organisationId: mine.organisationId as OrganisationId, mode: 'sandbox' } as const
    await emitChanges(app.runtime.db, tenant, [third.id, fourth.id, fifth.id])
  })

  const sums = { count: 1, netMinor: 1_350_150, taxMinor: 101_261, payableMinor, paidMinor: 0 }
  const standard = { invoiceType: 'standard', currency: 'NGN', ...sums }

  test('sum by status, type and currency', async () => {
    expect(await statistics('A')).toMatchObject({
      startDate: null,
      endDate: null,
      groups: [
        { status: 'draft', ...standard, invoiceType: 'credit_note', netMinor: 93, taxMinor: 7, payableMinor: 100 },
        { status: 'draft', ...standard },
        { status: 'finalised', ...standard, paidMinor: 10_000 },
        { status: 'signed', ...standard },
        { status: 'transmitted', ...standard },
        { status: 'transmitted', ...standard, currency: 'USD' },
      ],
    })
  })

  test('use the names of each form', async () => {
    const { groups } = await statistics('B')
    expect(groups.filter(({ status }: { status: string }) => status === 'pending')).toEqual([
      {
        ...standard,
        status: 'pending',
        count: 2,
        netMinor: 2 * 1_350_150,
        taxMinor: 2 * 101_261,
        payableMinor: 2 * payableMinor,
      },
      { ...standard, status: 'pending', currency: 'USD' },
    ])
    expect(groups).toHaveLength(5)
  })

  test.each(['A', 'B'] as const)('take a range of issue days, both included (%s)', async (form) => {
    const counted = async (query: string) => {
      const { groups } = await statistics(form, query)
      return groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    }
    expect(await counted('?endDate=2026-10-01')).toBe(1)
    expect(await counted('?endDate=2026-09-30')).toBe(0)
    expect(await counted('?startDate=2026-11-02&endDate=2026-11-02')).toBe(4)
    expect(await counted('?startDate=2026-11-15')).toBe(1)
    expect(await counted('?jurisdiction=NG')).toBe(6)
    expect(await counted('?jurisdiction=GH')).toBe(0)
    const range = await statistics(form, '?startDate=2026-11-03&endDate=2026-11-14')
    expect(range).toEqual({ startDate: '2026-11-03', endDate: '2026-11-14', groups: [], totals: [] })
    const wrong = await app.client(form).get(`${path}/statistics?startDate=2026-13-01`, { token: mine.token })
    expectRefusal(wrong, 'request.invalid')
  })

  test.each(['A', 'B'] as const)('refuse to end before they begin (%s)', async (form) => {
    const ask = (query: string) => app.client(form).get(`${path}/statistics?${query}`, { token: mine.token })
    const reversed = await ask('startDate=2026-11-14&endDate=2026-11-13')
    expectRefusal(reversed, 'request.invalid')
    expect(faultPaths(reversed)).toEqual(['startDate'])
    for (const jurisdiction of ['UK', 'QQ', 'ng', 'NGA'])
      expect(faultPaths(await ask(`jurisdiction=${jurisdiction}`))).toEqual(['jurisdiction'])
  })

  test('cover one organisation in one mode', async () => {
    expect((await statistics('A', '', await app.person())).groups).toEqual([])
    const live = await app.member(mine.organisationId, 'OWNER', { mode: 'live' })
    expect((await statistics('A', '', live)).groups).toEqual([])
    expect((await statistics('A', '', await app.member(mine.organisationId, 'VIEWER'))).groups).toHaveLength(6)
  })
})

test.each([
  [
    'A',
    'invoiceDateFrom=2026-11-02&invoiceDateTo=2026-11-01&dueDateFrom=2026-11-02&dueDateTo=2026-11-01&amountFromMinor=2&amountToMinor=1' +
      '&createdAtFrom=2026-11-02T00:00:00Z&createdAtTo=2026-11-01T00:00:00Z',
    ['amountFromMinor', 'createdAtFrom', 'dueDateFrom', 'invoiceDateFrom'],
  ],
  ['B', 'invoiceDateFrom=2026-11-02&invoiceDateTo=2026-11-01', ['invoiceDateFrom']],
] as const)('form %s refuses to list what lies between an end and a beginning after it', async (form, query, paths) => {
  const refused = await app.client(form).get(`${path}?${query}`, { token: own.token })
  expectRefusal(refused, 'request.invalid')
  expect(faultPaths(refused)).toEqual(paths)
})

describe('invoices of another organisation or mode are not found', () => {
  const payment = { amount: 1, paidOn: '2026-11-14' }
  const line = { description: 'x', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, unitPrice: 1, taxCategory: 'zero' }
  const routes: [string, (of: string, token: string, paymentId: string) => Promise<Reply>][] = [
    ['read', (of, token) => app.a.get(of, { token })],
    ['read in the other form', (of, token) => app.b.get(of, { token })],
    ['status', (of, token) => app.a.get(`${of}/status`, { token })],
    ['change', (of, token) => app.a.patch(of, { token, body: { notes: 'x' } })],
    ['delete', (of, token) => app.a.delete(of, { token })],
    ['finalise', (of, token) => app.a.post(`${of}/finalise`, { token })],
    ['finalise in the other form', (of, token) => app.b.post(`${of}/finalise`, { token })],
    ['reopen', (of, token) => app.a.post(`${of}/reopen`, { token })],
    ['send', (of, token) => app.a.post(`${of}/send`, { token })],
    ['share', (of, token) => app.a.post(`${of}/share`, { token })],
    ['unshare', (of, token) => app.a.delete(`${of}/share`, { token })],
    ['credit', (of, token) => app.a.post(`${of}/credit-notes`, { token, body: { reason: 'x' } })],
    ['debit', (of, token) => app.a.post(`${of}/debit-notes`, { token, body: { reason: 'x', lineItems: [line] } })],
    ['pay', (of, token) => app.a.post(`${of}/payments`, { token, body: payment })],
    ['payments', (of, token) => app.a.get(`${of}/payments`, { token })],
    ['reverse', (of, token, paymentId) => app.a.delete(`${of}/payments/${paymentId}`, { token })],
  ]
  let id: string
  let paymentId: string
  let publicAddresses: string[]
  beforeAll(async () => {
    id = (await life.issued()).id
    paymentId = ok(await life.pay(id, 1), 201).payment.id
    const live = await app.member(own.organisationId, 'OWNER', { mode: 'live' })
    publicAddresses = [(await issuer(app)).token, live.token, await app.key(own.organisationId, { mode: 'live' })]
  })

  test.each(routes)('%s', async (_, call) => {
    const before = await life.get(id)
    for (const token of publicAddresses)
      expectRefusal(await call(`${path}/${id}`, token, paymentId), 'resource.not_found')
    expect(await life.get(id)).toEqual(before)
  })
})
