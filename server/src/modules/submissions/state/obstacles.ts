import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type InvoiceSummary, listOpenNotes } from '../../invoices/index.ts'
import { mostRetries, type Submission } from './submission.ts'

type Cancellable = Pick<InvoiceSummary, 'id' | 'status' | 'originalId' | 'payableMinor' | 'creditedMinor'>

/**
 * Why an invoice cannot be cancelled; `undefined` if it can. The final amount of a draft or undecided note is not
 * known yet.
 */
export async function obstacleToCancelling(
  db: Queryable,
  tenant: Tenant,
  { id, status, originalId, payableMinor, creditedMinor }: Cancellable,
): Promise<Refusal | undefined> {
  if (status !== 'accepted' || originalId !== null) return refuse('invoice.cancel.not_accepted')
  const notes = await listOpenNotes(db, tenant, id)
  if (notes.length === 0) return creditedMinor < payableMinor ? undefined : refuse('invoice.note.nothing_left')
  return refuse('invoice.cancel.open_notes', {
    details: notes.map(({ number, status: stands }, at) => ({
      path: `notes[${at}]`,
      rule: 'state',
      message:
        stands === 'draft'
          ? `${number} is a draft; delete it, or finalise and submit it`
          : `${number} is ${stands}; the tax authority has not decided on it yet`,
    })),
  })
}

/** Why a submission cannot be retried; `undefined` if it can. */
export function obstacleToRetrying(
  { status }: Pick<InvoiceSummary, 'status'>,
  submission: Pick<Submission, 'isFailed' | 'retries'> | undefined,
): Refusal | undefined {
  if (!submission?.isFailed || status !== 'failed') return refuse('invoice.retry.not_failed')
  return submission.retries >= mostRetries ? refuse('invoice.retry.too_many') : undefined
}
