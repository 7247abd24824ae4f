import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { issue, revoke } from '../../credits/index.ts'
import { creditsKept, type Payment } from './payment.ts'
import { savePayment } from './payments.store.ts'

/**
 * Saves a payment and brings the ledger to the credits that the payment now buys. Missing credits are issued, surplus
 * credits are revoked, and spent ones become a debt. Idempotent: it compares the credits due with those granted.
 */
export async function settleCredits(context: Inside<Caller>, payment: Payment): Promise<Payment> {
  const { organisationId, id, kind, grantedCredits, version } = payment
  const kept = creditsKept(payment)
  const live: Tenant = { organisationId, mode: 'live' }
  const cause = `payment:${id}:${version}`
  const change = kept - grantedCredits
  if (change > 0n) await issue(context, live, kind === 'credit_purchase' ? 'purchase' : 'grant', change, cause)
  if (change < 0n) await revoke(context, live, -change, cause)
  return await savePayment(context.tx, organisationId, { ...payment, grantedCredits: kept })
}
