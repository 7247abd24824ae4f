import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { poison } from '../../../../test/harness/poison.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import { type Reporter, reporter } from '../../../../test/harness/reporters.ts'
import { reportingDouble } from '../../../../test/harness/reporting-authority.ts'
import { jobHandlers } from '../../jobs/index.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openZip } from '../imports/tables/zip.ts'
import type { BulkJobId, BulkSlice } from './bulk-job.ts'

type FormName = 'A' | 'B'
interface Result {
  readonly invoiceId: string
  readonly invoiceNumber: string | null
  readonly outcome: string
  readonly error: { code: string; reason: string; message: string; details: { path: string }[] } | null
}

let app: TestApp
let own: Reporter
const mailsPerHour = 40
const bulkItemsQuota = 12_000
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: reportingDouble().through,
    settings: {
      sandboxPatienceMs: 3_000,
      mailLimits: { document: 5, invitations: 100, hourly: mailsPerHour },
      bulkItemsQuota,
    },
  })
  own = await reporter(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices/bulk'
const start = (body: object, { form = 'A' as FormName, token = own.token } = {}) =>
  app.client(form).post(path, { token, body })
const read = async (id: string, { form = 'A' as FormName, token = own.token } = {}) =>
  ok(await app.client(form).get(`${path}/${id}`, { token }))
const ended = async (id: string, { form = 'A' as FormName, token = own.token } = {}) =>
  await eventually(async () => {
    const job = await read(id, { form, token })
    expect(job.status).not.toBe('running')
    return job
  })
const results = async (id: string, query = '', { form = 'A' as FormName, token = own.token } = {}) =>
  ok(await app.client(form).get(`${path}/${id}/results${query}`, { token })) as Result[]
const drafts = async (count: number, form: FormName = 'A', more: object = {}) => {
  const made: { id: string; invoiceNumber: string }[] = []
  for (let nth = 0; nth < count; nth++) made.push(await own.life.draft(more, form))
  return made
}
const idsOf = (made: readonly { id: string }[]) => made.map(({ id }) => id)
const nobody = '0198c0de-0000-7000-8000-000000000000'

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const run = async (body: object) => {
    const reply = await start(body, { form })
    const job = ok(reply, 202)
    expect(reply.headers.get('location')).toContain(`/i/v1/invoices/bulk/${job.id}`)
    expect(job).toMatchObject({ status: 'running', continuesAt: null })
    return { job: await ended(job.id, { form }), rows: await results(job.id, '?limit=100', { form }) }
  }

  test('drafts that match a filter are finalised, submitted, sent and reminded about; each has its result', async () => {
    const day = form === 'A' ? '2026-10-01' : '2026-10-02'
    const made = await drafts(4, form, { invoiceDate: day })
    // An archived buyer keeps a draft from being finalised.
    const gone = await own.life.buyer()
    const [incomplete] = await drafts(1, form, { invoiceDate: day, buyerId: gone })
    await app.owner.run(sql`update buyers set archived_at = now() where id = ${gone}`)
    const filter = { invoiceDateFrom: day, invoiceDateTo: day }

    const finalised = await run({ action: 'finalise', filter })
    expect(finalised.job).toMatchObject({
      action: 'finalise',
      status: 'done',
      counts: { total: 5, waiting: 0, done: 4, failed: 1, skipped: 0 },
    })
    expect(finalised.rows.map(({ invoiceId, outcome }) => [invoiceId, outcome])).toEqual([
      ...made.map(({ id }) => [id, 'done']),
      [incomplete?.id, 'failed'],
    ])
    const [refused] = await results(finalised.job.id, '?outcome=failed', { form })
    expect(refused).toMatchObject({
      invoiceNumber: incomplete?.invoiceNumber,
      error: { code: 'BIZ004', reason: 'invoice.finalise.incomplete', details: [{ path: 'buyerId' }] },
    })

    const submitted = await run({ action: 'submit', filter })
    expect(submitted.job.counts).toMatchObject({ done: 4, failed: 1 })
    for (const { id } of made) await own.until(id, 'accepted')

    const sent = await run({ action: 'send', invoiceIds: idsOf(made) })
    expect(sent.job.counts).toMatchObject({ total: 4, done: 4 })
    const reminded = await run({ action: 'remind', invoiceIds: [made[0]?.id, incomplete?.id] })
    expect(reminded.rows.map(({ outcome, error }) => [outcome, error?.reason])).toEqual([
      ['done', undefined],
      ['failed', 'invoice.send.not_finalised'],
    ])
    expect(await own.life.told(made[0]?.id ?? '')).toEqual(
      expect.arrayContaining(['invoice.finalised', 'invoice.queued', 'invoice.accepted', 'invoice.sent']),
    )
  })

  test('drafts are deleted; others, unknown ones and those of another tenant stay and are reported alike', async () => {
    const made = await drafts(2, form)
    const issued = await own.life.issued({}, form)
    const foreign = await lifeOf(app, await issuer(app)).draft()
    const invoiceIds = [made[0]?.id, issued.id, foreign.id, nobody, made[1]?.id]
    const { job, rows } = await run({ action: 'delete', invoiceIds })
    expect(job.counts).toMatchObject({ total: 5, done: 2, failed: 3 })
    expect(
      rows.map(({ invoiceId, invoiceNumber, outcome, error }) => [invoiceId, invoiceNumber, outcome, error?.reason]),
    ).toEqual([
      [made[0]?.id, made[0]?.invoiceNumber, 'done', undefined],
      [issued.id, issued.invoiceNumber, 'failed', 'invoice.delete.not_draft'],
      [foreign.id, null, 'failed', 'resource.not_found'],
      [nobody, null, 'failed', 'resource.not_found'],
      [made[1]?.id, made[1]?.invoiceNumber, 'done', undefined],
    ])
    expect(ok(await app.client(form).get(`${path}?limit=1`, { token: own.token }))).toEqual([job])
    for (const { id } of made)
      expectRefusal(await app.a.get(`/i/v1/invoices/${id}`, { token: own.token }), 'resource.not_found')
  })

  test.each([
    ['neither ids nor filter', { action: 'delete' }, 'invoiceIds'],
    ['both', { action: 'delete', invoiceIds: [nobody], filter: {} }, 'filter'],
    ['no ids', { action: 'delete', invoiceIds: [] }, 'invoiceIds'],
    ['the same id twice', { action: 'delete', invoiceIds: [nobody, nobody] }, 'invoiceIds[1]'],
    ['the same id in capitals', { action: 'delete', invoiceIds: [nobody, nobody.toUpperCase()] }, 'invoiceIds[1]'],
    ['an unknown action', { action: 'pay', invoiceIds: [nobody] }, 'action'],
    ['an unknown filter', { action: 'delete', filter: { colour: 'red' } }, 'filter.colour'],
    ['a page', { action: 'delete', filter: { page: 2 } }, 'filter.page'],
    ['a count for ids', { action: 'delete', invoiceIds: [nobody], expectedCount: 1 }, 'expectedCount'],
  ])('%s is refused', async (_, body, place) => {
    const refused = await start(body, { form })
    expectRefusal(refused, 'request.invalid')
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toContain(place)
  })
})

