import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { collectedPayments } from '../../invoices/index.ts'
import { getAccountOf } from '../accounts/virtual-accounts.store.ts'
import { mostInvoices } from '../matching/match.ts'
import type { ReceivedPaymentId } from '../payments/received-payment.ts'
import { findPayment } from '../payments/received-payments.store.ts'
import { useCreditJob } from './use-credit.ts'

interface CreditedPayment extends Tenant {
  readonly paymentId: ReceivedPaymentId
}

export const spreadCreditJob = job<CreditedPayment>('spread-credit', 'money')

/**
 * Offers the credit of a payment to the buyer's open invoices, after the payment that was spread over all of them is
 * committed. An invoice that was issued at the same moment was not open yet for the payment, and the credit did not
 * exist yet for the invoice.
 */
export const spreadCredit = operation(
  { needs: [], refuses: [] },
  async (
    { tx, enqueue }: Inside<SystemCaller>,
    { organisationId, mode, paymentId }: CreditedPayment,
  ): Promise<void> => {
    const tenant = { organisationId, mode }
    const payment = await findPayment(tx, tenant, paymentId)
    if (!payment || payment.buyerId === null || payment.creditedMinor === 0n) return
    const { buyerId, currency } = payment
    const { sellerId } = await getAccountOf(tx, tenant, payment.accountId)
    const open = await collectedPayments.listOpenInvoices(tx, tenant, {
      buyerId,
      sellerId,
      currency,
      limit: mostInvoices,
    })
    for (const invoiceId of open) enqueue(useCreditJob, { ...tenant, invoiceId }, { key: `credit:${invoiceId}` })
  },
)
