import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import { checkedMinor } from '../../../kernel/money-words.ts'
import { invalid, type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { providerAway } from '../providers/asking.ts'
import type { SentTransfer, SimulatedTransfer } from '../providers/collection-provider.ts'
import { findAccountByNumber } from './virtual-accounts.store.ts'

interface SendIntent extends Tenant, Omit<SimulatedTransfer, 'amountMinor'> {
  readonly amountMinor: string
}

/** Simulates a payer. The money arrives the usual way: the bank notifies us, and we ask the bank. */
export const sendTransfer = exchange(
  { needs: [], refuses: ['sandbox.only', 'resource.not_found', 'request.invalid', 'collection.provider_away'] },
  {
    name: 'send-transfer',
    deadlineMs: 10_000,
    intend: async (
      { tx, caller }: Inside<TokenCaller>,
      { amount, ...asked }: Omit<SimulatedTransfer, 'amountMinor'> & { readonly amount: Decimal },
    ): Promise<SendIntent | Refusal> => {
      const { tenant } = caller
      if (tenant.mode !== 'sandbox') throw refuse('sandbox.only')
      const account = await findAccountByNumber(tx, tenant, asked.accountNumber)
      if (account?.provider !== 'sandbox') throw refuse('resource.not_found')
      return { ...tenant, ...asked, amountMinor: String(checkedMinor('amount', amount, account.currency)) }
    },
    call: async (
      { ports, signal }: Outside<Caller> & { signal: AbortSignal },
      { accountNumber, amountMinor, senderName, narration }: SendIntent,
    ): Promise<SentTransfer> =>
      (await ports.simulatedPayers?.send(
        { accountNumber, amountMinor: BigInt(amountMinor), senderName, narration },
        signal,
      )) ?? { kind: 'away' },
    inquire: { none: 'it is for trying things out: what was sent comes in, and what was not can be sent again' },
    settle: async (
      _: Inside<Caller>,
      { accountNumber, amountMinor }: SendIntent,
      outcome: CallOutcome<SentTransfer>,
    ): Promise<{ reference: string; accountNumber: string; amountMinor: bigint } | Refusal> => {
      const answer: SentTransfer = outcome.kind === 'answered' ? outcome.answer : { kind: 'away' }
      if (answer.kind === 'refused') return invalid([{ path: 'accountNumber', rule: 'bank', message: answer.reason }])
      if (answer.kind === 'away') return providerAway()
      return { reference: answer.reference, accountNumber, amountMinor: BigInt(amountMinor) }
    },
  },
)
