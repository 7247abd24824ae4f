import { isPassingFailure } from '../../../platform/database/database.ts'
import type { Machine, Runner } from '../../../platform/operations/runner.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import type { OwnLane } from '../../../platform/work/worker.ts'
import { claimNotifications, type Feed, type Heard, saveHeard, saveUnheard } from './notifications.store.ts'
import { bringIn } from './take-transfer.ts'

/** So many are looked into at a time; a provider is asked for each. */
const atOnce = 32
const pace = { restMs: 5, idleMs: 1_000 }
const askWithinMs = 10_000
/** Longer than it takes to ask and to write down what was said. */
const leaseMs = 45_000
const firstWaitMs = 1_000
const longestWaitMs = 3600_000
/** A transfer that the provider does not know yet may come; after so many looks it never will. The sweep reads the statement anyway. */
const mostLooks = 12

const waitMs = (tries: number): number => Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 20))

/**
 * Looks into what providers have told. Their notifications wait in a table of their own: taking one in costs a single
 * statement, and whoever dies with some in hand leaves them to others.
 */
export function startCollectionLane({ db, ports, log }: Machine, runner: Runner): Rounds {
  async function lookInto(heard: Heard): Promise<string> {
    const provider = ports.collectionProviders.named(heard.provider, heard.mode)
    if (!provider) return 'no such provider'
    const transfer = await provider.look(heard.transfer, AbortSignal.timeout(askWithinMs))
    if (!transfer) throw new Error('the provider does not know it')
    const feed: Feed = { provider: heard.provider, mode: heard.mode }
    const taken = await bringIn(runner, feed, transfer)
    return taken === undefined ? 'not ours' : taken.isNew ? 'recorded' : 'known'
  }

  async function failed(heard: Heard, error: unknown): Promise<void> {
    const outcome = error instanceof Error ? error.message.slice(0, 200) : 'failed'
    log.warn('collection.not_looked_into', { provider: heard.provider, reference: heard.transfer, error })
    if (heard.tries >= mostLooks && !isPassingFailure(error)) await saveHeard(db, [heard], `given up: ${outcome}`)
    else await saveUnheard(db, heard, { waitMs: waitMs(heard.tries), outcome })
  }

  /** Several of one transfer are one question. */
  async function round(): Promise<boolean> {
    const claimed = await claimNotifications(db, atOnce, leaseMs)
    const groups = Map.groupBy(claimed, ({ provider, mode, transfer }) => `${provider} ${mode} ${transfer}`)
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const [first] = group as [Heard, ...Heard[]]
        try {
          await saveHeard(db, group, await lookInto(first))
        } catch (error) {
          for (const heard of group) await failed(heard, error)
        }
      }),
    )
    return claimed.length === atOnce
  }

  return startRounds(round, pace, (error) => log.warn('collection.round_failed', { error }))
}

export const collectionLane: OwnLane = {
  name: 'collection',
  wakesWith: 'money',
  connections: 8,
  start: startCollectionLane,
}
