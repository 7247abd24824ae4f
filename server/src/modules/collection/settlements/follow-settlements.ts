import type { Mode } from '../../../kernel/tenant.ts'
import type { Machine, Runner } from '../../../platform/operations/runner.ts'
import { attemptsAt } from '../../../platform/work/failing-items.ts'
import type { CollectionProvider } from '../providers/collection-provider.ts'
import { type FollowedSubAccount, listSubAccountsToFollow, saveFollowed } from '../settlement/sub-accounts.store.ts'
import { listWaitingTransfers } from './settlements.store.ts'
import { takeSettlement } from './take-settlement.ts'

const day = 86_400_000
/** What came longer ago is an exception by now, and is not asked about any more. */
const reachMs = 14 * day
/** Providers pay out on the same day or the next. Before this age nobody is asked: those that tell of settlements have told by then. */
const restMs: Readonly<Record<Mode, number>> = { sandbox: 30_000, live: 3_600_000 }
const mostSubAccounts = 500
/** Asked about one by one where a provider has no list; one settlement explains all its others. */
const mostTransfers = 20
const askMs = 20_000
const turnMs = 45_000

async function followOne(
  machine: Machine,
  runner: Runner,
  provider: CollectionProvider,
  of: FollowedSubAccount,
): Promise<void> {
  const now = machine.clock.now().getTime()
  const span = { from: new Date(now - reachMs), to: new Date(now - restMs[provider.mode]) }
  const waiting = await listWaitingTransfers(machine.db, of, of, span, mostTransfers)
  const [oldest] = waiting
  if (!oldest) return
  const feed = { provider: provider.name, mode: provider.mode }
  const asked = {
    from: new Date(oldest.receivedAt.getTime() - day),
    to: new Date(now + day),
    waitingTransfers: waiting.map(({ reference }) => reference),
  }
  for (const subAccount of of.codes) {
    const found = await provider.findSettlements({ subAccount, ...asked }, AbortSignal.timeout(askMs))
    for (const settlement of found) await takeSettlement(machine, runner, feed, settlement)
  }
}

/**
 * Asks providers what they paid out to sellers whose money waits, and keeps it. Sellers take turns over several runs. A seller for whom it fails
 * is passed, and has a turn in the next run.
 */
export async function followSettlements(machine: Machine, runner: Runner, mode: Mode): Promise<void> {
  const { db, ports, clock } = machine
  const attempt = await attemptsAt(machine, 'collection.settlements_not_followed')
  const until = performance.now() + turnMs
  for (const provider of ports.collectionProviders.all.filter((one) => one.mode === mode)) {
    const feed = { provider: provider.name, mode }
    for (const of of await listSubAccountsToFollow(db, feed, mostSubAccounts)) {
      if (performance.now() > until) return
      // One that fails has had its turn, too.
      await attempt({ organisationId: of.organisationId, mode, id: of.sellerId }, () =>
        followOne(machine, runner, provider, of).finally(() => saveFollowed(db, of, of, clock.now())),
      )
    }
  }
}
