import { setTimeout as wait } from 'node:timers/promises'
import { asQueryable, type Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { listenToOthers, notifyOthers } from './bell.store.ts'
import type { LaneName } from './jobs.ts'

/** What a commit may have left for somebody to do. */
export type Topic = 'events' | 'webhooks' | LaneName

export interface Bell {
  /** called after a commit; costs nothing worth counting, however often */
  ring(topics: Iterable<Topic>): void
  /** says when there may be something to do, whoever committed it */
  listen(topic: Topic, heard: () => void): { end(): void }
  /** from here on commits of other processes are heard too */
  start(): void
  stop(): Promise<void>
}

/** So often at most are other processes told: notifying with every commit would cost a quarter of all commits. */
const tellEveryMs = 20
const linkPauseMs = 1_000

/**
 * Wakes whoever works on what was committed: at once in this process, and through the database in others when nobody here listens.
 * It carries nothing itself, and whoever listens also looks by itself: a lost ring is a delay.
 */
export function createBell(db: Database, log: Logger): Bell {
  const listeners = new Map<Topic, (() => void)[]>()
  const toTell = new Set<Topic>()
  let isTelling = false
  const stopping = new AbortController()
  let following: Promise<void> | undefined

  const hear = (topic: Topic) => {
    for (const heard of listeners.get(topic) ?? []) heard()
  }

  async function tellOthers(): Promise<void> {
    isTelling = true
    while (toTell.size > 0) {
      const topics = [...toTell]
      toTell.clear()
      await notifyOthers(db, topics).catch(() => {})
      await wait(tellEveryMs, undefined, { ref: false })
    }
    isTelling = false
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const client = await db.dedicatedClient('bell')
    try {
      const lost = new Promise<never>((_, reject) => client.on('end', () => reject(new Error('the link ended'))))
      lost.catch(() => {})
      client.on('notification', ({ payload = '' }) => {
        for (const topic of payload.split(' ')) hear(topic as Topic)
      })
      await listenToOthers(asQueryable(client))
      // What was told while nobody listened is looked for now.
      for (const topic of listeners.keys()) hear(topic)
      await Promise.race([lost, aborted(signal)])
    } finally {
      await Promise.race([client.end().catch(() => {}), wait(linkPauseMs, undefined, { ref: false })])
    }
  }

  /** Who was stopped while the link was made is told of it no more: that has to be seen. */
  const aborted = (signal: AbortSignal): Promise<unknown> =>
    signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve))

  async function keepFollowing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await follow(signal).catch((error: unknown) => log.warn('bell.link_lost', { error }))
      if (!signal.aborted) await wait(linkPauseMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    ring(topics) {
      for (const topic of topics) {
        if (listeners.has(topic)) hear(topic)
        else toTell.add(topic)
      }
      if (toTell.size > 0 && !isTelling) void tellOthers()
    },
    listen(topic, heard) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), heard])
      return {
        end() {
          const left = (listeners.get(topic) ?? []).filter((other) => other !== heard)
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
