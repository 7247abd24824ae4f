import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { BuyerId } from '../../buyers/index.ts'
import { listOpenDifferences } from './differences.store.ts'
import type { ReconciliationStatus } from './received-payment.ts'
import { listCredits, listPayments } from './received-payments.store.ts'

export const listReceivedPayments = reading(
  { needs: ['collection.read'], refuses: [] },
  (
    { db, caller }: Outside<TokenCaller>,
    {
      status,
      buyerId,
      page,
    }: { status?: ReconciliationStatus | undefined; buyerId?: BuyerId | undefined; page: PageRequest },
  ) => listPayments(db, caller.tenant, { status, buyerId }, page),
)

/**
 * Payments that need a person: unmatched money, money beyond the amount due, and differences from the provider's ledger.
 */
export const listExceptions = reading(
  { needs: ['collection.read'], refuses: [] },
  async ({ db, caller }: Outside<TokenCaller>, page: PageRequest) => {
    const found = await listPayments(db, caller.tenant, { exceptions: true }, page)
    const differences = await listOpenDifferences(
      db,
      caller.tenant,
      found.rows.map(({ id }) => id),
    )
    return {
      ...found,
      rows: found.rows.map((payment) => ({ payment, differences: differences.get(payment.id) ?? [] })),
    }
  },
)

export const listBuyerCredits = reading(
  { needs: ['collection.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { buyerId, page }: { buyerId?: BuyerId | undefined; page: PageRequest }) =>
    listCredits(db, caller.tenant, buyerId, page),
)
