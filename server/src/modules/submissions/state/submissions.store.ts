import type { ReportedPaymentStatus } from '../../../jurisdictions/port.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { exact, type Sql, sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import type { Submission } from './submission.ts'

export const submissionColumns = sql`
  id, invoice_id, country, reference, sha256, goes_to_buyer, delivered_at is not null as is_delivered, cancels_invoice_id, held_credits, state,
  failed_at is not null as is_failed, failed_at,
  due_at, fence, sends, last_sent_at, absent_at, refused, tries, tried_since, retries, asked_by, created_at, ordinal`

/** The last submission of a document, by its ordinal: the clocks of two nodes may disagree. */
export function findLastSubmission(
  db: Queryable,
  tenant: Tenant,
  invoiceId: InvoiceId,
): Promise<Submission | undefined> {
  return db.maybe(sql`
    select ${submissionColumns} from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${invoiceId}
     order by ordinal desc limit 1`)
}

export async function lockLastSubmission(
  tx: Tx,
  tenant: Tenant,
  invoiceId: InvoiceId,
): Promise<Submission | undefined> {
  const last = await findLastSubmission(tx, tenant, invoiceId)
  return last && (await lockSubmission(tx, tenant, last.id))
}

export function lockSubmission(tx: Tx, tenant: Tenant, id: Submission['id']): Promise<Submission | undefined> {
  return tx.maybe(sql`
    select ${submissionColumns} from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id} for no key update`)
}

/**
 * Signed documents with this reference, of all tenants that report or reported under its service id. In the sandbox
 * there may be several.
 */
export function listSignedAs(
  db: Queryable,
  serviceId: string,
  reference: string,
  limit: number,
): Promise<(Tenant & { readonly invoiceId: InvoiceId })[]> {
  return db.rows(sql`
    select s.organisation_id, s.mode, s.invoice_id from tax_connections c
      join submissions s on s.organisation_id = c.organisation_id and s.mode = c.mode and s.reference = ${reference}
     where (c.service_id = ${serviceId} or c.former_service_ids @> array[${serviceId}])
       and s.state in ('signed', 'transmitted', 'accepted')
     order by s.mode, s.created_at desc limit ${limit}`)
}

/** The exact bytes that are sent. */
export async function findPayload(db: Queryable, tenant: Tenant, id: Submission['id']): Promise<Buffer | undefined> {
  const row = await db.maybe<{ payload: Buffer }>(sql`
    select payload from submissions where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
  return row?.payload
}

/** The first values of a submission. */
export type NewSubmission = Pick<
  Submission,
  | 'id'
  | 'invoiceId'
  | 'country'
  | 'reference'
  | 'sha256'
  | 'goesToBuyer'
  | 'cancelsInvoiceId'
  | 'heldCredits'
  | 'sends'
  | 'askedBy'
  | 'createdAt'
  | 'ordinal'
> & {
  readonly payload: Buffer
  /** the payment status in these bytes; the column keeps its name of 1.0.0, `payment_said` */
  readonly paymentInDocument: ReportedPaymentStatus
}

/** The same as JSON, for a statement. */
export const newSubmissionJson = (submission: NewSubmission) =>
  exact({ ...submission, payload: `\\x${submission.payload.toString('hex')}` })

/** SQL that inserts the submissions in the column `submission` of `rows`. They are due at once. */
export const insertingSubmissions = ({ organisationId, mode }: Tenant, rows: Sql): Sql => sql`
  insert into submissions (organisation_id, mode, id, invoice_id, country, reference, payload, sha256, goes_to_buyer, cancels_invoice_id, held_credits, state,
                           due_at, sends, asked_by, created_at, payment_said, ordinal)
  select ${organisationId}, ${mode}, s.id, s."invoiceId", s.country, s.reference, s.payload, s.sha256, s."goesToBuyer", s."cancelsInvoiceId", s."heldCredits", 'queued',
         now(), s.sends, s."askedBy", s."createdAt", s."paymentInDocument", s.ordinal
    from ${rows}, json_to_record(submission) as s (
      id uuid, "invoiceId" uuid, country text, reference text, payload bytea, sha256 text, "goesToBuyer" boolean, "cancelsInvoiceId" uuid, "heldCredits" bigint,
      sends integer, "askedBy" jsonb, "createdAt" timestamptz, "paymentInDocument" text, ordinal integer)`

export async function insertSubmission(tx: Tx, tenant: Tenant, submission: NewSubmission): Promise<void> {
  const json = JSON.stringify(newSubmissionJson(submission))
  await tx.run(insertingSubmissions(tenant, sql`(select ${json}::json as submission) as g`))
}

/** Another series of attempts, due at once. */
export async function saveRetry(tx: Tx, tenant: Tenant, submission: Submission): Promise<void> {
  await tx.run(sql`
    update submissions
       set failed_at = null, tries = 0, tried_since = null, retries = ${submission.retries}, due_at = now(), next_cause = 'retried',
           asked_by = ${JSON.stringify(submission.askedBy)}::jsonb
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${submission.id}`)
}

export interface AuthorityLink {
  readonly country: string
  readonly mode: Mode
  readonly state: 'closed' | 'open' | 'half_open'
  readonly reason: string | null
  readonly since: Date
}

/** `undefined` if no outage was ever announced. */
export function findLink(db: Queryable, country: string, mode: Mode): Promise<AuthorityLink | undefined> {
  return db.maybe(
    sql`select country, mode, state, reason, since from authority_links where country = ${country} and mode = ${mode}`,
  )
}

/** Failed documents that the authority may have. */
export async function countUnknown(db: Queryable, tenant: Tenant): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from submissions
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and failed_at is not null and state = 'unknown'`)
  return n
}

/** Stores the announced state of an authority. */
export async function saveLink(db: Queryable, { country, mode, state, reason, since }: AuthorityLink): Promise<void> {
  await db.run(sql`
    insert into authority_links as l (country, mode, state, reason, since) values (${country}, ${mode}, ${state}, ${reason}, ${since})
    on conflict (country, mode) do update
      set state = excluded.state, reason = excluded.reason, since = case when l.state = excluded.state then l.since else excluded.since end`)
}
