import type { Caller } from '../../../kernel/callers.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { jobOn } from '../../../platform/work/jobs.ts'
import { takeUpChanges } from './follow.store.ts'

const batch = 500

/** Asked for by whatever happens to invoices, once for all that happened meanwhile. */
export const followInvoicesJob = jobOn(
  'follow-invoices',
  [
    'invoice.created',
    'invoice.updated',
    'invoice.deleted',
    'invoice.finalised',
    'invoice.reopened',
    'invoice.sent',
    'invoice.shared',
    'invoice.unshared',
    'invoice.payment_recorded',
    'invoice.payment_reversed',
    'invoice.paid',
  ],
  { collapsed: true },
)

/** Brings lists of invoices nearer to the invoices, a batch at a time; says how many changes it took up. */
export const followInvoices = operation({ needs: [], refuses: [] }, async ({ tx }: Inside<Caller>) =>
  takeUpChanges(tx, batch),
)
