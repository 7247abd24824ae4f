import type { TokenCaller } from '../../../kernel/callers.ts'
import { type PageRequest, pageOf } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { seesRealMoney } from '../accounts/own-account.ts'
import type { Payment, PaymentId } from './payment.ts'
import { findPayment, listPayments, type PaymentFilter } from './payments.store.ts'

export const getPayment = reading(
  { time: 'real', needs: ['billing.payment.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: PaymentId }) => {
    const payment = seesRealMoney(caller) ? await findPayment(db, caller.tenant.organisationId, id) : undefined
    if (!payment) throw refuse('resource.not_found')
    return payment
  },
)

export const listOrganisationPayments = reading(
  { time: 'real', needs: ['billing.payment.read'], refuses: [] },
  async ({ db, caller }: Outside<TokenCaller>, { filter, page }: { filter: PaymentFilter; page: PageRequest }) =>
    seesRealMoney(caller)
      ? await listPayments(db, caller.tenant.organisationId, filter, page)
      : pageOf<Payment>([], 0, page, null),
)
