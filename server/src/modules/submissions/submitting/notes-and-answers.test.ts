import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectInvoicesAddUp } from '../../../../../test/harness/invoice-identity.ts'
import { ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type AnswerToRecord, recordAnswers } from '../state/record-answers.ts'
import { retryPolicyOf } from '../state/retry-policy.ts'
import { mostRetries, type SubmissionId } from '../state/submission.ts'

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(app)
})
afterAll(() => app.close())
beforeEach(() => {
  authority.behaviourOf = () => 'well'
  authority.refuses = () => undefined
  authority.transmits = true
  authority.latencyOf = undefined
})

const post = (id: string, action: string, body?: object, form: 'A' | 'B' = 'A') =>
  app.client(form).post(`${path}/${id}/${action}`, { token: own.token, ...(body ? { body } : {}) })
const cancel = (id: string, form: 'A' | 'B' = 'A') => post(id, 'cancel', { reason: 'Ordered twice' }, form)
const accepted = async (more: object = {}, form: 'A' | 'B' = 'A'): Promise<string> => {
  const { id } = await own.submitted(more, form)
  await own.until(id, 'accepted')
  return id
}
/** As if only one attempt were left: the next failed attempt is the last. */
const almostGivenUp = (id: string) =>
  app.runtime.db.run(sql`
    update submissions set tries = ${retryPolicyOf('sandbox', app.runtime.settings).mostTries - 1} where invoice_id = ${id} and failed_at is null`)
/** A credit note of an amount, as a draft. */
const drafted = async (id: string, amount?: number) =>
  ok(await own.life.credit(id, amount === undefined ? {} : { amount }), 201)
const finalised = async (id: string, amount?: number) => ok(await post((await drafted(id, amount)).id, 'finalise'))
const submittedNote = async (id: string, amount?: number) => {
  const note = await finalised(id, amount)
  return ok(await post(note.id, 'submit'), 202)
}
const debit = {
  reason: 'Freight',
  lineItems: [
    { description: 'Freight', hsnCode: '2523.29', unitCode: 'EA', quantity: 1, unitPrice: 10, taxCategory: 'zero' },
  ],
}
const refuseOnly = (number: string, told = 'invoicerequest.invoice.note is required') => {
  const inReference = number.replaceAll('-', '')
  authority.refuses = (reference) => (reference.startsWith(`${inReference}-`) ? told : undefined)
}
interface ShownNote {
  readonly id: string
  readonly status: string
  readonly payableMinor: number
}
const notesOf = async (id: string): Promise<ShownNote[]> =>
  ok(await app.a.get(`${path}?originalInvoiceId=${id}&sortBy=createdAt&sortOrder=ASC`, { token: own.token }))
const firstNote = async (id: string): Promise<ShownNote> => (await notesOf(id))[0] as ShownNote
const listed = async (filter: string): Promise<string[]> =>
  ok(await app.a.get(`${path}?${filter}&limit=100`, { token: own.token })).map(({ id }: { id: string }) => id)
/** Rejected, reopened and submitted again. */
const mend = async (id: string) => {
  ok(await post(id, 'reopen'))
  ok(await post(id, 'finalise'))
  return ok(await post(id, 'submit'), 202)
}