test.each(['A', 'B'] as const)('another number of documents than expected is refused through form %s', async (form) => {
  const day = form === 'A' ? '2026-10-03' : '2026-10-04'
  await drafts(2, form, { invoiceDate: day })
  const body = { action: 'delete', filter: { invoiceDateFrom: day, invoiceDateTo: day } }
  const refused = await start({ ...body, expectedCount: 1 }, { form })
  expectRefusal(refused, 'bulk_job.count_changed')
  expect(refused.body.error.message).toContain('2 documents match now, not 1.')
  const { id } = ok(await start({ ...body, expectedCount: 2 }, { form }), 202)
  expect((await ended(id, { form })).counts).toMatchObject({ total: 2, done: 2 })
})

test('a job without documents is done at once', async () => {
  const { id } = ok(await start({ action: 'delete', filter: { search: 'no such number' } }), 202)
  expect(await ended(id)).toMatchObject({ status: 'done', counts: { total: 0 } })
})

test('results are read page by page, and an Idempotency-Key starts a job once', async () => {
  const made = await drafts(5)
  const request = {
    token: own.token,
    body: { action: 'delete', invoiceIds: idsOf(made) },
    headers: { 'idempotency-key': 'delete-five' },
  }
  const first = ok(await app.a.post(path, request), 202)
  expect(ok(await app.a.post(path, request), 202).id).toBe(first.id)
  await ended(first.id)
  const seen: string[] = []
  let after = ''
  do {
    const page = await app.a.get(`${path}/${first.id}/results?limit=2${after}`, { token: own.token })
    seen.push(...ok(page).map(({ invoiceId }: Result) => invoiceId))
    const { nextCursor, total } = page.body.meta.pagination
    expect(total).toBe(5)
    after = nextCursor === null ? '' : `&after=${nextCursor}`
  } while (after !== '')
  expect(seen).toEqual(idsOf(made))
})

