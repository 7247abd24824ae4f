import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type CheckRef, settleCheckOf, startCheck } from '../tax-identities/index.ts'
import type { BuyerId } from './buyer.ts'
import { emitBuyerEvent } from './buyer-events.ts'
import { lockBuyer, saveTaxIdStatus } from './buyers.store.ts'

export const checkBuyerJob = job<CheckRef>('check-buyer-tax-number', 'authority')

/** Starts a check, or returns the running one. The price is held until the authority answers. */
export const verifyBuyer = operation(
  {
    needs: ['buyer.verify_tax_id'],
    refuses: [
      'resource.not_found',
      'credits.insufficient',
      'buyer.archived',
      'buyer.no_tax_id',
      'tax_id.not_checkable',
      'jurisdiction.unsupported',
    ],
  },
  async (context: Inside<TokenCaller>, { id }: { id: BuyerId }) => {
    const { tx, caller, ports, now, enqueue } = context
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const buyer = await lockBuyer(tx, tenant, id)
    if (!buyer) throw refuse('resource.not_found')
    if (buyer.archivedAt) throw refuse('buyer.archived')
    if (buyer.taxIdNormal === null) throw refuse('buyer.no_tax_id')
    if (!jurisdiction.taxIds.canBeChecked(buyer.taxIdType)) throw refuse('tax_id.not_checkable')
    const subject = { ...buyer, party: 'buyer' as const, partyId: id, name: buyer.legalName ?? buyer.name }
    const started = await startCheck(context, tenant, subject, { charged: true })
    if (!started.isNew) return { ...started, taxIdStatus: buyer.taxIdStatus }
    await saveTaxIdStatus(tx, tenant, id, buyer, 'pending', now)
    enqueue(checkBuyerJob, { ...tenant, checkId: started.check.id, country: jurisdiction.country })
    return { ...started, taxIdStatus: 'pending' as const }
  },
)

/** Stores the authority's result with the buyer. */
export const settleBuyerCheck = settleCheckOf('settle-buyer-check', {
  lock: ({ tx }, tenant, partyId) => lockBuyer(tx, tenant, partyId as BuyerId),
  whenEnded: async (context, tenant, ended) => {
    const { status, registeredName } = ended
    const buyer = await saveTaxIdStatus(context.tx, tenant, ended.partyId as BuyerId, ended, status, context.now)
    if (!buyer) return
    const type = status === 'verified' ? 'buyer.tax_id_verified' : 'buyer.tax_id_verification_failed'
    emitBuyerEvent(context, type, tenant, buyer, { registeredName })
  },
})