describe('cancelling an invoice that has other notes', () => {
  test.each(['A', 'B'] as const)(
    'is refused while a note is a draft, which the refusal names (form %s)',
    async (form) => {
      const id = await accepted()
      const [credit, debited] = [await drafted(id, 4000), ok(await post(id, 'debit-notes', debit), 201)]
      const refused = await cancel(id, form)
      expectRefusal(refused, 'invoice.cancel.open_notes')
      expect([refused.status, refused.body.error.code]).toEqual([form === 'A' ? 409 : 400, 'BIZ004'])
      expect(refused.body.error.details.map(({ message }: { message: string }) => message)).toEqual([
        expect.stringContaining(credit.invoiceNumber),
        expect.stringContaining(debited.invoiceNumber),
      ])
      expect((await own.life.get(id)).status).toBe('accepted')
      for (const note of [credit, debited]) ok(await app.a.delete(`${path}/${note.id}`, { token: own.token }))
      ok(await cancel(id, form), form === 'A' ? 202 : 200)
      await own.until(id, 'cancelled')
      expect(await own.life.get(id)).toMatchObject({ creditedMinor: payableMinor, dueMinor: 0 })
      await expectInvoicesAddUp(app)
    },
  )

  test('is refused while a note is finalised, under way or failed', async () => {
    const id = await accepted()
    const note = await finalised(id, 4000)
    expectRefusal(await cancel(id), 'invoice.cancel.open_notes')
    authority.behaviourOf = (what) => (what === 'sign' ? 'reply_lost' : 'silent')
    ok(await post(note.id, 'submit'), 202)
    expectRefusal(await cancel(id), 'invoice.cancel.open_notes')
    await almostGivenUp(note.id)
    await own.until(note.id, 'failed')
    const refused = await cancel(id)
    expectRefusal(refused, 'invoice.cancel.open_notes')
    expect(faultPaths(refused)).toEqual(['notes[0]'])
    authority.behaviourOf = () => 'well'
    ok(await post(note.id, 'retry'), 202)
    await own.until(note.id, 'accepted')
    // A decided note does not block the cancellation of the rest.
    ok(await cancel(id), 202)
    await own.until(id, 'cancelled')
    expect((await notesOf(id)).map(({ payableMinor }) => payableMinor)).toEqual([400_000, payableMinor - 400_000])
    await expectInvoicesAddUp(app)
  })

  test('works the second time, after the authority rejected the cancelling note', async () => {
    const id = await accepted()
    const note = await finalised(id, 4000)
    refuseOnly(note.invoiceNumber)
    ok(await post(note.id, 'submit'), 202)
    await own.until(note.id, 'rejected')
    ok(await cancel(id), 202)
    await own.until(id, 'cancelled')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: payableMinor, dueMinor: 0 })
    // The rejected note no longer fits into what is left.
    authority.refuses = () => undefined
    ok(await post(note.id, 'reopen'))
    expectRefusal(await post(note.id, 'finalise'), 'invoice.note.not_possible')
    await expectInvoicesAddUp(app, own.token)
  })

  test('a cancelling note that was reduced to a part leaves the invoice accepted', async () => {
    const id = await accepted()
    const note = await finalised(id, 4000)
    authority.latencyMs = 600
    ok(await post(note.id, 'submit'), 202)
    await app.runtime.db.run(sql`update submissions set cancels_invoice_id = ${id} where invoice_id = ${note.id}`)
    await own.life.become(id, 'cancellation_pending')
    authority.latencyMs = 0
    await own.until(note.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({
      status: 'accepted',
      creditedMinor: 400_000,
      dueMinor: payableMinor - 400_000,
    })
    const told = await eventsAbout(app, id)
    expect(told.at(-1)).toMatchObject({ type: 'invoice.status_changed', data: { creditNoteId: note.id } })
    ok(await cancel(id), 202)
    await own.until(id, 'cancelled')
    await expectInvoicesAddUp(app)
  })
})