test('a job of several slices ends with every document done once', async () => {
  const made = await drafts(120)
  const job = ok(await start({ action: 'finalise', invoiceIds: idsOf(made) }), 202)
  expect((await ended(job.id)).counts).toMatchObject({ total: 120, done: 120 })
  const told = await app.owner.rows(sql`
    select object_id from events where type = 'invoice.finalised' and object_id = any (${idsOf(made)}::text[])`)
  expect(told).toHaveLength(120)
})

test('a slice that was interrupted or is repeated acts on no document twice', async () => {
  const made = await drafts(3)
  await own.life.issued()
  await app.stopWork()
  const handler = jobHandlers(app.runtime, app.runner).find(({ job }) => job.name === 'work-on-bulk-job')
  const invoiceIds = idsOf(made)
  const { id } = ok(await start({ action: 'finalise', invoiceIds }), 202)
  const slice: BulkSlice = {
    organisationId: own.organisationId as OrganisationId,
    mode: 'sandbox',
    bulkJobId: id as BulkJobId,
    slice: 1,
  }
  const work = (nth = 1) => handler?.handle({ ...slice, slice: nth }, { number: 1, last: false })
  try {
    // The worker dies before the third document: the job cannot continue, and its slice runs again.
    const heal = await poison(app, 'bulk_job_items', `new.bulk_job_id = '${id}' and new.position = 3`)
    await expect(work()).rejects.toThrow('poisoned')
    expect((await read(id)).counts).toMatchObject({ done: 2, waiting: 1 })
    await heal()
    await Promise.all([work(), work()])
    await work()
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 3, failed: 0, waiting: 0 } })
    await work(2)
    for (const each of invoiceIds)
      expect((await own.life.told(each)).filter((type) => type === 'invoice.finalised')).toHaveLength(1)
  } finally {
    await app.startWork()
  }
})

test('a lost connection fails no document: the slice runs again and goes on', async () => {
  const made = await drafts(2)
  await app.stopWork()
  const handler = jobHandlers(app.runtime, app.runner).find(({ job }) => job.name === 'work-on-bulk-job')
  const { id } = ok(await start({ action: 'finalise', invoiceIds: idsOf(made) }), 202)
  const slice = { organisationId: own.organisationId, mode: 'sandbox', bulkJobId: id, slice: 1 }
  const cutOn = `new.id = '${made[1]?.id}' and pg_terminate_backend(pg_backend_pid())`
  try {
    const heal = await poison(app, 'invoices', cutOn, 'update')
    await expect(handler?.handle(slice, { number: 1, last: false })).rejects.toThrow()
    expect((await read(id)).counts).toMatchObject({ done: 1, failed: 0, waiting: 1 })
    await heal()
    await handler?.handle(slice, { number: 2, last: false })
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 2, failed: 0 } })
  } finally {
    await app.startWork()
  }
})

