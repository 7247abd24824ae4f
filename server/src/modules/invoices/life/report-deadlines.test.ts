import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { whileRefusing } from '../../../../../test/harness/refusing.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(app)
})
afterAll(() => app.close())

const toConsumer = { invoiceKind: 'B2C', buyerId: null }
/** `invoiceBody` has an earlier date; these documents are dated on the day of their issue. */
const issuedToday = (more: object = {}) =>
  own.life.issued({ ...toConsumer, invoiceDate: '2026-11-15', dueDate: null, ...more })
const reportingOf = async (id: string, form: 'A' | 'B' = 'A') =>
  ok(await app.client(form).get(`${path}/${id}`, { token: own.token })).reporting
const near = async (reportDueTo: string, form: 'A' | 'B' = 'A') => {
  const reply = await app.client(form).get(`${path}?reportDueTo=${reportDueTo}`, { token: own.token })
  return [reply.body.meta.pagination.total, ok(reply).map(({ id }: { id: string }) => id)]
}

test('only invoices to consumers have a deadline, one day after issue, and they show it', async () => {
  const draft = await own.life.draft({ ...toConsumer, invoiceDate: '2026-11-15', dueDate: null })
  expect(draft.reporting).toMatchObject({ dueAt: null, reportedAt: null, late: false })
  const { id, reporting } = ok(await own.life.act(draft.id, 'finalise'))
  expect(reporting).toEqual({
    status: 'not_reported',
    delivery: 'none',
    irn: null,
    dueAt: '2026-11-16T09:00:00.000Z',
    reportedAt: null,
    late: false,
  })
  expect(await reportingOf(id, 'B')).toEqual(reporting)
  expect((await own.life.issued()).reporting.dueAt).toBe(null)
  // The time runs from the given hour of the date, or from the end of that day in Lagos.
  expect((await issuedToday({ invoiceDate: '2026-11-14' })).reporting.dueAt).toBe('2026-11-15T22:59:59.000Z')
  const atTen = await issuedToday({ invoiceDate: '2026-11-13', issueTime: '10:00:00' })
  expect(atTen.reporting).toMatchObject({ dueAt: '2026-11-14T09:00:00.000Z', late: true })
  // A draft has no deadline until it is issued again.
  expect(ok(await own.life.act(atTen.id, 'reopen')).reporting).toMatchObject({ dueAt: null, late: false })
})

test('documents near their deadline are listed, and announced once by event and mail; reported ones are not', async () => {
  const soon = { invoiceDate: '2026-11-14', issueTime: '10:10:00' }
  const { id, invoiceNumber } = await issuedToday(soon)
  const late = await issuedToday(soon)
  const far = await issuedToday()
  const dueAt = '2026-11-15T09:10:00.000Z'
  const payload = async (of: string) =>
    (await own.life.told(of)).filter((type) => type === 'invoice.reporting_due').length
  for (const form of ['A', 'B'] as const) {
    const [total, ids] = await near(dueAt, form)
    expect(ids).toEqual(expect.arrayContaining([id, late.id]))
    expect(ids).not.toContain(far.id)
    expect(total).toBe(ids.length)
  }
  for (let runs = 0; runs < 2; runs++) await app.runJob('tell-due-reports')
  expect([await payload(id), await payload(late.id), await payload(far.id)]).toEqual([1, 1, 0])
  const { email } = await app.runtime.db.one<{ email: string }>(sql`select email from users where id = ${own.userId}`)
  const subject = '[Sandbox] Invoices have to be reported soon'
  const mails = (await app.mailTo(email)).filter((mail) => mail.subject === subject)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(`${invoiceNumber} (by ${momentInWords(new Date(dueAt), 'Africa/Lagos')})`)
  expect(mails[0]?.text).toContain('http://dashboard.test/invoices?reportDueTo=')
  const event = await app.runtime.db.one<{ data: object }>(sql`
    select data from events where object_id = ${id} and type = 'invoice.reporting_due'`)
  expect(event.data).toMatchObject({ invoiceId: id, reportDueAt: dueAt, jurisdiction: 'NG' })

  ok(await own.life.act(id, 'submit'), 202)
  await own.until(id, 'accepted')
  expect(await reportingOf(id)).toMatchObject({
    status: 'reported',
    dueAt,
    reportedAt: '2026-11-15T09:00:00.000Z',
    late: false,
  })
  expect((await near(dueAt))[1]).not.toContain(id)

  // A late report is shown as late, before and after it arrives.
  app.clock.set('2026-11-15T09:10:01Z')
  expect(await reportingOf(late.id)).toMatchObject({ status: 'not_reported', late: true })
  ok(await own.life.act(late.id, 'submit'), 202)
  const { reporting } = await own.until(late.id, 'accepted')
  expect(reporting).toMatchObject({ dueAt, reportedAt: '2026-11-15T09:10:01.000Z', late: true })
})

test('deadlines are announced once, even if documents of another tenant are locked or fail', async () => {
  app.clock.set('2026-11-15T09:00:00Z')
  const reporters = [own, await reporter(app), await reporter(app)] as const
  const due = { ...toConsumer, invoiceDate: '2026-11-14', issueTime: '10:20:00', dueDate: null }
  // The scheduler also announces, every minute.
  await app.stopWork()
  const made: string[] = []
  for (const { life } of reporters) made.push((await life.issued(due)).id)
  const payload = () =>
    Promise.all(
      made.map(async (id, nth) => {
        const types = (await reporters[nth]?.life.told(id)) as string[]
        return types.filter((type) => type === 'invoice.reporting_due').length
      }),
    )
  const sweep = () => app.runJob('tell-due-reports')
  const [, failing, sound] = reporters
  const untold = `organisation_id = '${failing.organisationId}' and report_told_at is not null`
  await whileRefusing(app, 'invoices', untold, () =>
    app.runtime.db.transaction(async (tx) => {
      await tx.run(sql`
        select from invoices where organisation_id = ${own.organisationId} and id = ${made[0]} for no key update`)
      await expect(sweep()).rejects.toThrow('not written for 1 tenants')
    }),
  )
  expect(await payload()).toEqual([0, 0, 1])
  await Promise.all([sweep(), sweep(), sweep()])
  await sweep()
  expect(await payload()).toEqual([1, 1, 1])
  await app.startWork()
  const { email } = await app.runtime.db.one<{ email: string }>(sql`select email from users where id = ${sound.userId}`)
  expect((await app.mailTo(email)).filter(({ subject }) => subject.includes('reported soon'))).toHaveLength(1)
})
