import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Consumer } from '../../../platform/events/consumer.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { job } from '../../../platform/work/jobs.ts'
import { getOwnInvoice, type InvoiceId, lockCollectables } from '../../invoices/index.ts'
import { spread } from '../matching/match.ts'
import { lockCredit } from '../payments/received-payments.store.ts'
import { findWithCredit } from './credits.store.ts'
import { move, placeOf, recordOn, tellOfMoves } from './place-of-money.ts'

export interface Creditable extends Tenant {
  readonly invoiceId: InvoiceId
}

export const useCreditJob = job<Creditable>('use-credit', 'money')

/** Follows what is finalised, and asks for work only where the buyer has credit: most have none. */
export const creditFollower: Consumer = {
  name: 'buyer-credit',
  on: ['invoice.finalised'],
  lane: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  wants: ({ data }) => data.buyerId !== null,
  take: async ({ tx, enqueue }, events) => {
    for (const found of await findWithCredit(tx, events))
      enqueue(useCreditJob, found, { key: `credit:${found.invoiceId}` })
  },
}

/** So many payments with credit are taken at a time; a buyer with more has the rest taken by the next invoice. */
const mostPayments = 100

/** Puts what a buyer has to its credit at the seller on an invoice, oldest payment first. */
export const useCredit = operation(
  { needs: [], refuses: ['resource.not_found'] },
  async (context: Inside<SystemCaller>, { organisationId, mode, invoiceId }: Creditable): Promise<void> => {
    const { tx } = context
    const tenant = { organisationId, mode }
    const { buyerId, sellerId, currency } = await getOwnInvoice(tx, tenant, invoiceId)
    if (buyerId === null || sellerId === null) return
    for (const before of await lockCredit(tx, tenant, { buyerId, sellerId, currency, limit: mostPayments })) {
      const locked = await lockCollectables(tx, tenant, [invoiceId])
      const { allocations } = spread(before.creditedMinor, currency, locked)
      if (allocations.length === 0) return
      const place = await placeOf(context, tenant, before)
      const moves = await recordOn(context, place, before, allocations, locked, {
        unmatchedMinor: 0n,
        fromCredit: true,
      })
      const after = await move(context, tenant, before, moves)
      tellOfMoves(context, tenant, before, after, moves)
    }
  },
)
