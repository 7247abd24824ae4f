import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { invoiceBody } from '../../../../../test/harness/invoices.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type AnswerToRecord, recordAnswers } from './record-answers.ts'
import { retryPolicyOf } from './retry-policy.ts'
import type { SubmissionRef } from './submission.ts'

interface LoggedAttempt {
  readonly step: string
  readonly answer: string | null
}

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
  })
  own = await reporter(app)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.refuses = () => undefined
  authority.staleMs = 0
  authority.transmits = true
})

const post = (id: string, action: string, body?: object, form: 'A' | 'B' = 'A') =>
  app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
/** As if only one attempt were left: the next failed attempt is the last. */
const almostGivenUp = (id: string) =>
  app.runtime.db.run(sql`update submissions set tries = ${retryPolicyOf('sandbox', app.runtime.settings).mostTries - 1}
                          where invoice_id = ${id} and failed_at is null`)
const answersOf = async (id: string) =>
  (await own.timeline(id)).attempts.map(({ step, answer }: LoggedAttempt) => `${step} ${answer}`)
/** The behaviour of the first requests of a kind. */
const first = (times: number, kind: string, manner: ReturnType<ReportingDouble['behaviourOf']>) => {
  let left = times
  authority.behaviourOf = (what) => (what === kind && left-- > 0 ? manner : 'well')
}

describe('a missing answer', () => {
  test.each(['reply_lost', 'applied_then_500'] as const)(
    'after %s leads to a lookup, not to a second send',
    async (manner) => {
      first(1, 'sign', manner)
      const { id } = await own.submitted()
      const { report } = await own.until(id, 'accepted')
      expect(await answersOf(id)).toEqual(['sign unclear', 'lookup found', 'transmit transmitted', 'confirm found'])
      expect(authority.registrations.get(report.reference)).toBe(1)
    },
  )

  test.each(['error', 'nonsense'] as const)(
    'after %s leads to a second send if the authority does not have the document after the settling time',
    async (manner) => {
      first(1, 'sign', manner)
      const { id } = await own.submitted()
      const { report } = await own.until(id, 'accepted')
      expect(await answersOf(id)).toEqual([
        'sign unclear',
        'lookup absent',
        'lookup absent',
        'sign signed',
        'transmit transmitted',
        'confirm found',
      ])
      const { attempts } = await own.timeline(id)
      const hashes = attempts
        .filter(({ step }: LoggedAttempt) => step === 'sign')
        .map(({ sha256 }: { sha256: string }) => sha256)
      expect(new Set(hashes)).toEqual(new Set([report.sha256]))
    },
  )

  test('a lookup that does not see a new registration yet does not lead to a second send', async () => {
    first(1, 'sign', 'applied_then_500')
    authority.staleMs = 400
    const { id } = await own.submitted()
    const { report } = await own.until(id, 'accepted')
    expect(authority.registrations.get(report.reference)).toBe(1)
    expect((await answersOf(id)).filter((told: string) => told.startsWith('sign'))).toEqual(['sign unclear'])
  })

  test('a document that never left is sent again without a lookup', async () => {
    first(2, 'sign', 'refused_connection')
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    expect(await answersOf(id)).toEqual([
      'sign not_sent',
      'sign not_sent',
      'sign signed',
      'transmit transmitted',
      'confirm found',
    ])
  })

  test('another document under our number is never taken for ours', async () => {
    authority.behaviourOf = (what) => (what === 'sign' ? 'error' : 'well')
    const issued = await own.life.issued()
    const other = await own.submitted()
    const reference = (await own.status(other.id)).report.reference as string
    // Another party has registered a document under the number that ours will get.
    const taken = reference.replace(other.invoiceNumber, issued.invoiceNumber)
    const strange = JSON.stringify({ irn: taken, business_id: 'another', legal_monetary_total: { payable_amount: 1 } })
    ;(authority.registered as Map<string, object>).set(taken, { bytes: Buffer.from(strange), at: 0, transmitted: true })
    ok(await post(issued.id, 'submit'), 202)
    const { report } = await own.until(issued.id, 'failed')
    expect(report.outcome).toBe('unknown')
    expect(await answersOf(issued.id)).toEqual(['sign unclear', 'lookup other_document'])
    authority.behaviourOf = () => 'well'
    await own.until(other.id, 'accepted')
  })
})

