import { setTimeout as wait } from 'node:timers/promises'
import { firstTurn, type OwnedItem, turnAfterAll } from '../jobs/turns.ts'
import type { Logger } from '../logger.ts'
import { type Pace, startRounds } from '../rounds.ts'

export interface RunningQueue {
  wake(): void
  /** takes no new jobs, and lets running ones finish or hands them back */
  stop(): Promise<void>
}

export type Begin<Item> = (item: Item, running: Promise<void>) => void

/** Rows of a queue that are walked by themselves, such as those of one mode. */
export interface QueuePart<Item extends OwnedItem> {
  /** which running items count for this part; all of them if absent */
  readonly has?: (item: Item) => boolean
  /** how many rows may be taken; 0 if the part must wait */
  readonly room: (ofPart: readonly Item[], all: readonly Item[]) => number
  /** claims due rows of the owners from `from` on, and begins each; returns the claimed rows */
  readonly claim: (
    turn: { readonly from: string; readonly limit: number; readonly underWay: readonly Item[] },
    begin: Begin<Item>,
  ) => Promise<readonly OwnedItem[]>
}

export interface FairQueue<Item extends OwnedItem> {
  readonly name: string
  readonly parts: readonly QueuePart<Item>[]
  readonly pace: Pace
  readonly log: Logger
  /** at a stop, running items have this long to finish; without a limit if absent */
  readonly finishWithinMs?: number
  /** returns the leases of items that did not finish */
  readonly handBack?: () => Promise<void>
}

/** Runs a queue whose owners take turns, until it is stopped. */
export function startFairQueue<Item extends OwnedItem>(queue: FairQueue<Item>): RunningQueue {
  const { name, pace, log, finishWithinMs, handBack } = queue
  const underWay = new Set<{ readonly item: Item; readonly ended: Promise<void> }>()
  const turns = queue.parts.map((part) => ({ part, from: firstTurn }))

  const begin: Begin<Item> = (item, running) => {
    const ended = running
      // A row whose result could not be written becomes due again when its lease ends.
      .catch((error: unknown) => log.warn('queue.save_failed', { reason: name, error }))
      .finally(() => {
        underWay.delete(begun)
        rounds.wake()
      })
    const begun = { item, ended }
    underWay.add(begun)
  }

  /** Returns whether to look again at once. */
  async function claimFor(turn: (typeof turns)[number]): Promise<boolean> {
    const { part, from } = turn
    const all = [...underWay].map(({ item }) => item)
    const ofPart = part.has ? all.filter(part.has) : all
    const limit = part.room(ofPart, all)
    if (limit <= 0) return false
    const claimed = await part.claim({ from, limit, underWay: ofPart }, begin)
    // A full claim used all room. The next round starts behind its owners.
    if (claimed.length === limit) {
      turn.from = turnAfterAll(claimed)
      return false
    }
    // Before waiting, the round also covers owners before its starting point, and those behind one that has just reached its limit.
    turn.from = firstTurn
    return from !== firstTurn || claimed.length > 0
  }

  async function round(): Promise<boolean> {
    let isMore = false
    for (const turn of turns) isMore = (await claimFor(turn)) || isMore
    return isMore
  }

  const rounds = startRounds(round, pace, (error) => log.warn('queue.round_failed', { reason: name, error }))

  return {
    wake: () => rounds.wake(),
    async stop() {
      await rounds.stop()
      const finished = Promise.all([...underWay].map(({ ended }) => ended))
      await (finishWithinMs === undefined
        ? finished
        : Promise.race([finished, wait(finishWithinMs, undefined, { ref: false })]))
      await handBack?.()
    },
  }
}
