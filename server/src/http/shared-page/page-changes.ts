import type { Tenant } from '../../kernel/tenant.ts'
import type { Place } from '../../platform/events/places.store.ts'
import { startTail, type Tail } from '../../platform/events/tail.ts'
import type { Machine } from '../../platform/operations/runner.ts'

/** The invoice that an open page shows. */
interface Watched extends Tenant {
  readonly invoiceId: string
}

export interface Watching {
  /** from here on nothing is missed */
  readonly begun: Promise<void>
  end(): void
}

export interface PageChanges {
  watch(page: Watched, changed: () => void): Watching
  stop(): Promise<void>
}

/** All that is kept: reading what is in memory costs nothing worth cutting up. */
const mostAtOnce = 1_000_000
const keyOf = ({ organisationId, mode, invoiceId }: Watched): string => `${organisationId} ${mode} ${invoiceId}`

/** The log, while somebody follows it. */
interface Following {
  readonly tail: Tail
  readonly begun: PromiseWithResolvers<void>
  place: Place | undefined
}

/**
 * Tells open pages when something happened to their invoice. The log of events is read once for all of them, and only while a page is open. It
 * looks by itself, a second after it last found nothing, and does not listen to the bell: whoever listens in a process that does no
 * work keeps the ring from those that do.
 */
export function createPageChanges({ db, log }: Pick<Machine, 'db' | 'log'>): PageChanges {
  const watchers = new Map<string, Set<() => void>>()
  const stopping = new Set<Promise<void>>()
  let following: Following | undefined

  function tell(key: string): void {
    for (const changed of watchers.get(key) ?? []) changed()
  }

  function read(own: Following): void {
    const { tail } = own
    own.place ??= tail.start
    if (!own.place) return
    own.begun.resolve()
    if (!tail.reachesBackTo(own.place)) {
      // More happened than is kept: what of it was theirs is not known any more, so they all look.
      own.place = tail.start ?? own.place
      for (const key of watchers.keys()) tell(key)
    }
    const { events } = tail.after(own.place, mostAtOnce)
    for (const { event } of events) {
      const { organisationId, mode, objectId } = event
      if (organisationId && mode && objectId) tell(keyOf({ organisationId, mode, invoiceId: objectId }))
    }
    own.place = events.at(-1)?.place ?? own.place
  }

  function follow(): Following {
    const own: Following = {
      tail: startTail(db, log, () => read(own)),
      begun: Promise.withResolvers(),
      place: undefined,
    }
    return own
  }

  function rest(): void {
    if (!following) return
    following.begun.resolve()
    const ended = following.tail.stop().finally(() => stopping.delete(ended))
    stopping.add(ended)
    following = undefined
  }

  return {
    watch(page, changed) {
      const key = keyOf(page)
      const own = watchers.get(key) ?? new Set()
      watchers.set(key, own.add(changed))
      following ??= follow()
      return {
        begun: following.begun.promise,
        end() {
          if (!own.delete(changed)) return
          if (own.size === 0 && watchers.get(key) === own) watchers.delete(key)
          if (watchers.size === 0) rest()
        },
      }
    },
    async stop() {
      watchers.clear()
      rest()
      await Promise.all(stopping)
    },
  }
}
