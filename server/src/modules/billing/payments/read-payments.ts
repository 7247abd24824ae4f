import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { PaymentId } from './payment.ts'
import { findPayment, listPayments, type PaymentFilter } from './payments.store.ts'

export const getPayment = reading(
  { needs: ['billing.payment.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: PaymentId }) => {
    const payment = await findPayment(db, caller.tenant.organisationId, id)
    if (!payment) throw refuse('resource.not_found')
    return payment
  },
)

export const listOrganisationPayments = reading(
  { needs: ['billing.payment.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { filter, page }: { filter: PaymentFilter; page: PageRequest }) =>
    listPayments(db, caller.tenant.organisationId, filter, page),
)
