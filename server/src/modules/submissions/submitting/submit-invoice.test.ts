import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { issuer } from '../../../../../test/harness/invoices.ts'
import { lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'

interface LoggedAttempt {
  readonly step: string
  readonly answer: string | null
  readonly cause: string
}
interface BatchResult {
  readonly invoiceId: string
  readonly invoiceNumber: string | null
  readonly result: string
  readonly error: { readonly code: string; readonly reason: string } | null
}

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
    settings: { sandboxPatienceMs: 3_000 },
  })
  own = await reporter(app)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.refuses = () => undefined
  authority.transmits = true
})

const statusIn = {
  A: { accepted: 'accepted', signed: 'signed' },
  B: { accepted: 'accepted', signed: 'pending' },
} as const

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const post = (id: string, action: string, body?: object) =>
    app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
  const get = (id: string, what: string) => app.client(form).get(`${path}/${id}/${what}`, { token: own.token })

  test('a finalised invoice is queued, reaches the authority once, and is paid for when it is accepted', async () => {
    const before = await own.balances()
    const issued = await own.life.issued({}, form)
    const queued = ok(await post(issued.id, 'submit'), 202)
    expect(queued).toMatchObject({ id: issued.id, status: 'queued', submittedAt: '2026-11-15T09:00:00.000Z' })
    const { report } = await own.until(issued.id, 'accepted')
    expect(report).toMatchObject({ outcome: 'accepted', refusals: [], canReopen: false, authorityOutage: null })
    const { reporting } = await own.life.get(issued.id)
    expect(reporting).toMatchObject({ status: 'reported', delivery: 'nrs', irn: report.reference })
    expect(authority.registrations.get(report.reference)).toBe(1)
    const after = await own.balances()
    // One credit for the draft, ten for the submission.
    expect([after.spent - before.spent, after.held - before.held]).toEqual([11, 0])
    expect(await own.life.told(issued.id)).toEqual([
      'invoice.created',
      'invoice.finalised',
      'invoice.queued',
      'invoice.signed',
      'invoice.transmitted',
      'invoice.accepted',
    ])
    expect(ok(await get(issued.id, 'status'))).toMatchObject({
      status: statusIn[form].accepted,
      report: { outcome: 'accepted' },
    })
    const { attempts } = ok(await get(issued.id, 'timeline'))
    expect(attempts.map(({ step, answer, cause }: LoggedAttempt) => [step, answer, cause])).toEqual([
      ['sign', 'signed', 'submitted'],
      ['transmit', 'transmitted', 'automatic'],
      ['confirm', 'found', 'automatic'],
    ])
    expect(attempts[0]).toMatchObject({ sha256: report.sha256, actor: { type: 'user', id: own.userId } })
    expect(attempts[1]).toMatchObject({ sha256: null, actor: null, told: [], late: false })
  })

  test('a refused document is looked up once more, costs nothing, and shows the reason in plain words', async () => {
    authority.refuses = () => 'invoicerequest.invoice.accountingcustomerparty.tin must be at least in length or value 5'
    const before = await own.balances()
    const issued = await own.life.issued({}, form)
    ok(await post(issued.id, 'submit'), 202)
    await own.until(issued.id, 'rejected')
    const { report } = ok(await get(issued.id, 'status'))
    expect(report).toMatchObject({ outcome: 'rejected', canReopen: true })
    expect(report.refusals).toMatchObject([
      {
        told: 'invoicerequest.invoice.accountingcustomerparty.tin must be at least in length or value 5',
        path: form === 'A' ? 'buyer.taxId' : 'buyer.taxNumber',
        mendedBy: 'reopen',
      },
    ])
    const after = await own.balances()
    expect([after.spent - before.spent, after.held - before.held]).toEqual([1, 0])
    const { attempts } = ok(await get(issued.id, 'timeline'))
    expect(attempts.map(({ step, answer }: LoggedAttempt) => [step, answer])).toEqual([
      ['sign', 'refused'],
      ['lookup', 'absent'],
    ])
  })

  test('drafts, submitted documents and unknown ids are refused', async () => {
    const draft = await own.life.draft({}, form)
    expectRefusal(await post(draft.id, 'submit'), 'invoice.submit.not_finalised')
    const { id } = await own.submitted()
    expectRefusal(await post(id, 'submit'), 'invoice.submit.already_submitted')
    expect((await post('0198c0de-0000-7000-8000-000000000000', 'submit')).status).toBe(404)
  })

  test('without a connection nothing is submitted and no credits are held', async () => {
    const other = await issuer(app)
    const life = lifeOf(app, other)
    const { id } = await life.issued()
    const before = await life.balance()
    const refused = await app.client(form).post(`${path}/${id}/submit`, { token: other.token })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'BIZ006'])
    expectRefusal(refused, 'authority.not_connected')
    expect(await life.balance()).toBe(before)
  })

  test('faults that the authority would refuse are reported before anything is sent', async () => {
    const buyerId = await own.life.buyer({ email: undefined, address: undefined })
    const { id } = await own.life.issued({ buyerId }, form)
    const refused = await post(id, 'submit')
    expectRefusal(refused, 'invoice.submit.not_ready')
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toContain('buyer.taxId')
  })

  test('each document of a batch has its own outcome and its own charge', async () => {
    const [one, two] = [await own.life.issued({}, form), await own.life.issued({}, form)]
    const draft = await own.life.draft({}, form)
    const nobody = '0198c0de-0000-7000-8000-000000000000'
    const invoiceIds = [one.id, draft.id, nobody, two.id]
    const reply = await app.client(form).post(`${path}/batch-submit`, { token: own.token, body: { invoiceIds } })
    const { results, queued, failed } = ok(reply)
    expect([queued, failed]).toEqual([2, 2])
    expect(results.map(({ invoiceId, result, error }: BatchResult) => [invoiceId, result, error?.code])).toEqual([
      [one.id, 'queued', undefined],
      [draft.id, 'failed', 'BIZ004'],
      [nobody, 'failed', 'RES001'],
      [two.id, 'queued', undefined],
    ])
    expect(results.map(({ invoiceNumber, error }: BatchResult) => [invoiceNumber, error?.reason])).toEqual([
      [one.invoiceNumber, undefined],
      [draft.invoiceNumber, 'invoice.submit.not_finalised'],
      [null, 'resource.not_found'],
      [two.invoiceNumber, undefined],
    ])
    for (const { id } of [one, two]) await own.until(id, 'accepted')
    expect((await own.status(draft.id)).status).toBe('draft')
  })

  test.each([
    ['none', { invoiceIds: [] }, 'invoiceIds'],
    ['no ids', { invoiceIds: ['x'] }, 'invoiceIds[0]'],
    ['the same twice', { invoiceIds: Array(2).fill('0198c0de-0000-7000-8000-000000000000') }, 'invoiceIds'],
    [
      'too many',
      { invoiceIds: Array.from({ length: 101 }, (_, at) => `0198c0de-0000-7000-8000-${String(at).padStart(12, '0')}`) },
      'invoiceIds',
    ],
    ['nothing', {}, 'invoiceIds'],
  ])('a batch of %s is refused', async (_, body, place) => {
    const refused = await app.client(form).post(`${path}/batch-submit`, { token: own.token, body })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toContain(place)
  })
})
