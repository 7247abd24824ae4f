import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { type Receiver, receivedPath, receivers } from '../../../../../test/harness/receivers.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())
afterEach(() => {
  app.authority.control.misbehave(undefined)
  app.authority.control.behave({})
  app.clock.set('2026-11-15T09:00:00Z')
})

const { get, list, poll, receiver, sent } = receivers(() => app)

/** Days pass, which a session does not survive, so an API key is used. */
async function lasting(): Promise<Receiver> {
  const person = await receiver()
  return { ...person, token: await app.key(person.organisationId) }
}

const figures = async ({ token }: Receiver, form: 'A' | 'B' = 'A') => {
  const read = async (query: string) => {
    const { sync: _, ...all } = (await app.client(form).get(`${receivedPath}/analytics${query}`, { token })).data
    return all
  }
  const kept = await read('')
  expect(await read('?issueDateFrom=1900-01-01'), 'counted anew').toEqual(kept)
  return kept
}
const total = async (person: Receiver, status: string, form: 'A' | 'B' = 'A') =>
  (await list(person, `?paymentStatus=${status}`, form)).body.meta.pagination.total
const has = (person: Receiver, id: string, status: string) =>
  eventually(async () => {
    await poll()
    expect((await get(person, id)).data.paymentStatus).toBe(status)
  })

describe.each(['A', 'B'] as const)('spoken as %s', (form) => {
  test('an invoice is paid here after its supplier reports the payment to the authority', async () => {
    const person = await lasting()
    const { id, authorityReference } = await sent(person, { invoiceDate: '2026-11-01', dueDate: '2026-11-10' })
    expect(await figures(person, form)).toMatchObject({ overdueCount: 1, unpaidMinor: 19_350_000 })
    app.clock.advance({ minutes: 2 })
    app.authority.control.pay(authorityReference, 'PARTIAL')
    await eventually(async () => expect((await get(person, id, form)).data.paymentStatus).toBe('partial'))
    expect(await total(person, 'partial', form)).toBe(1)
    app.clock.advance({ minutes: 2 })
    app.authority.control.pay(authorityReference, 'PAID')
    await eventually(async () => expect((await get(person, id, form)).data.paymentStatus).toBe('paid'))
    expect(await figures(person, form)).toMatchObject({ overdueCount: 0, unpaidMinor: 0, claimableTaxMinor: 1_350_000 })
    const totals = Object.fromEntries(
      await Promise.all(
        ['paid', 'partial', 'unpaid', 'overdue'].map(async (status) => [status, await total(person, status, form)]),
      ),
    )
    expect(totals).toEqual({ paid: 1, partial: 0, unpaid: 0, overdue: 0 })
    expect((await get(person, id, form)).data.overdue).toBe(false)
  })
})

test('a withdrawn invoice is no longer claimable, and its note no longer counts', async () => {
  const person = await lasting()
  app.authority.control.behave({ callbacks: 'never' })
  const { id, authorityReference } = await sent(person)
  const note = await sent(person, {
    invoiceType: 'credit_note',
    correctsReference: authorityReference,
    lineItems: [{ description: 'Tables', unitPrice: 1000, hsnCode: '9403.60' }],
  })
  expect(await figures(person)).toMatchObject({ claimableTaxMinor: 1_342_500 })
  // A rejected credit note no longer lowers the claim.
  app.authority.control.pay(note.authorityReference, 'REJECTED')
  app.clock.advance({ hours: 7 })
  await has(person, note.id, 'rejected')
  expect(await figures(person)).toMatchObject({ claimableTaxMinor: 1_350_000 })
  app.authority.control.pay(authorityReference, 'REJECTED')
  app.clock.advance({ hours: 13 })
  await has(person, id, 'rejected')
  expect((await get(person, id)).data.inputVat).toMatchObject({
    claimable: false,
    reason: 'rejected',
    claimableMinor: 0,
  })
  expect(await figures(person)).toMatchObject({ claimableTaxMinor: 0 })
  // The authority's answer counts in the other direction too.
  app.authority.control.pay(authorityReference, 'PENDING')
  app.clock.advance({ days: 2 })
  await has(person, id, 'unpaid')
  expect(await figures(person)).toMatchObject({ claimableTaxMinor: 1_350_000 })
})