describe('a cancelling note that was rejected', () => {
  test('restores the amount due of the invoice in every list and figure, and emits an event', async () => {
    const id = await accepted({ dueDate: '2026-11-03' })
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await cancel(id), 202)
    await eventually(async () => expect((await firstNote(id)).status).toBe('rejected'))
    expect(await own.life.get(id)).toMatchObject({
      status: 'accepted',
      creditedMinor: 0,
      dueMinor: payableMinor,
      refundOwedMinor: 0,
      overdue: true,
    })
    expect(await listed('overdue=true')).toContain(id)
    expect(await listed('credited=true')).not.toContain(id)
    const told = (await eventsAbout(app, id)).slice(-2)
    expect(told.map(({ type }) => type).toSorted()).toEqual(['invoice.status_changed', 'invoice.updated'])
    expect(told.find(({ type }) => type === 'invoice.updated')?.data).toMatchObject({
      changed: ['creditedMinor'],
      status: 'accepted',
    })
    await expectInvoicesAddUp(app, own.token)
    ok(await own.life.pay(id, '14514.11'), 201)
    await expectInvoicesAddUp(app)
  })

  test('and reduced credits its own amount, and does not cancel the invoice', async () => {
    const id = await accepted()
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await cancel(id), 202)
    await eventually(async () => expect((await firstNote(id)).status).toBe('rejected'))
    const note = await firstNote(id)
    authority.refuses = () => undefined
    ok(await post(note.id, 'reopen'))
    const lineItems = [
      {
        description: 'Cement',
        hsnCode: '2523.29',
        unitCode: 'XBG',
        quantity: 1,
        unitPrice: 100,
        taxCategory: 'standard',
      },
    ]
    ok(await app.a.patch(`${path}/${note.id}`, { token: own.token, body: { lineItems } }))
    ok(await post(note.id, 'finalise'))
    ok(await post(note.id, 'submit'), 202)
    expect((await own.life.get(id)).status).toBe('accepted')
    await own.until(note.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({
      status: 'accepted',
      creditedMinor: 10_750,
      dueMinor: payableMinor - 10_750,
    })
    expect(await own.life.told(id)).not.toContain('invoice.cancelled')
    // The rest can still be cancelled.
    ok(await cancel(id), 202)
    await own.until(id, 'cancelled')
    await expectInvoicesAddUp(app)
  })

  test('and submitted again unchanged cancels the invoice', async () => {
    const id = await accepted()
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await cancel(id), 202)
    await eventually(async () => expect((await firstNote(id)).status).toBe('rejected'))
    const note = await firstNote(id)
    authority.refuses = () => undefined
    await mend(note.id)
    await own.until(id, 'cancelled')
    await expectInvoicesAddUp(app)
  })

  test('blocks another cancellation while it is a draft again', async () => {
    const id = await accepted()
    authority.refuses = () => 'invoicerequest.invoice.note is required'
    ok(await cancel(id), 202)
    await eventually(async () => expect((await firstNote(id)).status).toBe('rejected'))
    const note = await firstNote(id)
    authority.refuses = () => undefined
    ok(await post(note.id, 'reopen'))
    expectRefusal(await cancel(id), 'invoice.cancel.open_notes')
    ok(await post(note.id, 'finalise'))
    ok(await post(note.id, 'submit'), 202)
    await own.until(id, 'cancelled')
    await expectInvoicesAddUp(app)
  })
})

