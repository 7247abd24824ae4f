import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { followAllLists } from '../../../../../test/harness/follow-lists.ts'
import { expectInvoicesAddUp } from '../../../../../test/harness/invoice-identity.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { invoicesPath, type Life, lifeOf, ok, payableMinor } from '../../../../../test/harness/issued.ts'
import { runMigrationAgain } from '../../../../../test/harness/older-database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { facets } from './facets.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

test('what an older version counted wrongly is put right by its migration, in invoices and in lists', async () => {
  const credited = await life.issued({ dueDate: '2026-11-03' })
  const note = ok(await life.act(ok(await life.credit(credited.id, { amount: 5000 }), 201).id, 'finalise'))
  const [draft, noDay] = [await life.draft({ dueDate: '2026-11-03' }), await life.issued({ dueDate: null })]
  const db = app.owner
  // As the older version left it: a rejected note counts, a draft is open, and a document without a due day is late from its issue on.
  await db.run(sql`update invoices set status = 'rejected' where id = ${note.id}`)
  await followAllLists(app.machine.db, 100)
  await db.run(
    sql`update invoice_listing set facets = facets | (1 << ${facets.open.shift}::int) where id = ${draft.id}`,
  )
  await db.run(sql`update invoice_sums set since = ${noDay.invoiceDate} where span = 'due' and since = 'infinity'`)
  await db.run(sql`delete from invoice_counts where kind = 'open'`)

  await runMigrationAgain(app.database.owner.url, '_what_counts.sql')

  await expectInvoicesAddUp(app, own.token)
  expect(await life.get(credited.id)).toMatchObject({ creditedMinor: 0, dueMinor: payableMinor, overdue: true })
  const late = await app.a.get(`${invoicesPath}?overdue=true`, { token: own.token })
  expect([late.data.map(({ id }: { id: string }) => id), late.body.meta.pagination.total]).toEqual([[credited.id], 1])
  const { receivables } = ok(await app.a.get('/i/v1/overview', { token: own.token }))
  expect(receivables).toEqual([
    { age: 'not_due', currency: 'NGN', count: 1, dueMinor: payableMinor },
    { age: '1_30', currency: 'NGN', count: 1, dueMinor: payableMinor },
  ])
})
