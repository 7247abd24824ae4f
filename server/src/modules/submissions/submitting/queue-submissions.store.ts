import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { costs } from '../../catalogue/index.ts'
import { fundsFor, settingAside } from '../../credits/index.ts'
import { findingTogether, type queuedInvoice, queueInvoices } from '../../invoices/index.ts'
import { insertingSubmissions, type NewSubmission, newSubmissionJson } from '../state/submissions.store.ts'

/** What decides whether a document can be submitted, besides the document and the connection. */
export interface ReadBeside {
  readonly wasSubmitted: boolean
  readonly buyerTaxIdStatus: string | null
}

/** The invoice, and everything else that decides whether it can be submitted. */
export const findToSubmit = findingTogether<ReadBeside>(
  'to submit',
  ({ organisationId, mode }) => sql`jsonb_build_object(
    'wasSubmitted', exists (
      select from submissions s where s.organisation_id = ${organisationId} and s.mode = ${mode} and s.invoice_id = i.id),
    'buyerTaxIdStatus', (
      select p.tax_id_status from buyers p where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.id = i.buyer_id))`,
)

/** A document that is queued for the first time, with the bytes to send. */
export interface QueuedChange extends ReturnType<typeof queuedInvoice> {
  readonly submission: NewSubmission
  /** the business that reports the document; the guard checks that the connection is still that of this business */
  readonly businessId: string
  readonly serviceId: string
}

const action = 'invoice.submit'
const each = costs[action].credits

/**
 * Documents whose version is unchanged and whose connection still matches their bytes. Locked before the balance, in
 * the same order as when answers are recorded.
 */
const held = (tenant: Tenant): Sql => {
  const { organisationId, mode } = tenant
  return sql`
  connection as materialized (
    select business_id, service_id from tax_connections
     where organisation_id = ${organisationId} and mode = ${mode} and status = 'connected' for share),
  connected as materialized (
    select g.* from asked g join connection c on c.business_id = g.business_id and c.service_id = g.service_id),
  locked as materialized (
    select id, version from invoices
     where organisation_id = ${organisationId} and mode = ${mode} and id = any (array(select invoice_id from connected))
     order by id for no key update),
  documents as materialized (
    select c.nth from connected c join locked l on l.id = c.invoice_id and l.version = c.read_version),
  funded as materialized (${fundsFor(tenant, each, sql`select count(*) from documents`)}),`
}

/**
 * Queues a tenant's documents that were never submitted: bytes, hold and invoice of each. A document whose guard
 * fails is left unchanged.
 */
export const queueSubmissions = (
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, QueuedChange>[],
) =>
  queueInvoices(db, tenant, planned, {
    shape: { business_id: 'uuid', service_id: 'text', move_id: 'uuid', submission: 'json' },
    given: ({ submission, businessId, serviceId }) => ({
      business_id: businessId,
      service_id: serviceId,
      move_id: newId(),
      submission: newSubmissionJson(submission),
    }),
    before: held(tenant),
    guard: sql`g.nth in (select nth from documents) and exists (select from funded)`,
    after: sql`,
      submitted as (${insertingSubmissions(tenant, sql`changed`)})
      ${settingAside(tenant, each, action, sql`select nth, move_id as id, 'submission:' || (submission ->> 'id') as cause, at from changed`)}`,
  })