describe('an authority that never answers', () => {
  test('leads to failed, with an unknown outcome; a late answer still counts, and the credits are captured once', async () => {
    const before = await own.balances()
    authority.behaviourOf = (what) => (what === 'sign' ? 'reply_lost' : 'silent')
    const { id } = await own.submitted()
    await almostGivenUp(id)
    const { report } = await own.until(id, 'failed')
    expect(report).toMatchObject({ outcome: 'unknown', retriesLeft: 5, nextAttemptAt: null })
    expect(report.message).toContain('without a clear answer')
    expect((await own.balances()).held - before.held).toBe(10)
    expectRefusal(await post(id, 'query-status'), 'authority.no_answer')
    expect((await post(id, 'query-status', undefined, 'B')).body.error).toMatchObject({ code: 'TAX001' })
    authority.behaviourOf = () => 'well'
    const asked = ok(await post(id, 'query-status'))
    expect(asked).toMatchObject({ authority: { transmitted: false }, report: { outcome: 'registered' } })
    await own.until(id, 'accepted')
    const after = await own.balances()
    expect([after.spent - before.spent, after.held - before.held]).toEqual([11, 0])
    expect(authority.registrations.get(asked.report.reference)).toBe(1)
    const { attempts } = await own.timeline(id)
    expect(attempts.filter(({ step }: LoggedAttempt) => step === 'query').at(-1)).toMatchObject({
      answer: 'found',
      cause: 'asked',
      actor: { id: own.userId },
    })
  })

  test.each(['A', 'B'] as const)('can be retried five times at most through form %s', async (form) => {
    authority.behaviourOf = (what) => (what === 'sign' ? 'refused_connection' : 'well')
    const { id } = await own.submitted()
    expectRefusal(await post(id, 'retry', undefined, form), 'invoice.retry.not_failed')
    await almostGivenUp(id)
    await own.until(id, 'failed')
    const { report } = await own.status(id)
    expect(report.outcome).toBe('not_registered')
    // Real retries take long, so the test writes their count.
    await app.runtime.db.run(sql`update submissions set retries = 4 where invoice_id = ${id}`)
    expect(ok(await post(id, 'retry', undefined, form), 202)).toMatchObject({ status: 'queued' })
    expect((await own.life.told(id)).at(-1)).toBe('invoice.retry_scheduled')
    await almostGivenUp(id)
    await own.until(id, 'failed')
    expectRefusal(await post(id, 'retry', undefined, form), 'invoice.retry.too_many')
    const { attempts } = await own.timeline(id)
    expect(attempts.some(({ cause }: { cause: string }) => cause === 'retried')).toBe(true)
  })
})

describe('a submission without retries left', () => {
  /** a submission that used all retries and is still unknown */
  async function givenUp(manner: 'refused_connection' | 'error'): Promise<string> {
    authority.behaviourOf = (what) => (what === 'sign' ? manner : what === 'lookup' ? 'error' : 'well')
    const { id } = await own.submitted()
    await almostGivenUp(id)
    await own.until(id, 'failed')
    await app.runtime.db.run(sql`update submissions set retries = 5 where invoice_id = ${id}`)
    authority.behaviourOf = () => 'well'
    return id
  }

  test.each(['A', 'B'] as const)(
    'ends if a status query through form %s finds no document: the credits are released and it can be corrected',
    async (form) => {
      const before = await own.balances()
      const id = await givenUp('error')
      expect((await own.balances()).held - before.held).toBe(10)
      const ask = async () => ok(await post(id, 'query-status', undefined, form))
      // After one "absent" the document may still appear.
      expect(await ask()).toMatchObject({ status: 'failed', authority: null, report: { outcome: 'unknown' } })
      await eventually(async () => expect((await ask()).status).toBe('rejected'))
      const { report } = await own.status(id)
      expect(report).toMatchObject({ outcome: 'not_registered', refusals: [], canReopen: true })
      expect(report.message).toContain('does not have the document')
      expect((await own.balances()).held).toBe(before.held)
      expect(await brokenInvariants(app.runtime.db)).toEqual({})
      ok(await post(id, 'reopen'))
      ok(await post(id, 'finalise'))
      ok(await post(id, 'submit'), 202)
      await own.until(id, 'accepted')
    },
  )

  test('is accepted if the authority has the document', async () => {
    authority.behaviourOf = (what) => (what === 'sign' ? 'applied_then_500' : what === 'lookup' ? 'error' : 'well')
    const { id } = await own.submitted()
    await almostGivenUp(id)
    await own.until(id, 'failed')
    await app.runtime.db.run(sql`update submissions set retries = 5 where invoice_id = ${id}`)
    authority.behaviourOf = () => 'well'
    ok(await post(id, 'query-status'))
    await own.until(id, 'accepted')
  })

  test('is not ended by a query while retries are left', async () => {
    authority.behaviourOf = (what) => (what === 'sign' ? 'refused_connection' : 'well')
    const { id } = await own.submitted()
    await almostGivenUp(id)
    await own.until(id, 'failed')
    authority.behaviourOf = () => 'well'
    expect(ok(await post(id, 'query-status'))).toMatchObject({ status: 'failed' })
    ok(await post(id, 'retry'), 202)
    await own.until(id, 'accepted')
  })
})

