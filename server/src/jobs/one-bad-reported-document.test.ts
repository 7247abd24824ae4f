import { afterAll, beforeAll } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { ok, invoicesPath as path } from '../../../test/harness/issued.ts'
import { envelopeFor } from '../../../test/harness/key-files.ts'
import { badItems, type Due, type Row, testRows } from '../../../test/harness/one-bad-item.ts'
import { type Reporter, reporter } from '../../../test/harness/reporters.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())

const { exists, isFailing, refusing, runJob } = badItems(() => app)

async function storeKeyFile({ token }: Reporter): Promise<void> {
  const { businessId } = ok(await app.a.get('/i/v1/tax-connection', { token })).authorityIdentifiers
  const { data: key } = await app.a.get('/i/v1/tax-connection/transport-key', { token })
  const envelope = await envelopeFor(key.publicKeyPem, app.authority.control.keyFileOf(businessId))
  ok(await app.a.put('/i/v1/tax-connection/crypto-key', { token, body: { envelope } }))
}
/** An organisation of its own with a document that the authority has accepted. */
async function accepted(): Promise<Reporter> {
  const own = await reporter(app)
  await storeKeyFile(own)
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  return own
}
const ofTenant = ({ organisationId }: Reporter): Due => ({ organisationId, item: `${organisationId} sandbox` })
const hasSubmission = (condition: ReturnType<typeof sql>) => (due: Due) =>
  exists(sql`select from submissions where organisation_id = ${due.organisationId} and ${condition}`)
const submitting = new Map<string, () => Promise<unknown>>()
/** An organisation of its own with a document that it is about to submit. */
async function toSubmit(): Promise<Due> {
  const own = await reporter(app)
  const { id } = await own.life.issued()
  const { organisationId, token } = own
  submitting.set(organisationId, async () => ok(await app.a.post(`${path}/${id}/submit`, { token }), 202))
  return { organisationId, item: id }
}
async function submitAll(due: readonly Due[]): Promise<void> {
  for (const { organisationId } of due) await submitting.get(organisationId)?.()
}

const rows: Readonly<Record<string, Row>> = {
  'stamp-invoices': {
    make: async () => {
      const own = await accepted()
      await app.owner.run(sql`update invoices set stamp = null where organisation_id = ${own.organisationId}`)
      return ofTenant(own)
    },
    spoil: refusing('invoices', 'update', 'and new.stamp is not null'),
    run: runJob('stamp-invoices'),
    isDone: ({ organisationId }) =>
      exists(sql`select from invoices where organisation_id = ${organisationId} and stamp is not null`),
    isReported: isFailing('invoice.qr_codes_not_made'),
  },
  'follow-up-submissions': {
    make: async () => {
      const { organisationId } = await accepted()
      const { id } = await app.owner.one<{ id: string }>(
        sql`select id from submissions where organisation_id = ${organisationId}`,
      )
      return { organisationId, item: id }
    },
    spoil: refusing('submissions', 'update', 'and (new.follow_up_at is null or new.follow_up_at > now())'),
    run: async (due) => {
      await app.quiet()
      await app.owner.run(sql`
        update submissions set follow_up_at = now() - interval '1 minute', delivered_at = null
         where id = any (${due.map(({ item }) => item)}::uuid[])`)
      await runJob('sweep-follow-ups')()
    },
    isDone: hasSubmission(sql`(follow_up_at is null or follow_up_at > now())`),
    isReported: isFailing('submission.not_followed_up'),
  },
  'submissions queue': {
    make: toSubmit,
    // The answer of the authority cannot be stored.
    spoil: refusing('submissions', 'update', `and new.state in ('signed', 'transmitted', 'accepted')`),
    run: submitAll,
    isDone: hasSubmission(sql`state = 'accepted'`),
    isReported: ({ organisationId }) =>
      exists(sql`
        select from failing_items where problem = 'submission.save_failed' and organisation_id = ${organisationId} and mode = 'sandbox'`),
  },
  'submissions queue: one that cannot be taken': {
    make: toSubmit,
    spoil: refusing('submissions', 'update'),
    run: submitAll,
    isDone: hasSubmission(sql`state = 'accepted'`),
    isReported: ({ organisationId }) =>
      exists(sql`
        select from failing_items where problem = 'submission.not_claimed' and organisation_id = ${organisationId} and mode = 'sandbox'`),
  },
}

testRows(rows)
