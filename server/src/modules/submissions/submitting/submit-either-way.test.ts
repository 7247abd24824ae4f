import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { inCopies } from '../../../../../test/harness/cluster.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../../../../test/harness/reporting-authority.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Invoice, InvoiceId } from '../../invoices/index.ts'
import { submitInvoice } from './submit-invoice.ts'

let app: TestApp
let own: Reporter
let caller: TokenCaller
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(app)
  caller = (await app.runtime.authentication.authenticate(own.token)).caller as TokenCaller
  // No worker runs, so queued documents stay queued.
  await app.stopWork()
})
afterAll(() => app.close())

/** Everything that a submission wrote, without ids and times. */
const leftBy = (id: string): Promise<object> =>
  inCopies(app.owner, ['invoices', 'submissions', 'credit_moves', 'events'], (copies) =>
    copies.one(sql`
    select (select to_jsonb(i) - 'id' - 'number' from invoices i where id = ${id}) as invoice,
           (select jsonb_agg(to_jsonb(s) - 'id' - 'invoice_id' - 'reference' - 'payload' - 'sha256' - 'due_at'
                             || jsonb_build_object('is_due', s.due_at <= now(), 'is_whole', encode(sha256(s.payload), 'hex') = s.sha256))
              from submissions s where invoice_id = ${id}) as submissions,
           (select jsonb_agg(to_jsonb(m) - 'id' - 'seq' - 'cause' - 'available_after') from credit_moves m join submissions s
                on m.cause = 'submission:' || s.id where s.invoice_id = ${id}) as moves,
           (select jsonb_agg(to_jsonb(e) - 'id' - 'seq' - 'object_id' - 'xid' - 'position' #- '{data,invoiceId}' #- '{data,invoiceNumber}' order by e.position)
              from events e where object_id = ${id} and request_id = ${origin.requestId}) as events`),
  )

const notThisWay = (): never => {
  throw new Error('it was to go another way')
}
const ways = {
  'in statements': { ...submitInvoice, fallback: notThisWay },
  'step by step': { ...submitInvoice, fitsStatement: () => false, write: notThisWay },
} as const

const spelled = (output: unknown): string =>
  JSON.stringify(output, (name, value) =>
    typeof value === 'bigint' ? `${value}` : ['id', 'number'].includes(name) ? '' : value,
  )

async function submitted(way: typeof submitInvoice, id: InvoiceId, key: string | undefined): Promise<string> {
  const call = { caller, origin, input: { id } }
  if (key === undefined) return spelled(await app.runner.run(way, call))
  const seal = (output: unknown) => {
    const sent = { status: 202, headers: {}, body: spelled(output) }
    return { sent, kept: sent }
  }
  const claim = { key, target: 'POST /either-way', body: '' }
  const first = await app.runner.runOnce(way, call, claim, seal)
  expect(await app.runner.runOnce(way, call, claim, seal)).toEqual({ ...first, replayed: true })
  return first.reply.body
}