/** Number of calls to the authority about a document. */
const questions = (irn: string) =>
  app.authority.control.requests.filter(({ path }) => path.endsWith(`/invoice/confirm/${irn}`)).length

test('the authority is asked at growing intervals, and finally not at all', async () => {
  const person = await lasting()
  app.authority.control.behave({ callbacks: 'never' })
  const { id, authorityReference } = await sent(person)
  const at = async () =>
    (
      await app.runtime.db.one<{ due: Date | null }>(
        sql`select payment_check_at as due from received_invoices where id = ${id}`,
      )
    ).due
  const asked: number[] = []
  let due = await at()
  for (let checks = 0; due !== null && checks < 40; checks++) {
    const before = app.clock.now()
    asked.push((due.getTime() - before.getTime()) / 3_600_000)
    app.clock.set(due.toISOString())
    const last = due.getTime()
    await poll()
    due = await eventually(async () => {
      const next = await at()
      expect(next?.getTime()).not.toBe(last)
      return next
    })
  }
  expect(due).toBeNull()
  expect(asked.slice(0, 8)).toEqual([6, 12, 24, 48, 96, 192, 384, 720])
  expect(asked.length).toBeLessThan(25)
  const before = questions(authorityReference)
  app.clock.advance({ days: 60 })
  await poll()
  expect(questions(authorityReference)).toBe(before)
})

test('unauthenticated callbacks cause at most one query a minute, and change nothing', async () => {
  const person = await lasting()
  const { id, authorityReference } = await sent(person)
  const ring = () =>
    fetch(`${app.url}/notifications/authority/NG/sandbox`, {
      method: 'POST',
      body: JSON.stringify({ irn: authorityReference, message: 'PAID' }),
    })
  // Callbacks during the delivery are processed first.
  app.clock.advance({ minutes: 5 })
  await poll()
  app.clock.advance({ minutes: 5 })
  const before = questions(authorityReference)
  for (let times = 0; times < 5; times++) {
    expect((await ring()).status).toBe(200)
    await app.quiet()
  }
  await poll()
  expect(questions(authorityReference)).toBe(before + 1)
  expect((await get(person, id)).data.paymentStatus).toBe('unpaid')
})

test('a status that cannot be read or stored does not stop the others', async () => {
  const [one, other] = [await lasting(), await lasting()]
  app.authority.control.behave({ callbacks: 'never' })
  const [poisoned, good, far] = [await sent(one, { sellerName: 'Doomed' }), await sent(one), await sent(other)]
  await app.owner.run(
    sql`alter table received_invoices add constraint doomed check (seller_name <> 'Doomed' or payment_status = 'unpaid')`,
  )
  try {
    for (const { authorityReference } of [poisoned, good, far]) app.authority.control.pay(authorityReference, 'PAID')
    app.clock.advance({ hours: 7 })
    await has(one, good.id, 'paid')
    await has(other, far.id, 'paid')
    expect((await get(one, poisoned.id)).data.paymentStatus).toBe('unpaid')
  } finally {
    await app.owner.run(sql`alter table received_invoices drop constraint doomed`)
  }
  app.clock.advance({ days: 2 })
  await has(one, poisoned.id, 'paid')
})

test('neither a missing answer nor a missing document changes anything', async () => {
  const person = await lasting()
  const { id } = await sent(person)
  app.authority.control.misbehave('down')
  app.clock.advance({ hours: 7 })
  await poll()
  app.authority.control.misbehave(undefined)
  app.authority.control.behave({ staleLookupMs: 10 ** 12 })
  app.clock.advance({ days: 3 })
  await poll()
  expect((await get(person, id)).data).toMatchObject({ paymentStatus: 'unpaid', inputVat: { claimable: true } })
})