test('an error of ours on one document is its result, and the others are done', async () => {
  const made = await drafts(3)
  const heal = await poison(app, 'invoices', `new.id = '${made[1]?.id}'`, 'update')
  try {
    const { id } = ok(await start({ action: 'finalise', invoiceIds: idsOf(made) }), 202)
    expect((await ended(id)).counts).toMatchObject({ done: 2, failed: 1 })
    const [, failed] = await results(id)
    expect(failed).toMatchObject({ outcome: 'failed', error: { reason: 'internal.failure', code: 'SYS001' } })
  } finally {
    await heal()
  }
})

test('a cancelled job skips what has not begun, and cannot be cancelled again', async () => {
  const made = await drafts(3)
  await app.stopWork()
  const { id } = ok(await start({ action: 'delete', invoiceIds: idsOf(made) }), 202)
  const cancel = () => app.a.post(`${path}/${id}/cancel`, { token: own.token })
  expect(ok(await cancel())).toMatchObject({ status: 'cancelled', counts: { total: 3, waiting: 0, skipped: 3 } })
  expectRefusal(await cancel(), 'bulk_job.cancel.not_running')
  await app.startWork()
  await app.quiet()
  expect((await own.life.get(made[0]?.id ?? '')).status).toBe('draft')
})

test('an id in capitals names its document', async () => {
  const [draft] = await drafts(1)
  const { id } = ok(await start({ action: 'delete', invoiceIds: [draft?.id.toUpperCase()] }), 202)
  expect(await ended(id)).toMatchObject({ counts: { done: 1 } })
  expect(await results(id)).toMatchObject([{ invoiceId: draft?.id, invoiceNumber: draft?.invoiceNumber }])
})

test('an amount in the filter that no document can have is refused', async () => {
  for (const amountFromMinor of [1e300, 2 ** 53, 1e22]) {
    const refused = await start({ action: 'delete', filter: { amountFromMinor } })
    expectRefusal(refused, 'request.invalid')
    expect(refused.body.error.details[0].path).toBe('filter.amountFromMinor')
  }
})

test('stored results have a limit', async () => {
  const person = await issuer(app)
  const { token } = person
  const { id } = ok(await start({ action: 'delete', invoiceIds: [nobody] }, { token }), 202)
  await ended(id, { token })
  await app.owner.run(sql`
    insert into bulk_job_items (organisation_id, mode, bulk_job_id, position, invoice_id, outcome, details)
    select ${person.organisationId}, 'sandbox', ${id}, n, gen_random_uuid(), 'failed', '[]' from generate_series(2, ${bulkItemsQuota}::int) as n`)
  const refused = await start({ action: 'delete', invoiceIds: [nobody] }, { token })
  expectRefusal(refused, 'bulk_job.too_many')
  expect(refused.text).toContain('30 days')
})

test('without the right to read invoices, a key sees only the jobs that it started', async () => {
  const [draft] = await drafts(1)
  const { id: other } = ok(await start({ action: 'finalise', invoiceIds: [draft?.id] }), 202)
  await ended(other)
  const token = await app.key(own.organisationId, { capabilities: ['invoice.finalise'] })
  const { id } = ok(await start({ action: 'finalise', invoiceIds: [nobody] }, { token }), 202)
  expect(await ended(id, { token })).toMatchObject({ counts: { failed: 1 } })
  for (const what of ['', '/results'])
    expectRefusal(await app.a.get(`${path}/${other}${what}`, { token }), 'resource.not_found')
  expect(idsOf(ok(await app.a.get(path, { token })))).toEqual([id])
})

test('at most five jobs run at a time', async () => {
  await app.stopWork()
  try {
    const body = { action: 'delete', invoiceIds: [nobody] }
    for (let nth = 0; nth < 5; nth++) ok(await start(body), 202)
    expectRefusal(await start(body), 'bulk_job.too_many')
  } finally {
    await app.startWork()
  }
  await app.quiet()
})