describe('a rejected document', () => {
  test('is reopened, corrected and submitted again under its number', async () => {
    authority.refuses = () => 'invoicerequest.invoice.invoice_line.item.description is required'
    const { id } = await own.submitted()
    const { report } = await own.until(id, 'rejected')
    authority.refuses = () => undefined
    ok(await post(id, 'reopen'))
    const change = { invoiceNumber: 'ANOTHER1', invoiceDate: '2026-11-03' }
    const fixed = await app.a.patch(`${path}/${id}`, { token: own.token, body: change })
    expect(fixed.status).toBe(400)
    expect(fixed.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['invoiceNumber', 'invoiceDate'])
    expect((await app.a.delete(`${path}/${id}`, { token: own.token })).status).toBe(409)
    ok(await app.a.patch(`${path}/${id}`, { token: own.token, body: { notes: 'Mended' } }))
    ok(await post(id, 'finalise'))
    ok(await post(id, 'submit'), 202)
    const again = await own.until(id, 'accepted')
    expect(again.report.reference).toBe(report.reference)
    expect(again.report.sha256).not.toBe(report.sha256)
  })
})

describe('cancelling', () => {
  const accepted = async () => {
    const { id } = await own.submitted()
    await own.until(id, 'accepted')
    return id
  }
  const noteOf = async (id: string) => {
    const { data } = await app.a.get(`${path}?invoiceType=credit_note`, { token: own.token })
    return data.find(({ originalInvoiceId }: { originalInvoiceId: string }) => originalInvoiceId === id)
  }

  test.each(['A', 'B'] as const)('credits the whole invoice with a credit note, through form %s', async (form) => {
    const id = await accepted()
    const asked = ok(
      await post(id, 'cancel', { reason: 'Ordered twice', notes: 'Sorry' }, form),
      form === 'A' ? 202 : 200,
    )
    expect(asked.status).toBe(form === 'A' ? 'cancellation_pending' : 'cancelled')
    await own.until(id, 'cancelled')
    const note = await noteOf(id)
    expect(note).toMatchObject({ status: 'accepted', reason: 'Ordered twice', notes: 'Sorry' })
    expect((await own.life.told(id)).slice(-2)).toEqual(
      expect.arrayContaining(['invoice.cancellation_requested', 'invoice.cancelled']),
    )
    expectRefusal(await post(id, 'cancel', { reason: 'Again' }, form), 'invoice.cancel.not_accepted')
  })

  test('is undone by a refusal, with the reason; the corrected note cancels the invoice', async () => {
    const id = await accepted()
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await post(id, 'cancel', { reason: 'Ordered twice' }), 202)
    await own.until(id, 'accepted')
    const note = await noteOf(id)
    expect(note.status).toBe('rejected')
    expect((await own.life.told(id)).slice(-2)).toEqual(['invoice.status_changed', 'invoice.updated'])
    authority.refuses = () => undefined
    ok(await post(note.id, 'reopen'))
    ok(await post(note.id, 'finalise'))
    ok(await post(note.id, 'submit'), 202)
    await own.until(id, 'cancelled')
  })

  test('is decided once by an answer that comes after the failure, however often it comes', async () => {
    const id = await accepted()
    const before = await own.balances()
    authority.behaviourOf = (what) => (what === 'sign' ? 'reply_lost' : 'silent')
    ok(await post(id, 'cancel', { reason: 'Ordered twice' }), 202)
    const note = await noteOf(id)
    await almostGivenUp(note.id)
    const { report } = await own.until(note.id, 'failed')
    // The outcome is unknown, so the invoice keeps waiting and the credits stay held.
    expect((await own.status(id)).status).toBe('cancellation_pending')
    expect((await own.balances()).held - before.held).toBe(10)

    // The answer to the first request, brought by processes that lost their leases meanwhile.
    const { id: submissionId, ...tenant } = await app.runtime.db.one<SubmissionRef>(sql`
      select organisation_id, mode, id from submissions where invoice_id = ${note.id}`)
    const signed: AnswerToRecord = {
      id: submissionId,
      step: 'sign',
      answer: { kind: 'registered', transmitted: false, delivered: false },
      noted: { answer: 'signed', why: null, messages: [] },
      fence: 1,
    }
    authority.behaviourOf = () => 'well'
    const input = { tenant, answers: [signed, signed] }
    const bring = () => app.runner.run(recordAnswers, { caller: systemCaller, origin, input })
    await Promise.all([bring(), bring(), bring()])
    await own.until(id, 'cancelled')
    await bring()

    expect((await noteOf(id)).status).toBe('accepted')
    const told = await own.life.told(id)
    expect(told.filter((type: string) => type === 'invoice.cancelled')).toHaveLength(1)
    const after = await own.balances()
    expect([after.spent - before.spent, after.held - before.held]).toEqual([11, 0])
    expect(authority.registrations.get(report.reference)).toBe(1)
    const { attempts } = await own.timeline(note.id)
    expect(attempts.find(({ step }: LoggedAttempt) => step === 'sign')).toMatchObject({ answer: 'signed', late: true })
    expect(await brokenInvariants(app.runtime.db)).toEqual({})
  })

  test('needs an accepted invoice', async () => {
    const { id } = await own.life.issued()
    expectRefusal(await post(id, 'cancel', { reason: 'Ordered twice' }), 'invoice.cancel.not_accepted')
    expect((await post(id, 'cancel', {})).status).toBe(400)
    expect((await post(id, 'cancel', { reason: ' ' })).status).toBe(400)
  })
})

