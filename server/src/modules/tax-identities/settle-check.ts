import type { Caller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { exchange, type Inside, type Outcome, type Outside } from '../../platform/operations/operation.ts'
import { type Answer, askForTaxpayer, type CheckRef, endCheck } from './check-tax-number.ts'
import { findCheck, type TaxNumberCheck } from './checks.store.ts'

interface CheckIntent extends CheckRef {
  readonly taxIdNormal: string
}

const tenantOf = ({ organisationId, mode }: Tenant): Tenant => ({ organisationId, mode })

/** What a kind of party does when a check of its number ends. */
export interface CheckedKind {
  /** the party is locked before its check and the books, as by those who start checks or edit it: nobody waits in a circle */
  readonly lock: (context: Inside<Caller>, tenant: Tenant, partyId: string) => Promise<unknown>
  readonly whenEnded: (context: Inside<Caller>, tenant: Tenant, ended: TaxNumberCheck) => Promise<void>
}

const put = (
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { country, mode, taxIdNormal }: CheckIntent,
): Promise<Answer> => askForTaxpayer(ports.jurisdictions.authority(country, mode), taxIdNormal, signal)

/** Puts the question of a check to the authority and brings its party to the answer. Each kind of party has one. */
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
      // The question changes nothing: it is put again.
      inquire: put,
      settle: async (context: Inside<Caller>, ref: CheckIntent, outcome: Outcome<Answer>): Promise<void> => {
        const tenant = tenantOf(ref)
        const check = await findCheck(context.tx, tenant, ref.checkId)
        if (!check) return
        await lock(context, tenant, check.partyId)
        const ended = await endCheck(context, tenant, check, outcome)
        if (ended) await whenEnded(context, tenant, ended)
      },
    },
  )
