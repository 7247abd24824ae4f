import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { type Reporter, reporter } from '../../test/harness/reporters.ts'
import { Risiti as RisitiB } from '../src/form-b.ts'
import { NoAnswer, Risiti, RisitiError, TimedOut } from '../src/index.ts'

let app: TestApp
let own: Reporter
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
  own = await reporter(app)
})
afterAll(() => app.close())

/** Links in replies name the public address of the service. */
const options = () => ({
  baseUrl: app.url,
  token: own.token,
  fetch: (url: string, init: object) => fetch(url.replace('http://dashboard.test', app.url), init),
})

test('waitForOutcome returns the document as soon as the authority has decided, in both forms', async () => {
  const [one, other] = [await own.submitted(), await own.submitted()]
  const statuses: string[] = []
  const decided = await new Risiti(options()).invoices.waitForOutcome(one.id, {
    onStatus: (status) => statuses.push(status),
  })
  expect(decided).toMatchObject({ id: one.id, status: 'accepted' })
  expect(statuses.at(-1)).toBe('accepted')
  expect(new Set(statuses).size).toBe(statuses.length)
  expect(await new RisitiB(options()).invoices.waitForOutcome(other.id)).toMatchObject({ status: 'accepted' })
})

test('waitForOutcome does not wait for what was not submitted, nor for longer than it may', async () => {
  const { invoices } = new Risiti(options())
  const issued = await own.life.issued()
  await expect(invoices.waitForOutcome(issued.id)).rejects.toThrow(RisitiError)
  await expect(invoices.waitForOutcome(issued.id)).rejects.toThrow('the document is finalised: submit it first')
  app.authority.control.behave({ outage: true })
  try {
    const { id } = await own.submitted()
    await expect(invoices.waitForOutcome(id, { timeoutMs: 300 })).rejects.toThrow(TimedOut)
    const stop = new AbortController()
    const waiting = invoices.waitForOutcome(id, {
      signal: stop.signal,
      onStatus: () => stop.abort(new Error('enough')),
    })
    await expect(waiting).rejects.toThrow('enough')
  } finally {
    app.authority.control.behave({})
  }
})

test('downloadPdf returns the bytes of the PDF', async () => {
  const { id } = await own.life.issued()
  const pdf = await new Risiti(options()).invoices.downloadPdf(id)
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  const { fetch: _, ...direct } = options()
  await expect(new Risiti(direct).invoices.downloadPdf(id), 'an address that does not exist').rejects.toThrow(NoAnswer)
  await expect(
    new Risiti(options()).invoices.downloadPdf('00000000-0000-4000-8000-000000000000'),
  ).rejects.toMatchObject({ status: 404 })
})