describe('a credit note that the authority rejects', () => {
  const rejected = async (id: string, amount?: number) => {
    const note = await finalised(id, amount)
    refuseOnly(note.invoiceNumber)
    ok(await post(note.id, 'submit'), 202)
    await own.until(note.id, 'rejected')
    authority.refuses = () => undefined
    return note
  }

  test('stops counting, and counts again once it is finalised again', async () => {
    const id = await accepted()
    const note = await rejected(id, 5000)
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    ok(await post(note.id, 'reopen'))
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    ok(await post(note.id, 'finalise'))
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 500_000, dueMinor: payableMinor - 500_000 })
    ok(await post(note.id, 'submit'), 202)
    await own.until(note.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 500_000, dueMinor: payableMinor - 500_000 })
    await expectInvoicesAddUp(app, own.token)
  })

  test('leaves a refund owed if the invoice is paid meanwhile', async () => {
    const id = await accepted()
    const note = await rejected(id, 5000)
    ok(await own.life.pay(id, '14514.11'), 201)
    await mend(note.id)
    await own.until(note.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 500_000, dueMinor: 0, refundOwedMinor: 500_000 })
    expect(await listed('refundOwed=true')).toContain(id)
    await expectInvoicesAddUp(app, own.token)
  })

  test('frees its amount for another note, and fits again only after it is reduced', async () => {
    const id = await accepted()
    const note = await rejected(id)
    const other = await submittedNote(id, 14_000)
    await own.until(other.id, 'accepted')
    ok(await post(note.id, 'reopen'))
    const refused = await post(note.id, 'finalise')
    expectRefusal(refused, 'invoice.note.too_much')
    expect(refused.status).toBe(409)
    await expectInvoicesAddUp(app)
    const lineItems = [
      {
        description: 'Cement',
        hsnCode: '2523.29',
        unitCode: 'XBG',
        quantity: 1,
        unitPrice: 100,
        taxCategory: 'standard',
      },
    ]
    ok(await app.a.patch(`${path}/${note.id}`, { token: own.token, body: { lineItems } }))
    ok(await post(note.id, 'finalise'))
    ok(await post(note.id, 'submit'), 202)
    await own.until(note.id, 'accepted')
    expect((await own.life.get(id)).creditedMinor).toBe(1_400_000 + 10_750)
    await expectInvoicesAddUp(app)
  })

  test('affects only itself if the invoice has two', async () => {
    const id = await accepted()
    const [one, other] = [await finalised(id, 3000), await finalised(id, 2000)]
    refuseOnly(one.invoiceNumber)
    ok(await post(one.id, 'submit'), 202)
    ok(await post(other.id, 'submit'), 202)
    await Promise.all([own.until(one.id, 'rejected'), own.until(other.id, 'accepted')])
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 200_000, dueMinor: payableMinor - 200_000 })
    await expectInvoicesAddUp(app)
  })

  test('can be a failed one that the authority does not have, after query-status', async () => {
    const id = await accepted()
    const note = await finalised(id, 5000)
    authority.behaviourOf = (what) => (what === 'sign' ? 'error' : 'silent')
    ok(await post(note.id, 'submit'), 202)
    await almostGivenUp(note.id)
    await own.until(note.id, 'failed')
    // An undecided note counts.
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 500_000 })
    authority.behaviourOf = () => 'well'
    await app.runtime.db.run(sql`update submissions set retries = ${mostRetries} where invoice_id = ${note.id}`)
    await eventually(async () => {
      await post(note.id, 'query-status')
      expect((await own.status(note.id)).status).toBe('rejected')
    })
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    await mend(note.id)
    await own.until(note.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 500_000 })
    await expectInvoicesAddUp(app)
  })

  test('does not change the original if it is a debit note, which has its own amount due', async () => {
    const id = await accepted()
    const note = ok(await post(ok(await post(id, 'debit-notes', debit), 201).id, 'finalise'))
    refuseOnly(note.invoiceNumber)
    ok(await post(note.id, 'submit'), 202)
    await own.until(note.id, 'rejected')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    expect(await own.life.get(note.id)).toMatchObject({ dueMinor: 1000, overdue: false })
    await expectInvoicesAddUp(app)
  })

  test('counts for a prepayment as for an invoice', async () => {
    const id = await accepted({ invoiceType: 'prepayment' }, 'B')
    await rejected(id, 5000)
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor })
    await expectInvoicesAddUp(app)
  })
})

