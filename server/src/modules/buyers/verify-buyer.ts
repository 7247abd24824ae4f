import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/jobs.ts'
import { exchange, type Inside, type Outcome, type Outside, operation } from '../../platform/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Answer, askForTaxpayer, type CheckRef, endCheck, findCheck, startCheck } from '../tax-identities/index.ts'
import type { BuyerId } from './buyer.ts'
import { tellOfBuyer } from './buyer-events.ts'
import { lockBuyer, saveTaxIdStatus } from './buyers.store.ts'

export const checkBuyerJob = job<CheckRef>('check-buyer-tax-number', { maxAttempts: 5 })

/** Starts a check of a buyer's tax number, or gives the one that runs. Its price is held until the authority answers. */
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

interface CheckIntent extends CheckRef {
  readonly taxIdNormal: string
}

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** Puts the question to the authority and brings the buyer to its answer. */
export const settleBuyerCheck = exchange(
  { needs: [], refuses: ['resource.not_found'] },
  {
    name: 'settle-buyer-check',
    deadlineMs: 15_000,
    intend: async ({ tx }: Inside<Caller>, ref: CheckRef): Promise<CheckIntent | Refusal> => {
      const check = await findCheck(tx, tenantOf(ref), ref.checkId)
      return check?.status === 'pending' ? { ...ref, taxIdNormal: check.taxIdNormal } : refuse('resource.not_found')
    },
    call: ({ ports, signal }: Outside<Caller> & { signal: AbortSignal }, { country, mode, taxIdNormal }: CheckIntent) =>
      askForTaxpayer(ports.jurisdictions.authority(country, mode), taxIdNormal, signal),
    settle: async (context: Inside<Caller>, ref: CheckIntent, outcome: Outcome<Answer>): Promise<void> => {
      const { tx, now } = context
      const tenant = tenantOf(ref)
      const check = await findCheck(tx, tenant, ref.checkId)
      const ended = check && (await endCheck(context, tenant, check, outcome))
      if (!ended) return
      const id = ended.partyId as BuyerId
      const buyer = await saveTaxIdStatus(tx, tenant, id, ended, ended.status, now)
      if (!buyer) return
      const { status, registeredName } = ended
      const type = status === 'verified' ? 'buyer.tax_id_verified' : 'buyer.tax_id_verification_failed'
      tellOfBuyer(context, type, tenant, buyer, { registeredName })
    },
  },
)
