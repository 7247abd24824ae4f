import { setTimeout as wait } from 'node:timers/promises'
import { asQueryable, type Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { QueueName } from './jobs.ts'
import { listenToOthers, notifyOthers } from './wake-up.store.ts'

/** The topics of wake-ups: what a commit may have left to do. */
export type Topic = 'events' | 'webhooks' | QueueName

export interface WakeUp {
  /** called after a commit; cheap enough for every commit */
  send(topics: Iterable<Topic>): void
  /** calls back when there may be something to do, in whatever process the commit was */
  listen(topic: Topic, onWakeUp: () => void): { end(): void }
  /** from now on, commits of other processes wake up listeners too */
  start(): void
  stop(): Promise<void>
}

/** The shortest time between two notifications to other processes: a notification with every commit would cost a quarter of all commits. */
const notifyEveryMs = 20
const linkPauseMs = 1_000

/**
 * Wakes up queues and consumers after a commit: at once in this process, or through the database if nobody here listens.
 * A wake-up carries no data, and listeners also poll: a lost wake-up is only a delay.
 */
export function createWakeUp(db: Database, log: Logger): WakeUp {
  const listeners = new Map<Topic, (() => void)[]>()
  const pendingTopics = new Set<Topic>()
  let isNotifying = false
  const stopping = new AbortController()
  let following: Promise<void> | undefined

  const callListeners = (topic: Topic) => {
    for (const onWakeUp of listeners.get(topic) ?? []) onWakeUp()
  }

  async function notifyPending(): Promise<void> {
    isNotifying = true
    while (pendingTopics.size > 0) {
      const topics = [...pendingTopics]
      pendingTopics.clear()
      await notifyOthers(db, topics).catch(() => {})
      await wait(notifyEveryMs, undefined, { ref: false })
    }
    isNotifying = false
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const client = await db.dedicatedClient('wake-up')
    try {
      const lost = new Promise<never>((_, reject) => client.on('end', () => reject(new Error('the link ended'))))
      lost.catch(() => {})
      client.on('notification', ({ payload = '' }) => {
        for (const topic of payload.split(' ')) callListeners(topic as Topic)
      })
      await listenToOthers(asQueryable(client))
      // Commits may have happened while the process was not listening, so everyone looks now.
      for (const topic of listeners.keys()) callListeners(topic)
      await Promise.race([lost, aborted(signal)])
    } finally {
      await Promise.race([client.end().catch(() => {}), wait(linkPauseMs, undefined, { ref: false })])
    }
  }

  /** A stop during the connection attempt gets no callback, so the flag is checked here. */
  const aborted = (signal: AbortSignal): Promise<unknown> =>
    signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve))

  async function keepFollowing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await follow(signal).catch((error: unknown) => log.warn('wake_up.link_lost', { error }))
      if (!signal.aborted) await wait(linkPauseMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    send(topics) {
      for (const topic of topics) {
        if (listeners.has(topic)) callListeners(topic)
        else pendingTopics.add(topic)
      }
      if (pendingTopics.size > 0 && !isNotifying) void notifyPending()
    },
    listen(topic, onWakeUp) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), onWakeUp])
      return {
        end() {
          const left = (listeners.get(topic) ?? []).filter((other) => other !== onWakeUp)
          if (left.length > 0) listeners.set(topic, left)
          else listeners.delete(topic)
        },
      }
    },
    start() {
      following ??= keepFollowing(stopping.signal)
    },
    async stop() {
      stopping.abort()
      await following
    },
  }
}
