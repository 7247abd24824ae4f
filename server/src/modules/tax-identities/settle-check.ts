import type { Caller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { type Answer, askForTaxpayer, type CheckRef, endCheck } from './check-tax-number.ts'
import { findCheck, type TaxNumberCheck } from './checks.store.ts'

interface CheckIntent extends CheckRef {
  readonly taxIdNormal: string
}

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** What buyers and sellers do when a check of their number ends. */
export interface CheckedKind {
  /**
   * Locks the party before its check and the balances, in the same order as checks and edits do. That prevents deadlocks.
   */
  readonly lock: (context: Inside<Caller>, tenant: Tenant, partyId: string) => Promise<unknown>
  readonly whenEnded: (context: Inside<Caller>, tenant: Tenant, ended: TaxNumberCheck) => Promise<void>
}

const put = (
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { country, mode, taxIdNormal }: CheckIntent,
): Promise<Answer> => askForTaxpayer(ports.jurisdictions.authority(country, mode), taxIdNormal, signal)

/** Asks the authority and applies the answer to the party. Buyers and sellers have one each. */
export const settleCheckOf = (name: string, { lock, whenEnded }: CheckedKind) =>
  exchange(
    { needs: [], refuses: ['resource.not_found'] },
    {
      name,
      deadlineMs: 15_000,
      intend: async ({ tx }: Inside<Caller>, ref: CheckRef): Promise<CheckIntent | Refusal> => {
        const check = await findCheck(tx, tenantOf(ref), ref.checkId)
        return check?.status === 'pending' ? { ...ref, taxIdNormal: check.taxIdNormal } : refuse('resource.not_found')
      },
      call: put,
      // The call reads only, so it can be repeated.
      inquire: put,
      settle: async (context: Inside<Caller>, ref: CheckIntent, outcome: CallOutcome<Answer>): Promise<void> => {
        const tenant = tenantOf(ref)
        const check = await findCheck(context.tx, tenant, ref.checkId)
        if (!check) return
        await lock(context, tenant, check.partyId)
        const ended = await endCheck(context, tenant, check, outcome)
        if (ended) await whenEnded(context, tenant, ended)
      },
    },
  )
