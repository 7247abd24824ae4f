import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/jobs.ts'
import { exchange, type Inside, type Outcome, type Outside, operation } from '../../platform/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Answer, askForTaxpayer, type CheckRef, endCheck, findCheck, startCheck } from '../tax-identities/index.ts'
import type { SellerId } from './seller.ts'
import { tellOfSeller } from './seller-events.ts'
import { lockSeller } from './sellers.store.ts'

export const checkSellerJob = job<CheckRef>('check-seller-tax-number', { maxAttempts: 5 })

/** Starts a check of a seller's own tax number, or gives the one that runs. It is free: it is the organisation's own. */
export const verifySeller = operation(
  { needs: ['seller.verify_tax_id'], refuses: ['resource.not_found', 'seller.no_tax_id', 'jurisdiction.unsupported'] },
  async (context: Inside<TokenCaller>, { id }: { id: SellerId }) => {
    const { tx, caller, ports, enqueue } = context
    const { tenant } = caller
    const { country } = jurisdictionOf(ports, caller)
    const seller = await lockSeller(tx, tenant.organisationId, id)
    if (!seller) throw refuse('resource.not_found')
    if (seller.taxIdNormal === null) throw refuse('seller.no_tax_id')
    const subject = { ...seller, party: 'seller' as const, partyId: id, taxIdType: 'tin' as const }
    const started = await startCheck(context, tenant, subject, { charged: false })
    if (started.isNew) enqueue(checkSellerJob, { ...tenant, checkId: started.check.id, country })
    return { ...started, seller }
  },
)

interface CheckIntent extends CheckRef {
  readonly taxIdNormal: string
}

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** Puts the question to the authority and keeps its answer. */
export const settleSellerCheck = exchange(
  { needs: [], refuses: ['resource.not_found'] },
  {
    name: 'settle-seller-check',
    deadlineMs: 15_000,
    intend: async ({ tx }: Inside<Caller>, ref: CheckRef): Promise<CheckIntent | Refusal> => {
      const check = await findCheck(tx, tenantOf(ref), ref.checkId)
      return check?.status === 'pending' ? { ...ref, taxIdNormal: check.taxIdNormal } : refuse('resource.not_found')
    },
    call: ({ ports, signal }: Outside<Caller> & { signal: AbortSignal }, { country, mode, taxIdNormal }: CheckIntent) =>
      askForTaxpayer(ports.jurisdictions.authority(country, mode), taxIdNormal, signal),
    settle: async (context: Inside<Caller>, ref: CheckIntent, outcome: Outcome<Answer>): Promise<void> => {
      const tenant = tenantOf(ref)
      const check = await findCheck(context.tx, tenant, ref.checkId)
      const ended = check && (await endCheck(context, tenant, check, outcome))
      const seller = ended && (await lockSeller(context.tx, tenant.organisationId, ended.partyId as SellerId))
      if (!seller) return
      const type = ended.status === 'verified' ? 'seller.tax_id_verified' : 'seller.tax_id_verification_failed'
      tellOfSeller(context, type, seller, {
        mode: tenant.mode,
        status: ended.status,
        registeredName: ended.registeredName,
      })
    },
  },
)
