import { systemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { walk } from '../../../platform/background/walk.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { findPending, matchPayment } from '../applying/match-payment.ts'
import type { PendingPayment } from '../payments/received-payments.store.ts'
import type { CollectionProvider, StatementPage } from '../providers/collection-provider.ts'
import { findRefundsDue, followRefund } from '../refunding/refund-payment.ts'
import type { DueRefund } from '../refunding/refunds.store.ts'
import { findFeed, saveSwept } from './notifications.store.ts'
import { retrySetAside, setAsideUnreadable, takeIn } from './set-aside.ts'
import { notMatched } from './take-transfer.ts'

const origin = { requestId: 'sweep-collection', address: '', userAgent: '' }
const caller = systemCaller
/** The overlap catches transfers that a provider lists late. */
const overlapMs = 10 * 60_000
/** How far back the first sweep of an installation reads. */
const firstReachMs = 3 * 86_400_000
const pageMs = 15_000
/** The next sweep reads the rest of a longer statement of account. */
const mostPages = 200

/** Reads a statement of account page by page. Each page is processed before the next is requested. */
export async function readStatement(
  provider: CollectionProvider,
  { from, to }: { readonly from: Date; readonly to: Date },
  take: (page: StatementPage) => Promise<void>,
): Promise<boolean> {
  let after: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await provider.statement({ from, to, after }, AbortSignal.timeout(pageMs))
    await take(page)
    if (page.next === null) return true
    after = page.next
  }
  return false
}

/** Asks each provider for transfers without a notification, and records those that are new. */
async function sweepStatements(runtime: Runtime, runner: Runner): Promise<void> {
  const { db, ports, clock, log } = runtime
  for (const provider of ports.collectionProviders.all) {
    const feed = { provider: provider.name, mode: provider.mode }
    try {
      const now = clock.now()
      const stored = await findFeed(db, feed)
      const from = new Date((stored?.sweptTo?.getTime() ?? now.getTime() - firstReachMs) - overlapMs)
      let last = from
      const isWhole = await readStatement(provider, { from, to: new Date(now.getTime() + overlapMs) }, async (page) => {
        for (const transfer of page.transfers) await takeIn(runtime, runner, feed, transfer)
        await setAsideUnreadable(runtime, feed, page.unreadable)
        last = page.transfers.at(-1)?.receivedAt ?? last
      })
      await saveSwept(db, feed, isWhole ? now : last)
      await retrySetAside(runtime, runner, provider)
    } catch (error) {
      log.warn('collection.not_swept', { provider: provider.name, error })
    }
  }
}

/** Catches up: transfers without a notification, payments that were not matched, refunds with an unknown result. */
export async function sweepCollection(runtime: Runtime, runner: Runner): Promise<void> {
  await sweepStatements(runtime, runner)
  await walk(runtime, {
    problem: notMatched,
    findAfter: (last: PendingPayment | undefined) => runner.run(findPending, { caller, origin, input: last }),
    work: ({ organisationId, mode, id }) =>
      runner.run(matchPayment, { caller, origin, input: { tenant: { organisationId, mode }, id } }),
  })
  await walk(runtime, {
    problem: 'collection.refund_not_followed',
    findAfter: (last: DueRefund | undefined) => runner.run(findRefundsDue, { caller, origin, input: last }),
    work: (input) => runner.run(followRefund, { caller, origin, input }).catch(unlessTaken),
  })
}

/** Another worker is following the refund, or it has ended. */
const unlessTaken = (error: unknown): undefined => {
  if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
  throw error
}
