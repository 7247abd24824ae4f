import type { Tenant } from '../../kernel/tenant.ts'
import type { Place } from '../../platform/events/places.store.ts'
import { startTail, type Tail } from '../../platform/events/tail.ts'
import type { Machine } from '../../platform/operations/runner.ts'

/** An open page, and how it is told that it shows something old. */
interface Watched extends Tenant {
  readonly invoiceId: string
}

export interface PageChanges {
  /** from now on, until it is ended */
  watch(page: Watched, changed: () => void): { end(): void }
  stop(): Promise<void>
}

/** All that is kept: reading what is in memory costs nothing worth cutting up. */
const mostAtOnce = 1_000_000
const keyOf = ({ organisationId, mode, invoiceId }: Watched): string => `${organisationId} ${mode} ${invoiceId}`

/**
 * Tells open pages when something happened to their invoice. The log of events is read once for all of them, and only while a page is open. It
 * looks by itself, a second after it last found nothing, and does not listen to the bell: whoever listens in a process that does no
 * work keeps the ring from those that do.
 */
export function createPageChanges({ db, log }: Pick<Machine, 'db' | 'log'>): PageChanges {
  const watchers = new Map<string, Set<() => void>>()
  let tail: Tail | undefined
  let place: Place | undefined
  const stopping = new Set<Promise<void>>()

  function tell(key: string): void {
    for (const changed of watchers.get(key) ?? []) changed()
  }

  function read(): void {
    const following = tail
    place ??= following?.start
    if (!following || !place) return
    if (!following.reachesBackTo(place)) {
      // More happened than is kept: what of it was theirs is not known any more, so they all look.
      place = following.start
      for (const key of watchers.keys()) tell(key)
    }
    if (!place) return
    const { events } = following.after(place, mostAtOnce)
    for (const { event } of events) {
      const { organisationId, mode, objectId } = event
      if (organisationId && mode && objectId) tell(keyOf({ organisationId, mode, invoiceId: objectId }))
    }
    place = events.at(-1)?.place ?? place
  }

  function rest(): void {
    if (!tail) return
    const ended = tail.stop().finally(() => stopping.delete(ended))
    stopping.add(ended)
    tail = undefined
    place = undefined
  }

  return {
    watch(page, changed) {
      const key = keyOf(page)
      const own = watchers.get(key) ?? new Set()
      watchers.set(key, own.add(changed))
      tail ??= startTail(db, log, read)
      return {
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
