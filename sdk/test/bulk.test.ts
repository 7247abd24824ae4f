import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { type Reporter, reporter } from '../../test/harness/reporters.ts'
import { Risiti as RisitiB } from '../src/form-b.ts'
import { Refused, Risiti, TimedOut } from '../src/index.ts'

let app: TestApp
let own: Reporter
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
  own = await reporter(app)
})
afterAll(() => app.close())

const client = () => new Risiti({ baseUrl: app.url, token: own.token })
const clientB = () => new RisitiB({ baseUrl: app.url, token: own.token })
const nobody = '0198c0de-0000-7000-8000-000000000000'

test('drafts that match are finalised, then submitted by id, with progress and a result for each', async () => {
  const { invoices } = client()
  for (let nth = 0; nth < 4; nth++) await own.life.draft()
  const left: number[] = []
  const { job, results } = await invoices.finaliseBatch(
    { filter: { status: 'draft' } },
    { onProgress: ({ counts }) => left.push(counts.waiting) },
  )
  expect(job).toMatchObject({ status: 'done', counts: { total: 4, done: 4 } })
  expect(left[0]).toBe(4)
  expect(left.at(-1)).toBe(0)
  const ids = results.map(({ invoiceId }) => invoiceId)
  const submitted = await clientB().invoices.submitBatch([...ids, nobody])
  expect(submitted.results.map(({ outcome, error }) => [outcome, error?.reason])).toEqual([
    ...ids.map(() => ['done', undefined]),
    ['failed', 'resource.not_found'],
  ])
  expect(await invoices.waitForOutcome(ids[0] as string)).toMatchObject({ status: 'accepted' })
  expect((await invoices.sendBatch(ids)).job.counts.done).toBe(4)
  expect((await invoices.remindBatch(ids.slice(0, 1))).job.counts.done).toBe(1)
})

test('downloadPdfs returns the PDFs as one ZIP file', async () => {
  const issued = await own.life.issued()
  // Links name the public address of the service.
  const fetchHere = (url: string, init: object) => fetch(url.replace('http://dashboard.test', app.url), init)
  const { invoices } = new Risiti({ baseUrl: app.url, token: own.token, fetch: fetchHere })
  const zip = Buffer.from(await invoices.downloadPdfs([issued.id, nobody]))
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(zip.includes(`${issued.invoiceNumber}.pdf`)).toBe(true)
  await expect(
    invoices.downloadPdfs(Array.from({ length: 201 }, (_, at) => nobody.replace(/.{3}$/, String(at).padStart(3, '0')))),
  ).rejects.toThrow(Refused)
})

test('deleteBatch reads all pages of results', async () => {
  const ids = Array.from({ length: 150 }, (_, at) => nobody.replace(/.{3}$/, String(at).padStart(3, '0')))
  const { results } = await client().invoices.deleteBatch(ids)
  expect(results.map(({ invoiceId }) => invoiceId)).toEqual(ids)
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['failed']))
})

test('a refused start, a job that takes too long and an abort throw; the job can be cancelled', async () => {
  const { invoices, bulkJobs } = client()
  await expect(invoices.deleteBatch([])).rejects.toThrow(Refused)
  const draft = await own.life.draft()
  await app.stopWork()
  try {
    await expect(invoices.deleteBatch([draft.id], { timeoutMs: 200 })).rejects.toThrow(TimedOut)
    const stop = new AbortController()
    const waiting = invoices.deleteBatch([draft.id], {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(waiting).rejects.toThrow('enough')
    for (const { id } of (await bulkJobs.list()).data.slice(0, 2))
      expect(await bulkJobs.cancel(id)).toMatchObject({ status: 'cancelled', counts: { skipped: 1 } })
  } finally {
    await app.startWork()
  }
  expect((await invoices.get(draft.id)).status).toBe('draft')
})
