import type { EventNotice } from '../../kernel/event-notice.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { ReadEvent } from './log-reader.store.ts'
import { startTail, type Tail, tailBounds } from './tail.ts'

export interface LiveListener {
  /** resolves once no later event can be missed */
  readonly begun: Promise<void>
  end(): void
}

export interface LiveEvents {
  /** `onEvents` gets the events of an organisation, or `undefined` after so many events that some were dropped */
  listen(organisationId: OrganisationId, onEvents: (events: readonly EventNotice[] | undefined) => void): LiveListener
  stop(): Promise<void>
}

/** Listeners get each event at once, so none is kept. */
const liveBounds = { ...tailBounds, mostKept: 0 }

type OnEvents = Parameters<LiveEvents['listen']>[1]

interface SharedTail {
  readonly tail: Tail
  readonly begun: PromiseWithResolvers<void>
}

/**
 * Passes an organisation's events to its listeners in this process, without a guarantee: a page that missed events must read again. One
 * reader serves all listeners, and only while there is one. The reader polls instead of using the wake-up: a listener in a process without
 * queues would keep the wake-up from processes with queues.
 */
export function createLiveEvents({ db, log }: { readonly db: Database; readonly log: Logger }): LiveEvents {
  const listeners = new Map<string, Set<OnEvents>>()
  const stopping = new Set<Promise<void>>()
  let sharedTail: SharedTail | undefined

  function passOn(events: readonly ReadEvent[]): void {
    for (const [organisationId, theirs] of Map.groupBy(events, (event) => event.organisationId))
      for (const onEvents of listeners.get(organisationId) ?? []) onEvents(theirs)
  }

  function reportLoss(): void {
    for (const all of listeners.values()) for (const onEvents of all) onEvents(undefined)
  }

  function follow(): SharedTail {
    const begun = Promise.withResolvers<void>()
    return {
      tail: startTail(db, log, { begun: () => begun.resolve(), grew: passOn, lost: reportLoss }, liveBounds),
      begun,
    }
  }

  function rest(): void {
    if (!sharedTail) return
    sharedTail.begun.resolve()
    const ended = sharedTail.tail.stop().finally(() => stopping.delete(ended))
    stopping.add(ended)
    sharedTail = undefined
  }

  return {
    listen(organisationId, onEvents) {
      const own = listeners.get(organisationId) ?? new Set()
      listeners.set(organisationId, own.add(onEvents))
      sharedTail ??= follow()
      return {
        begun: sharedTail.begun.promise,
        end() {
          if (!own.delete(onEvents)) return
          if (own.size === 0 && listeners.get(organisationId) === own) listeners.delete(organisationId)
          if (listeners.size === 0) rest()
        },
      }
    },
    async stop() {
      listeners.clear()
      rest()
      await Promise.all(stopping)
    },
  }
}