test('ten thousand ids are one job, and one more is refused', async () => {
  const idAt = (at: number) => `0198c0de-0000-7000-8000-${String(at).padStart(12, '0')}`
  const body = (count: number) => ({ action: 'delete', invoiceIds: Array.from({ length: count }, (_, at) => idAt(at)) })
  await app.stopWork()
  try {
    const { id, counts } = ok(await start(body(10_000)), 202)
    expect(counts).toMatchObject({ total: 10_000, waiting: 10_000 })
    expect(ok(await app.a.post(`${path}/${id}/cancel`, { token: own.token })).counts).toMatchObject({ skipped: 10_000 })
    expectRefusal(await start(body(10_001)), 'request.invalid')
  } finally {
    await app.startWork()
  }
})

test('more documents than one job takes are refused', async () => {
  const person = await issuer(app)
  await lifeOf(app, person).draft()
  await app.quiet()
  // The kept count of the list, without ten thousand documents.
  await app.owner.run(sql`update invoice_counts set n = 12345 where organisation_id = ${person.organisationId}`)
  const refused = await start({ action: 'delete', filter: {} }, { token: person.token })
  expectRefusal(refused, 'request.invalid')
  expect(refused.text).toContain('12,345 documents')
})

test('mails beyond the hourly limit are sent in the next hour', async () => {
  const person = await issuer(app)
  const life = lifeOf(app, person)
  const made: { id: string }[] = []
  for (let nth = 0; nth < mailsPerHour + 2; nth++) made.push(await life.issued())
  const { token } = person
  const { id } = ok(await start({ action: 'send', invoiceIds: idsOf(made) }, { token }), 202)
  await eventually(async () => expect((await read(id, { token })).continuesAt).not.toBeNull())
  expect(await read(id, { token })).toMatchObject({ status: 'running', counts: { done: mailsPerHour, waiting: 2 } })
  // The job waits in the queue: its time comes, and the hour has passed.
  await app.owner.run(sql`delete from rate_windows where subject like ${`mails:${person.organisationId}%`}`)
  await app.owner.run(sql`update jobs set due_at = now() where job = 'work-on-bulk-job'`)
  expect(await ended(id, { token })).toMatchObject({
    status: 'done',
    continuesAt: null,
    counts: { done: mailsPerHour + 2 },
  })
})

test('each action needs its own permission, others see nothing of the job, and it stops if the permission is lost', async () => {
  const [draft] = await drafts(1)
  const body = { action: 'finalise', invoiceIds: [draft?.id] }
  const stranger = await issuer(app)
  const clerk = await app.key(own.organisationId, { capabilities: ['invoice.delete_draft', 'invoice.read'] })
  const blind = await app.key(own.organisationId, { capabilities: ['invoice.finalise'] })
  expectRefusal(await start(body, { token: clerk }), 'auth.capability_missing')
  expectRefusal(await start({ action: 'finalise', filter: {} }, { token: blind }), 'auth.capability_missing')
  await app.stopWork()
  try {
    const { id } = ok(await start(body, { token: blind }), 202)
    for (const token of [stranger.token, clerk]) {
      expectRefusal(await app.a.get(`${path}/${id}`, { token }), 'resource.not_found')
      expectRefusal(await app.a.get(`${path}/${id}/results`, { token }), 'resource.not_found')
      expectRefusal(await app.a.post(`${path}/${id}/cancel`, { token }), 'resource.not_found')
      expect(idsOf(ok(await app.a.get(path, { token })))).not.toContain(id)
    }
    await app.owner.run(
      sql`update api_keys set revoked_at = now() where organisation_id = ${own.organisationId} and capabilities = array['invoice.finalise']`,
    )
    await app.startWork()
    expect(await ended(id)).toMatchObject({ status: 'stopped', counts: { skipped: 1, done: 0 } })
    expect((await own.life.get(draft?.id ?? '')).status).toBe('draft')
  } finally {
    await app.startWork()
  }
})