test('a submission writes the same by statement and fallback, alone, in a batch and with a key', async () => {
  const results: object[] = []
  const groups: number[] = []
  for (const [name, forced] of Object.entries(ways))
    for (const withKey of [false, true]) {
      const way: typeof submitInvoice = {
        ...forced,
        write: (db, tenant, planned) => {
          groups.push(planned.length)
          return forced.write(db, tenant, planned)
        },
      }
      const ids: InvoiceId[] = []
      for (let made = 0; made < 5; made++) ids.push((await own.life.issued()).id)
      const one = (id: InvoiceId) => submitted(way, id, withKey ? newId() : undefined)
      const [alone, ...others] = ids as [InvoiceId, ...InvoiceId[]]
      const replies = [await one(alone), ...(await Promise.all(others.map(one)))]
      for (const [at, id] of ids.entries())
        results.push({ way: name, reply: JSON.parse(replies[at] as string), left: await leftBy(id) })
    }
  expect(Math.max(...groups), 'some were written together').toBeGreaterThan(1)
  expect(groups, 'a single one goes as values').toContain(1)
  const [first] = results as [object]
  for (const one of results) expect({ ...one, way: '' }).toEqual({ ...first, way: '' })
  expect(first).toMatchObject({
    reply: { status: 'queued', version: 3 },
    left: {
      submissions: [{ state: 'queued', is_due: true, is_whole: true, sends: 0, next_cause: 'submitted' }],
      moves: [{ type: 'hold', amount: 10 }],
      events: [{ type: 'invoice.queued', object_version: 3 }],
    },
  })
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

test('concurrent submissions hold the exact credits, and an invoice that is submitted many times is queued once', async () => {
  const before = await own.balances()
  const ids: string[] = []
  for (let made = 0; made < 6; made++) ids.push((await own.life.issued()).id)
  const charged = await own.balances()
  const submit = (id: string) => app.a.post(`${path}/${id}/submit`, { token: own.token })
  const replies = await Promise.all([...ids, ...ids, ...ids].map(submit))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(6)
  expect(statuses.filter((status) => status === 409)).toHaveLength(12)
  const after = await own.balances()
  expect([after.held - before.held, charged.available - after.available]).toEqual([60, 60])
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

/** Runs `happening` between the plan of a submission and its write. */
const after = (happening: () => Promise<unknown>): typeof submitInvoice => ({
  ...submitInvoice,
  plan: async (context, input) => {
    const plan = await submitInvoice.plan(context, input)
    await happening()
    return plan
  },
})
const run = (way: typeof submitInvoice, id: string): Promise<Invoice> =>
  app.runner.run(way, { caller, origin, input: { id: id as InvoiceId } })

test('what changed since the plan is checked again', async () => {
  const { db } = app.runtime
  const paid = await own.life.issued()
  const queued = await run(
    after(() => own.life.pay(paid.id, '1.00')),
    paid.id,
  )
  expect(queued).toMatchObject({ status: 'queued', paidMinor: 100n, version: 4 })

  const revoked = await own.life.issued()
  const status = (to: string) =>
    db.run(sql`update tax_connections set status = ${to}, revoked_at = ${to === 'revoked' ? new Date() : null}`)
  await expect(
    run(
      after(() => status('revoked')),
      revoked.id,
    ),
  ).rejects.toMatchObject({ refusal: 'authority.not_connected' })
  await status('connected')

  const moved = await own.life.issued()
  await run(
    after(() => db.run(sql`update tax_connections set service_id = 'MOVED001'`)),
    moved.id,
  )
  const { reference } = await db.one<{ reference: string }>(
    sql`select reference from submissions where invoice_id = ${moved.id}`,
  )
  expect(reference).toContain('MOVED001')

  const poor = await own.life.issued()
  const spend = sql`
    update credit_balances set available = 9, spent = spent + available - 9 where organisation_id = ${own.organisationId} and mode = 'sandbox'`
  await expect(
    run(
      after(() => db.run(spend)),
      poor.id,
    ),
  ).rejects.toMatchObject({ refusal: 'credits.insufficient' })
  expect(await own.life.get(poor.id)).toMatchObject({ status: 'finalised', submittedAt: null })
})

test.each([
  ['A', 402],
  ['B', 400],
] as const)('a batch without credits for any document is refused, in form %s with %i', async (form, status) => {
  // Enough credits for a draft, but not for a submission.
  const { id: unpaid } = await own.life.issued()
  const submit = (invoiceIds: string[]) =>
    app.client(form).post(`${path}/batch-submit`, { token: own.token, body: { invoiceIds } })
  const refused = await submit([unpaid])
  expect([refused.status, refused.body.error.code]).toEqual([status, 'BIZ001'])
  // If another obstacle exists, each document has its own refusal.
  const { results } = ok(await submit([unpaid, newId()]))
  expect(results.map(({ error }: { error: { code: string } }) => error.code)).toEqual(['BIZ001', 'RES001'])
})
