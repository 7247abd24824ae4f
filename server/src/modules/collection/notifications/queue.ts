import type { Mode } from '../../../kernel/tenant.ts'
import { type QueuePart, type RunningQueue, startFairQueue } from '../../../platform/background/fair-queue.ts'
import type { OwnQueue } from '../../../platform/background/worker.ts'
import { isPassingFailure } from '../../../platform/database/database.ts'
import type { AttemptCounts } from '../../../platform/jobs/jobs.ts'
import { countByOrganisation } from '../../../platform/jobs/turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { takeSettlement } from '../payouts/take-settlement.ts'
import {
  type ClaimedNotification,
  claimNotifications,
  type Feed,
  saveForLater,
  saveHandled,
} from './notifications.store.ts'
import { bringIn } from './take-transfer.ts'

const name = 'collection'
/** Notifications in progress at once. Each needs a call to its provider. */
const atOnce = 32
/** Limit for all sandboxes, so that live notifications always have room. */
const ofSandbox = atOnce * (3 / 4)
/** Limit for one organisation in one mode, so that others always have room. */
const ofOne = atOnce / 2
/** Limit for one provider in one mode, so that a silent provider leaves room for others. */
const ofProvider = atOnce * (3 / 4)
/** A claim of many costs little more than a claim of one, so the queue waits until this much room is free. */
const leastRoom = atOnce / 8
const pace = { restMs: 5, idleMs: 1_000 }
const askWithinMs = 10_000
/** Longer than the call to the provider and the write of its answer. */
const leaseMs = 45_000
const firstWaitMs = 1_000
const longestWaitMs = 3600_000
/**
 * A transfer that the provider does not know yet may still appear. The queue stops after this many looks; the sweep
 * reads the statement of account anyway.
 */
const mostLooks = 12

const waitMs = (tries: number): number => Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 20))

interface Question extends Feed {
  readonly organisationId: string
}

function countByProvider(questions: Iterable<Question>): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { provider } of questions) counted.set(provider, (counted.get(provider) ?? 0) + 1)
  return counted
}

/**
 * Works through the providers' notifications. They wait in their own table: storing one takes a single statement, and a
 * dead worker's leases expire, so that others take over.
 */
function startCollectionQueue(runtime: Runtime, runner: Runner, counts: AttemptCounts): RunningQueue {
  const { db, ports, log } = runtime
  async function lookInto(notification: ClaimedNotification): Promise<string> {
    const provider = ports.collectionProviders.named(notification.provider, notification.mode)
    if (!provider) return 'no such provider'
    const feed: Feed = { provider: notification.provider, mode: notification.mode }
    if (notification.about === 'settlement') {
      const settlement = await provider.lookSettlement(notification.transfer, AbortSignal.timeout(askWithinMs))
      if (!settlement) throw new Error('the provider does not know it')
      return (await takeSettlement(runtime, runner, feed, settlement)) > 0 ? 'recorded' : 'not ours'
    }
    const transfer = await provider.look(notification.transfer, AbortSignal.timeout(askWithinMs))
    if (!transfer) throw new Error('the provider does not know it')
    const taken = await bringIn({ db, log }, runner, feed, transfer)
    return taken === undefined ? 'not ours' : taken.isNew ? 'recorded' : 'known'
  }

  async function failed(notification: ClaimedNotification, error: unknown): Promise<void> {
    const outcome = error instanceof Error ? error.message.slice(0, 200) : 'failed'
    log.warn('collection.not_looked_into', { provider: notification.provider, reference: notification.transfer, error })
    const isLast = notification.tries >= mostLooks && !isPassingFailure(error)
    counts.failed++
    if (!isLast) counts.retried++
    if (isLast) await saveHandled(db, [notification], `given up: ${outcome}`)
    else await saveForLater(db, notification, { waitMs: waitMs(notification.tries), outcome })
  }

  /** Several notifications of one transfer need one call. */
  async function settle(group: readonly [ClaimedNotification, ...ClaimedNotification[]]): Promise<void> {
    try {
      await saveHandled(db, group, await lookInto(group[0]))
      counts.done += group.length
    } catch (error) {
      for (const notification of group) await failed(notification, error)
    }
  }

  const partOf = (mode: Mode): QueuePart<Question> => ({
    has: (question) => question.mode === mode,
    room: (ofMode, all) => {
      const free = atOnce - all.length
      const limit = mode === 'sandbox' ? Math.min(free, ofSandbox - ofMode.length) : free
      return limit < leastRoom ? 0 : limit
    },
    claim: async ({ from, limit, underWay }, begin) => {
      const claimed = await claimNotifications(db, {
        mode,
        limit,
        from,
        underWay: countByOrganisation(underWay),
        mostPerOrganisation: ofOne,
        underWayAt: countByProvider(underWay),
        mostPerProvider: ofProvider,
        leaseMs,
      })
      const keyOf = ({ provider, about, transfer }: ClaimedNotification) => `${provider} ${about} ${transfer}`
      for (const group of Map.groupBy(claimed, keyOf).values()) {
        const notifications = group as [ClaimedNotification, ...ClaimedNotification[]]
        const { organisationId, provider } = notifications[0]
        begin({ organisationId, provider, mode }, settle(notifications))
      }
      return claimed
    },
  })

  // Live comes first.
  return startFairQueue({ name, log, pace, parts: [partOf('live'), partOf('sandbox')] })
}

export const collectionQueue: OwnQueue = {
  name,
  wakesWith: 'money',
  connections: 8,
  start: startCollectionQueue,
}
