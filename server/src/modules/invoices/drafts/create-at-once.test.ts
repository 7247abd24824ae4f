import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { newId } from '../../../kernel/ids.ts'

/** `AT_ONCE=1500 ORGANISATIONS=30` for the full size. */
const atOnce = Number(process.env.AT_ONCE ?? 120)
const organisations = Number(process.env.ORGANISATIONS ?? 12)

let app: TestApp
let people: Issuer[]
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  people = []
  for (let nth = 0; nth < organisations; nth++) people.push(await issuer(app))
})
afterAll(() => app.close())

test.each(['without keys', 'with a key each'])('hundreds of concurrent creations all get a reply, %s', async (keys) => {
  const before = await Promise.all(people.map((person) => tracesOf(app, person)))
  const replies = await Promise.all(
    Array.from({ length: atOnce }, (_, at) => {
      const person = people[at % organisations] as Issuer
      const headers: Record<string, string> = keys === 'without keys' ? {} : { 'idempotency-key': newId() }
      return app.a.post('/i/v1/invoices', { token: person.token, body: invoiceBody.A(person), headers })
    }),
  )
  const statuses = Object.groupBy(replies, ({ status }) => status)
  expect(Object.fromEntries(Object.entries(statuses).map(([status, all]) => [status, all?.length]))).toEqual({
    201: atOnce,
  })
  const each = atOnce / organisations
  const after = await Promise.all(people.map((person) => tracesOf(app, person)))
  for (const [at, traces] of after.entries())
    expect([traces.invoices, traces.keys, traces.credits]).toEqual([
      (before[at]?.invoices as number) + each,
      (before[at]?.keys as number) + (keys === 'without keys' ? 0 : each),
      (before[at]?.credits as number) - each,
    ])
  await expectBooksInOrder(app)
})