test('PDFs are collected in one ZIP file, which only its link opens, and only for a time', async () => {
  const [one, two, gone] = [await own.life.issued(), await own.life.draft(), await own.life.draft()]
  const { id } = ok(await start({ action: 'download', invoiceIds: [one.id, two.id, nobody, gone.id] }), 202)
  const ask = (token = own.token) => app.a.get(`${path}/${id}/download`, { token })
  expect((await ended(id)).counts).toMatchObject({ done: 3, failed: 1 })
  ok(await app.a.delete(`/i/v1/invoices/${gone.id}`, { token: own.token }))
  const { url } = ok(await ask())
  const open = (at = url) => fetch(at.replace('http://dashboard.test', app.url))
  const file = await open()
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="invoices.zip"')
  const archive = openZip(Buffer.from(await file.arrayBuffer()))
  const pdfOf = ({ invoiceNumber }: { invoiceNumber: string }) => archive.read(`${invoiceNumber}.pdf`)
  expect([(await pdfOf(one))?.slice(0, 5), (await pdfOf(two))?.slice(0, 5), await pdfOf(gone)]).toEqual([
    '%PDF-',
    '%PDF-',
    undefined,
  ])
  expect(await archive.read('missing.txt')).toContain(`${gone.invoiceNumber}: The object was not found`)

  expect((await open(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')))).status).toBe(404)
  const clerk = await app.key(own.organisationId, { capabilities: ['invoice.finalise'] })
  expectRefusal(await ask(clerk), 'auth.capability_missing')
  expectRefusal(await ask((await issuer(app)).token), 'resource.not_found')
  const other = ok(await start({ action: 'delete', invoiceIds: [nobody] }), 202)
  expectRefusal(await app.a.get(`${path}/${other.id}/download`, { token: own.token }), 'resource.not_found')
  await app.stopWork()
  try {
    const waiting = ok(await start({ action: 'download', invoiceIds: [one.id] }), 202)
    expectRefusal(await app.a.get(`${path}/${waiting.id}/download`, { token: own.token }), 'bulk_job.download.not_done')
  } finally {
    await app.startWork()
  }
  await app.quiet()
  const now = app.clock.now()
  app.clock.advance({ minutes: 16 })
  expect((await open()).status).toBe(404)
  app.clock.set(now)
})

test('at most 200 PDFs are one job, and form B has none', async () => {
  const invoiceIds = Array.from({ length: 201 }, (_, at) => nobody.replace(/.{3}$/, String(at).padStart(3, '0')))
  const refused = await start({ action: 'download', invoiceIds })
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details[0]).toMatchObject({ path: 'invoiceIds', rule: 'max' })
  expectRefusal(await start({ action: 'download', invoiceIds: [nobody] }, { form: 'B' }), 'request.invalid')
})

test('jobs and results are deleted after 30 days', async () => {
  const { id } = ok(await start({ action: 'delete', invoiceIds: [nobody] }), 202)
  await ended(id)
  await app.owner.run(
    sql`update bulk_jobs set created_at = (created_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where id = ${id}`,
  )
  await app.runJob('purge-expired')
  expectRefusal(await app.a.get(`${path}/${id}`, { token: own.token }), 'resource.not_found')
  expect(await app.owner.rows(sql`select from bulk_job_items where bulk_job_id = ${id}`)).toEqual([])
})

test('the end of a job is one event, with the number of documents by outcome', async () => {
  const told = async (id: string) =>
    (await eventsAbout(app, id)).map(({ type, data }) => ({ type, ...(data as object) }))
  const [draft] = await drafts(1)
  const { id } = ok(await start({ action: 'finalise', invoiceIds: [draft?.id, nobody] }), 202)
  await ended(id)
  const facts = { type: 'bulk_job.completed', bulkJobId: id, action: 'finalise' }
  expect(await told(id)).toEqual([{ ...facts, status: 'done', total: 2, done: 1, failed: 1, skipped: 0 }])
  await app.stopWork()
  const stopped = ok(await start({ action: 'send', invoiceIds: [draft?.id] }), 202)
  ok(await app.a.post(`${path}/${stopped.id}/cancel`, { token: own.token }))
  await app.startWork()
  await app.quiet()
  expect(await told(stopped.id)).toEqual([
    {
      ...facts,
      bulkJobId: stopped.id,
      action: 'send',
      status: 'cancelled',
      total: 1,
      done: 0,
      failed: 0,
      skipped: 1,
    },
  ])
})
