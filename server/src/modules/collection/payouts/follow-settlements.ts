import type { Mode } from '../../../kernel/tenant.ts'
import { attemptsAt } from '../../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import type { CollectionProvider } from '../providers/collection-provider.ts'
import {
  type FollowedSubAccount,
  listSubAccountsToFollow,
  saveFollowed,
} from '../settlement-accounts/sub-accounts.store.ts'
import { listWaitingTransfers } from './settlements.store.ts'
import { takeSettlement } from './take-settlement.ts'

const day = 86_400_000
/** Older payments are not asked about. Until then, a late payout closes the exception of its payment. */
const reachMs = 90 * day
/** Limit of the span in which settlements are listed, because each of them costs requests. */
const listedMs = 15 * day
/**
 * Providers pay out on the same day or the next. Younger payments are skipped: a provider that notifies has done so by
 * then.
 */
const restMs: Readonly<Record<Mode, number>> = { sandbox: 30_000, live: 3_600_000 }
const mostSubAccounts = 500
/**
 * A provider without a list of settlements is asked about this many transfers per run. The next run continues after
 * them.
 */
const mostTransfers = 20
const askMs = 20_000
const turnMs = 45_000

async function followOne(
  runtime: Runtime,
  runner: Runner,
  provider: CollectionProvider,
  of: FollowedSubAccount,
): Promise<void> {
  const { db, clock } = runtime
  const now = clock.now().getTime()
  const span = { from: new Date(now - reachMs), to: new Date(now - restMs[provider.mode]) }
  let { followedTo } = of
  try {
    const waiting = await listWaitingTransfers(db, of, of, span, { after: followedTo, limit: mostTransfers })
    followedTo = waiting.at(-1)?.id ?? null
    const [first] = waiting
    if (!first) return
    const asked = {
      subAccounts: of.codes,
      from: new Date(Math.max(first.oldestReceivedAt.getTime() - day, now - listedMs)),
      to: new Date(now + day),
      waitingTransfers: waiting.map(({ reference }) => reference),
    }
    const feed = { provider: provider.name, mode: provider.mode }
    for (const settlement of await provider.findSettlements(asked, AbortSignal.timeout(askMs)))
      await takeSettlement(runtime, runner, feed, settlement)
  } finally {
    // A failed seller has used its turn too, and so have its transfers.
    await saveFollowed(db, of, of, { at: clock.now(), followedTo })
  }
}

/**
 * Asks providers for payouts to sellers with waiting money, and saves them. Sellers take turns over several runs. A
 * seller whose run fails has another turn in the next run.
 */
export async function followSettlements(runtime: Runtime, runner: Runner, mode: Mode): Promise<void> {
  const { db, ports } = runtime
  const attempt = await attemptsAt(runtime, 'collection.settlements_not_followed')
  const until = performance.now() + turnMs
  for (const provider of ports.collectionProviders.all.filter((one) => one.mode === mode)) {
    const feed = { provider: provider.name, mode }
    for (const subAccount of await listSubAccountsToFollow(db, feed, mostSubAccounts)) {
      if (performance.now() > until) return
      await attempt({ organisationId: subAccount.organisationId, mode, id: subAccount.sellerId }, () =>
        followOne(runtime, runner, provider, subAccount),
      )
    }
  }
}
