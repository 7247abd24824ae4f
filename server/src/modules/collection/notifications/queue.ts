import type { Mode } from '../../../kernel/tenant.ts'
import type { RunningQueue } from '../../../platform/background/queues.ts'
import type { OwnQueue } from '../../../platform/background/worker.ts'
import { isPassingFailure } from '../../../platform/database/database.ts'
import type { AttemptCounts } from '../../../platform/jobs/jobs.ts'
import { countByOrganisation, firstTurn, turnAfterAll } from '../../../platform/jobs/turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { takeSettlement } from '../settlements/take-settlement.ts'
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
  readonly ended: Promise<void>
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
  const underWay = new Set<Question>()
  /** Where the next round begins in each mode. Live comes first. */
  const turns: { readonly mode: Mode; from: string }[] = [
    { mode: 'live', from: firstTurn },
    { mode: 'sandbox', from: firstTurn },
  ]

  async function lookInto(heard: ClaimedNotification): Promise<string> {
    const provider = ports.collectionProviders.named(heard.provider, heard.mode)
    if (!provider) return 'no such provider'
    const feed: Feed = { provider: heard.provider, mode: heard.mode }
    if (heard.about === 'settlement') {
      const settlement = await provider.lookSettlement(heard.transfer, AbortSignal.timeout(askWithinMs))
      if (!settlement) throw new Error('the provider does not know it')
      return (await takeSettlement(runtime, runner, feed, settlement)) > 0 ? 'recorded' : 'not ours'
    }
    const transfer = await provider.look(heard.transfer, AbortSignal.timeout(askWithinMs))
    if (!transfer) throw new Error('the provider does not know it')
    const taken = await bringIn({ db, log }, runner, feed, transfer)
    return taken === undefined ? 'not ours' : taken.isNew ? 'recorded' : 'known'
  }

  async function failed(heard: ClaimedNotification, error: unknown): Promise<void> {
    const outcome = error instanceof Error ? error.message.slice(0, 200) : 'failed'
    log.warn('collection.not_looked_into', { provider: heard.provider, reference: heard.transfer, error })
    const isLast = heard.tries >= mostLooks && !isPassingFailure(error)
    counts.failed++
    if (!isLast) counts.retried++
    if (isLast) await saveHandled(db, [heard], `given up: ${outcome}`)
    else await saveForLater(db, heard, { waitMs: waitMs(heard.tries), outcome })
  }

  /** Several notifications of one transfer need one call. */
  async function settle(group: readonly [ClaimedNotification, ...ClaimedNotification[]]): Promise<void> {
    try {
      await saveHandled(db, group, await lookInto(group[0]))
      counts.done += group.length
    } catch (error) {
      for (const heard of group) await failed(heard, error)
    }
  }

  function begin(group: readonly [ClaimedNotification, ...ClaimedNotification[]]): void {
    const ended = settle(group)
      // A row that could not be saved becomes due again when its lease ends.
      .catch((error: unknown) => log.warn('queue.save_failed', { reason: name, error }))
      .finally(() => {
        underWay.delete(question)
        rounds.wake()
      })
    const { organisationId, provider, mode } = group[0]
    const question = { organisationId, provider, mode, ended }
    underWay.add(question)
  }

  async function claimOf(turn: (typeof turns)[number]): Promise<boolean> {
    const { mode, from } = turn
    const ofMode = [...underWay].filter((question) => question.mode === mode)
    const free = atOnce - underWay.size
    const limit = mode === 'sandbox' ? Math.min(free, ofSandbox - ofMode.length) : free
    if (limit < leastRoom) return false
    const claimed = await claimNotifications(db, {
      mode,
      limit,
      from,
      underWay: countByOrganisation(ofMode),
      mostPerOrganisation: ofOne,
      underWayAt: countByProvider(ofMode),
      mostPerProvider: ofProvider,
      leaseMs,
    })
    const groups = Map.groupBy(
      claimed,
      ({ provider, mode, about, transfer }) => `${provider} ${mode} ${about} ${transfer}`,
    )
    for (const group of groups.values()) begin(group as [ClaimedNotification, ...ClaimedNotification[]])
    if (claimed.length === limit) {
      turn.from = turnAfterAll(claimed)
      return false
    }
    // Before waiting, the round also covers organisations before its starting point, and those behind one that has just
    // reached its limit.
    turn.from = firstTurn
    return from !== firstTurn || claimed.length > 0
  }

  async function round(): Promise<boolean> {
    let isMore = false
    for (const turn of turns) isMore = (await claimOf(turn)) || isMore
    return isMore
  }

  const rounds = startRounds(round, pace, (error) => log.warn('queue.round_failed', { reason: name, error }))

  return {
    wake: () => rounds.wake(),
    async stop() {
      await rounds.stop()
      await Promise.all([...underWay].map((question) => question.ended))
    },
  }
}

export const collectionQueue: OwnQueue = {
  name,
  wakesWith: 'money',
  connections: 8,
  start: (runtime, runner) => {
    const counts = runtime.ownQueueCounts.get(name) ?? { done: 0, failed: 0, retried: 0 }
    runtime.ownQueueCounts.set(name, counts)
    return startCollectionQueue(runtime, runner, counts)
  },
}
