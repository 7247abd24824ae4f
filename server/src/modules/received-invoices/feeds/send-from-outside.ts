import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { invalid, type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { isConnected, lockConnectionShared } from '../../tax-connection/index.ts'
import { type Feed, feedOf, followFeedJob, keyOfFeed } from './feed.ts'
import type { InvoiceFromOutside, SentFromOutside } from './simulated-network.ts'

interface SendIntent extends Tenant {
  readonly feed: Feed
  readonly invoice: Parameters<NonNullable<Outside<Caller>['ports']['simulatedNetwork']>['send']>[0]
}

/** Simulates a supplier on the sandbox network. The document arrives through the feed like any other. */
export const sendFromOutside = exchange(
  { needs: [], refuses: ['sandbox.only', 'authority.not_connected', 'request.invalid', 'inbound.unavailable'] },
  {
    name: 'send-from-outside',
    deadlineMs: 10_000,
    intend: async (
      { tx, caller, ports }: Inside<TokenCaller>,
      invoice: InvoiceFromOutside,
    ): Promise<SendIntent | Refusal> => {
      const { tenant, country } = caller
      if (tenant.mode !== 'sandbox') throw refuse('sandbox.only')
      const connection = await lockConnectionShared(tx, tenant)
      const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
      if (!isConnected(connection) || !jurisdiction || connection.taxIdNormal === null)
        throw refuse('authority.not_connected')
      const buyerTaxId = jurisdiction.taxIds.written(connection.taxIdNormal)
      const buyerName = connection.businessName ?? buyerTaxId
      return {
        ...tenant,
        feed: feedOf(jurisdiction.country, caller, connection),
        invoice: { ...invoice, buyerTaxId, buyerName },
      }
    },
    call: async (
      { ports, signal }: Outside<Caller> & { signal: AbortSignal },
      { invoice }: SendIntent,
    ): Promise<SentFromOutside> => (await ports.simulatedNetwork?.send(invoice, signal)) ?? { kind: 'away' },
    inquire: {
      none: 'it is for trying things out: what was sent comes by the feed, and what was not can be sent again',
    },
    settle: async (
      { enqueue }: Inside<Caller>,
      { feed }: SendIntent,
      outcome: CallOutcome<SentFromOutside>,
    ): Promise<{ reference: string } | Refusal> => {
      const answer: SentFromOutside = outcome.kind === 'answered' ? outcome.answer : { kind: 'away' }
      if (answer.kind === 'refused') return invalid([{ path: '', rule: 'authority', message: answer.reason }])
      if (answer.kind === 'away') return refuse('inbound.unavailable', { retryAfterSeconds: 30 })
      enqueue(followFeedJob, feed, { key: keyOfFeed(feed) })
      return { reference: answer.reference }
    },
  },
)