describe('create and submit', () => {
  const create = (more: object = {}) =>
    app.a.post(`${path}/create-and-submit`, { token: own.token, body: invoiceBody.A(own, more) })

  test('creates, finalises and submits in one request', async () => {
    const made = ok(await create(), 201)
    expect(made).toMatchObject({ status: 'queued', submitRefusal: null, warnings: [] })
    await own.until(made.id, 'accepted')
  })

  test('names the letters that the PDF cannot draw', async () => {
    const { status, warnings } = ok(await create({ notes: 'Thank you ꦏ' }), 201)
    expect([status, warnings.map((warning: { path: string }) => warning.path)]).toEqual(['queued', ['notes']])
  })

  test('keeps the draft if it cannot be submitted, and gives the reason', async () => {
    const buyerId = await own.life.buyer({ email: undefined })
    const made = ok(await create({ buyerId }), 201)
    expect(made).toMatchObject({ status: 'draft', finalisedAt: null, submitRefusal: { code: 'BIZ004' } })
    expect(made.submitRefusal.details.map(({ path }: { path: string }) => path)).toContain('buyer.email')
    expect(await own.life.told(made.id)).toEqual(['invoice.created'])
    expect(ok(await create({ buyerId: null }), 201)).toMatchObject({
      status: 'draft',
      submitRefusal: { code: 'BIZ004' },
    })
  })

  test('many concurrent calls of one organisation leave connections for others', async () => {
    const { pool } = app.runtime.db
    const inUse = () => pool.totalCount - pool.idleCount
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = app.runtime.db.transaction(async (tx) => {
      await tx.rows(sql`select from credit_balances where organisation_id = ${own.organisationId} for update`)
      held.resolve()
      await release.promise
    })
    await held.promise
    const made = Array.from({ length: 30 }, () => create())
    try {
      await eventually(async () => {
        expect(await listLockWaits(app.owner)).not.toEqual([])
        expect([pool.waitingCount, inUse() < pool.options.max]).toEqual([0, true])
      })
    } finally {
      release.resolve()
      await holding
    }
    for (const reply of await Promise.all(made)) expect(ok(reply, 201)).toMatchObject({ status: 'queued' })
  })

  test('is unknown to the other form', async () => {
    expect((await app.b.post(`${path}/create-and-submit`, { token: own.token, body: {} })).status).toBe(404)
  })
})

test('the authority’s own copy is shown once there is one', async () => {
  const { id } = await own.life.issued()
  const copy = () => app.a.get(`${path}/${id}/authority-copy`, { token: own.token })
  expectRefusal(await copy(), 'invoice.copy.not_signed')
  expectRefusal(await post(id, 'query-status'), 'invoice.query.not_submitted')
  ok(await post(id, 'submit'), 202)
  const { report } = await own.until(id, 'accepted')
  expect(ok(await copy())).toMatchObject({
    reference: report.reference,
    isWhatWasSent: true,
    document: { irn: report.reference },
  })
  authority.behaviourOf = () => 'nonsense'
  expectRefusal(await copy(), 'authority.no_answer')
})

test('without access to the authority, submitting is refused with a reason', async () => {
  const live = await app.person({ mode: 'live' })
  expect(live.organisationId).toBeDefined()
  const { id } = await own.life.issued()
  const { jurisdictions } = app.runtime.ports
  const { authority: real } = jurisdictions
  Object.assign(jurisdictions, { authority: () => undefined })
  try {
    expectRefusal(await post(id, 'submit'), 'authority.no_access')
    expect((await post(id, 'submit', undefined, 'B')).status).toBe(503)
  } finally {
    Object.assign(jurisdictions, { authority: real })
  }
})
