import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type CheckRef, settleCheckOf, startCheck } from '../tax-identities/index.ts'
import type { SellerId } from './seller.ts'
import { emitCheckedSellerEvent } from './seller-events.ts'
import { lockSeller } from './sellers.store.ts'

export const checkSellerJob = job<CheckRef>('check-seller-tax-number', 'authority')

/** Starts a check, or returns the running one. Free, because it is the organisation's own number. */
export const verifySeller = operation(
  {
    time: 'real',
    needs: ['seller.verify_tax_id'],
    refuses: ['resource.not_found', 'seller.no_tax_id', 'jurisdiction.unsupported'],
  },
  async (context: Inside<TokenCaller>, { id }: { id: SellerId }) => {
    const { tx, caller, ports, enqueue } = context
    const { tenant } = caller
    const { country } = jurisdictionOf(ports, caller)
    const seller = await lockSeller(tx, tenant.organisationId, id)
    if (!seller) throw refuse('resource.not_found')
    if (seller.taxIdNormal === null) throw refuse('seller.no_tax_id')
    const subject = { ...seller, party: 'seller' as const, partyId: id, taxIdType: 'national' as const }
    const started = await startCheck(context, tenant, subject, { charged: false })
    if (started.isNew) enqueue(checkSellerJob, { ...tenant, checkId: started.check.id, country })
    return { ...started, seller }
  },
)

/** Emits the result of a seller's check. The check itself stores it. */
export const settleSellerCheck = settleCheckOf('settle-seller-check', {
  lock: ({ tx }, { organisationId }, partyId) => lockSeller(tx, organisationId, partyId as SellerId),
  whenEnded: async (context, tenant, ended) => {
    const { status, registeredName, partyId } = ended
    const seller = await lockSeller(context.tx, tenant.organisationId, partyId as SellerId)
    if (!seller) return
    const type = status === 'verified' ? 'seller.tax_id_verified' : 'seller.tax_id_verification_failed'
    emitCheckedSellerEvent(context, type, seller, tenant.mode, { status, registeredName })
  },
})