describe('a note that waits for its invoice, when the invoice is rejected', () => {
  /** A submitted invoice that the authority rejects after `answer` is called. */
  const waiting = async (form: 'A' | 'B' = 'A') => {
    const gate = Promise.withResolvers<void>()
    authority.latencyOf = () => gate.promise
    const { id } = await own.submitted({}, form)
    refuseOnly((await own.life.get(id)).invoiceNumber)
    return { id, answer: gate.resolve }
  }

  /** An invoice with an issued credit note and an issued debit note, which the authority then rejects. */
  const rejectedWithNotes = async (form: 'A' | 'B' = 'A') => {
    const { id, answer } = await waiting(form)
    const credit = await finalised(id, 4000)
    const debited = ok(await post(ok(await post(id, 'debit-notes', debit), 201).id, 'finalise'))
    const draft = await drafted(id, 100)
    answer()
    await own.until(id, 'rejected')
    return { id, credit, debited, draft }
  }

  test('is rejected with it and no longer counts; a draft stays a draft', async () => {
    const { id, credit, debited, draft } = await rejectedWithNotes()
    for (const note of [credit, debited]) expect(await own.life.get(note.id)).toMatchObject({ status: 'rejected' })
    expect(await own.life.get(draft.id)).toMatchObject({ status: 'draft' })
    expect(await own.life.get(id)).toMatchObject({ status: 'rejected', creditedMinor: 0, dueMinor: payableMinor })
    const emitted = await eventsAbout(app, credit.id)
    expect(emitted.at(-1)).toMatchObject({
      type: 'invoice.rejected',
      data: { status: 'rejected', reasons: [expect.stringContaining('The invoice that this note corrects')] },
    })
    expect((await own.status(credit.id)).report).toMatchObject({
      message: expect.stringContaining('rejected the invoice that it corrects'),
      canReopen: true,
    })
    await expectInvoicesAddUp(app, own.token)
    expect(await brokenInvariants(app.runtime.db)).toEqual({})
  })

  test.each(['A', 'B'] as const)('can be deleted, so that the invoice is corrected (form %s)', async (form) => {
    const { id, credit, debited, draft } = await rejectedWithNotes(form)
    for (const note of [credit, debited]) ok(await post(note.id, 'reopen', undefined, form))
    for (const note of [credit, debited, draft])
      ok(await app.client(form).delete(`${path}/${note.id}`, { token: own.token }))
    authority.refuses = () => undefined
    await mend(id)
    await own.until(id, 'accepted')
    const again = await submittedNote(id, 4000)
    await own.until(again.id, 'accepted')
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 400_000, dueMinor: payableMinor - 400_000 })
    await expectInvoicesAddUp(app, own.token)
  })

  test('stops counting even if it is issued at the moment of the rejection', async () => {
    const { id, answer } = await waiting()
    const drafts = [await drafted(id, 100), await drafted(id, 200), await drafted(id, 300)]
    answer()
    const replies = await Promise.all(drafts.map((note) => post(note.id, 'finalise')))
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 'invoice.note.not_possible')
    await own.until(id, 'rejected')
    for (const { status } of await notesOf(id)) expect(['draft', 'rejected']).toContain(status)
    expect(await own.life.get(id)).toMatchObject({ creditedMinor: 0 })
  })
})

test('a delivery is recorded even if the cancellation is decided in the same batch, in either order', async () => {
  for (const isNoteFirst of [true, false]) {
    authority.behaviourOf = () => 'well'
    const id = await accepted()
    authority.behaviourOf = (what) => (what === 'sign' ? 'silent' : 'well')
    ok(await cancel(id), 202)
    const note = await firstNote(id)
    const rows = await app.runtime.db.rows<Tenant & { id: SubmissionId; invoiceId: string; fence: number }>(sql`
      select organisation_id, mode, id, invoice_id, fence from submissions where invoice_id in (${id}, ${note.id})`)
    const registered = (delivered: boolean) => ({ kind: 'registered' as const, transmitted: true, delivered })
    const noted = { answer: 'found', why: null, messages: [] }
    const answers = rows.map(({ id: submission, invoiceId }): AnswerToRecord => {
      const answer = registered(invoiceId === id)
      return { id: submission, step: 'lookup', answer, noted, fence: undefined, cause: 'asked' }
    })
    const inOrder = answers.toSorted((one) => (rows.find((row) => row.id === one.id)?.invoiceId === id ? 1 : -1))
    const { organisationId, mode } = rows[0] as Tenant
    const input = { tenant: { organisationId, mode }, answers: isNoteFirst ? inOrder : inOrder.toReversed() }
    await app.runner.run(recordAnswers, { caller: systemCaller, origin, input })
    expect(await own.life.get(id)).toMatchObject({
      status: 'cancelled',
      reporting: { delivery: 'deliver_to_buyer' },
    })
    expect((await own.life.told(id)).slice(-2).toSorted()).toEqual(['invoice.cancelled', 'invoice.status_changed'])
  }
  authority.behaviourOf = () => 'well'
  await expectInvoicesAddUp(app)
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})
