import { systemCaller } from '../../../kernel/callers.ts'
import type { Machine, Runner } from '../../../platform/operations/runner.ts'
import { findPending, matchPayment } from '../applying/match-payment.ts'
import type { CollectionProvider, Transfer } from '../providers/collection-provider.ts'
import { findRefundsDue, followRefund } from '../refunding/refund-payment.ts'
import { findFeed, saveSwept } from './notifications.store.ts'
import { bringIn } from './take-transfer.ts'

const origin = { requestId: 'sweep-collection', address: '', userAgent: '' }
const caller = systemCaller
/** What a provider writes down late is still seen. */
const overlapMs = 10 * 60_000
/** So far back goes the first look of an installation. */
const firstReachMs = 3 * 86_400_000
const pageMs = 15_000
/** A statement longer than this is read on by the next sweep. */
const mostPages = 200

/** Reads a provider's statement page by page; what it gives in pages is handed on before the next is asked for. */
export async function readStatement(
  provider: CollectionProvider,
  { from, to }: { readonly from: Date; readonly to: Date },
  take: (transfers: readonly Transfer[]) => Promise<void>,
): Promise<boolean> {
  let after: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await provider.statement({ from, to, after }, AbortSignal.timeout(pageMs))
    await take(page.transfers)
    if (page.next === null) return true
    after = page.next
  }
  return false
}

/** Asks each provider for what it never told us of, and records what is new to us. */
async function sweepStatements({ db, ports, clock, log }: Machine, runner: Runner): Promise<void> {
  for (const provider of ports.collectionProviders.all) {
    const feed = { provider: provider.name, mode: provider.mode }
    try {
      const now = clock.now()
      const standing = await findFeed(db, feed)
      const from = new Date((standing?.sweptTo?.getTime() ?? now.getTime() - firstReachMs) - overlapMs)
      let last = from
      const isWhole = await readStatement(provider, { from, to: new Date(now.getTime() + overlapMs) }, async (page) => {
        for (const transfer of page) await bringIn(runner, feed, transfer)
        last = page.at(-1)?.receivedAt ?? last
      })
      await saveSwept(db, feed, isWhole ? now : last)
    } catch (error) {
      log.warn('collection.not_swept', { provider: provider.name, error })
    }
  }
}

/** One that fails does not hold up the others. */
async function each<Row>(rows: readonly Row[], log: Machine['log'], does: (row: Row) => Promise<unknown>) {
  for (const row of rows) await does(row).catch((error: unknown) => log.warn('collection.sweep_failed', { error }))
}

/** Does what nobody has: transfers that were never told of, payments that nobody matched, refunds whose end is not known. */
export async function sweepCollection(machine: Machine, runner: Runner): Promise<void> {
  const { log } = machine
  await sweepStatements(machine, runner)
  const pending = await runner.run(findPending, { caller, origin, input: undefined })
  await each(pending, log, ({ organisationId, mode, id }) =>
    runner.run(matchPayment, { caller, origin, input: { tenant: { organisationId, mode }, id } }),
  )
  const refunds = await runner.run(findRefundsDue, { caller, origin, input: undefined })
  await each(refunds, log, (input) => runner.run(followRefund, { caller, origin, input }))
}
