import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import type { Attempt, Submission } from './submission.ts'

/** A timeline shows the newest attempts, at most this many. */
const mostAttempts = 1_000

/** The newest attempts about a document, over all its submissions, oldest first. */
export function listAttempts(db: Queryable, tenant: Tenant, invoiceId: InvoiceId): Promise<Attempt[]> {
  return db.rows(sql`
    select * from (
      select a.submission_id, a.number, a.step, a.sha256, a.cause, a.asked_by, a.begun_at, a.ended_at, a.answer, a.why, a.told as messages, a.is_late
        from submissions s join submission_attempts a
        on a.organisation_id = s.organisation_id and a.mode = s.mode and a.submission_id = s.id
     where s.organisation_id = ${tenant.organisationId} and s.mode = ${tenant.mode} and s.invoice_id = ${invoiceId}
       order by a.begun_at desc, a.number desc limit ${mostAttempts}) as newest
     order by begun_at, number`)
}

/** The last attempt's answer, or that none came. */
export function findLastAnswer(
  db: Queryable,
  tenant: Tenant,
  id: Submission['id'],
): Promise<Pick<Attempt, 'step' | 'answer' | 'why' | 'messages' | 'endedAt'> | undefined> {
  return db.maybe(sql`
    select step, answer, why, told as messages, ended_at from submission_attempts
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and submission_id = ${id} and answer is not null
     order by ended_at desc limit 1`)
}
