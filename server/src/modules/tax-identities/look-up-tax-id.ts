import type { TaxIdType } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { capture, hold, release } from '../credits/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Answer, askForTaxpayer } from './check-tax-number.ts'
import { taxIdentityOf } from './tax-identity.ts'

interface LookupIntent {
  readonly tenant: Tenant
  readonly country: string
  readonly value: string
  readonly normal: string
  readonly type: TaxIdType
  readonly cause: string
}

export interface Lookup {
  readonly value: string
  readonly type: TaxIdType
  readonly registered: boolean
  readonly name: string | null
  readonly address: string | null
}

/** Asks the authority who is registered under a number. Charged only if it answers. */
export const lookUpTaxId = exchange(
  {
    needs: ['tax_id.lookup'],
    refuses: [
      'credits.insufficient',
      'jurisdiction.unsupported',
      'tax_id.not_checkable',
      'authority.unavailable',
      'request.invalid',
    ],
  },
  {
    name: 'look-up-tax-id',
    deadlineMs: 20_000,
    intend: async (
      context: Inside<TokenCaller>,
      { value, type }: { value: string; type: TaxIdType },
    ): Promise<LookupIntent> => {
      const { caller, ports } = context
      const jurisdiction = jurisdictionOf(ports, caller)
      const { taxIdNormal } = taxIdentityOf(jurisdiction, value, type, 'value')
      if (taxIdNormal === null) throw invalid([{ path: 'value', rule: 'tax-id', message: 'must be a tax number' }])
      if (!jurisdiction.taxIds.canBeChecked(type)) throw refuse('tax_id.not_checkable')
      const cause = `lookup:${newId()}`
      await hold(context, caller.tenant, 'tax_id.lookup', cause)
      const { country } = jurisdiction
      return { tenant: caller.tenant, country, value: value.trim(), normal: taxIdNormal, type, cause }
    },
    call: ({ ports, signal }: Outside<Caller> & { signal: AbortSignal }, { tenant, country, normal }: LookupIntent) =>
      askForTaxpayer(ports.jurisdictions.authority(country, tenant.mode), normal, signal),
    inquire: { none: 'whoever asked is gone, and would pay for an answer that nobody reads' },
    settle: async (
      context: Inside<Caller>,
      { tenant, value, type, cause }: LookupIntent,
      outcome: CallOutcome<Answer>,
    ): Promise<Lookup | Refusal> => {
      const answer = outcome.kind === 'answered' ? outcome.answer : ({ kind: 'silent' } as const)
      if (answer.kind === 'silent') {
        await release(context, tenant, 'tax_id.lookup', cause)
        return refuse('authority.unavailable', { retryAfterSeconds: 30 })
      }
      await capture(context, tenant, 'tax_id.lookup', cause)
      const found = answer.kind === 'found' ? answer.taxpayer : undefined
      return {
        value,
        type,
        registered: found !== undefined,
        name: found?.name || null,
        address: found?.address ?? null,
      }
    },
  },
)
