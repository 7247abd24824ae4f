import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Consumer } from '../../../platform/background/consumer.ts'
import type { ReadEvent } from '../../../platform/events/log-reader.store.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { collectedPayments, derivedStatuses, getOwnInvoice } from '../../invoices/index.ts'
import { spread } from '../matching/match.ts'
import { lockCredit } from '../payments/received-payments.store.ts'
import { type Creditable, findWithCredit } from './credits.store.ts'
import { contextOf, emitMoves, move, recordOn } from './move-money.ts'

export const useCreditJob = job<Creditable>('use-credit', 'money')

/**
 * Whether the event raises the buyer's debt: a document was issued, or a credit note was rejected or reopened and no
 * longer counts.
 */
const raisesDebt = ({ type, data }: ReadEvent): boolean =>
  type === 'invoice.finalised' || (Array.isArray(data.changed) && data.changed.includes('creditedMinor'))

/** Follows events that raise a buyer's debt, and enqueues a job only if the buyer has credit: most have none. */
export const creditFollower: Consumer = {
  name: 'buyer-credit',
  on: ['invoice.finalised', 'invoice.updated'],
  pool: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  wants: (event) => event.data.buyerId !== null && raisesDebt(event),
  take: async ({ tx, enqueue }, events) => {
    for (const found of await findWithCredit(tx, events))
      enqueue(useCreditJob, found, { key: `credit:${found.invoiceId}` })
  },
}

/** Limit of payments with credit per invoice. The buyer's next invoice takes the rest. */
const mostPayments = 100

/**
 * Applies a buyer's credit at the seller to an invoice, oldest payment first. A document that the authority rejected is
 * not due.
 */
export const useCredit = operation(
  { needs: [], refuses: ['resource.not_found'] },
  async (context: Inside<SystemCaller>, { organisationId, mode, invoiceId }: Creditable): Promise<void> => {
    const { tx } = context
    const tenant = { organisationId, mode }
    const { buyerId, sellerId, currency } = await getOwnInvoice(tx, tenant, invoiceId)
    if (buyerId === null || sellerId === null) return
    for (const before of await lockCredit(tx, tenant, { buyerId, sellerId, currency, limit: mostPayments })) {
      const locked = (await collectedPayments.lockCollectables(tx, tenant, [invoiceId])).filter(({ invoice }) =>
        derivedStatuses.isOwed(invoice),
      )
      const { allocations } = spread(before.creditedMinor, currency, locked)
      if (allocations.length === 0) return
      const place = await contextOf(context, tenant, before)
      const taken = allocations.map((one) => ({ ...one, fromCredit: true }))
      const moves = await recordOn(context, place, before, taken, locked, { unmatchedMinor: 0n })
      const after = await move(context, tenant, before, moves)
      emitMoves(context, tenant, before, after, moves)
    }
  },
)
