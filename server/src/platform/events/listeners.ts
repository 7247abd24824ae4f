import type { EventNotice } from '../../kernel/event-notice.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Runtime } from '../operations/runner.ts'
import type { Place } from './places.store.ts'
import { startTail, type Tail } from './tail.ts'

export interface Listening {
  /** from here on nothing is missed */
  readonly begun: Promise<void>
  end(): void
}

export interface Listeners {
  /** `heard` gets what happened in an organisation, or nothing where so much happened that nobody knows any more what it was */
  listen(organisationId: OrganisationId, heard: (events: readonly EventNotice[] | undefined) => void): Listening
  stop(): Promise<void>
}

type Heard = Parameters<Listeners['listen']>[1]

/** All that is kept: reading what is in memory costs nothing worth cutting up. */
const mostAtOnce = 1_000_000

interface Following {
  readonly tail: Tail
  readonly begun: PromiseWithResolvers<void>
  place: Place | undefined
}

/**
 * Tells whoever listens what happens in their organisation, for as long as they listen and without a promise: what matters has to be read
 * again. The log is read once for all of them, and only while somebody listens. It looks by itself and does not listen to the bell: who
 * listens in a process that does no work would keep the ring from those that do.
 */
export function createListeners({ db, log }: Pick<Runtime, 'db' | 'log'>): Listeners {
  const listeners = new Map<string, Set<Heard>>()
  const stopping = new Set<Promise<void>>()
  let following: Following | undefined

  function read(own: Following): void {
    const { tail } = own
    own.place ??= tail.start
    if (!own.place) return
    own.begun.resolve()
    if (!tail.reachesBackTo(own.place)) {
      own.place = tail.start ?? own.place
      for (const all of listeners.values()) for (const heard of all) heard(undefined)
    }
    const { events } = tail.after(own.place, mostAtOnce)
    own.place = events.at(-1)?.place ?? own.place
    const byOrganisation = Map.groupBy(events, ({ event }) => event.organisationId)
    for (const [organisationId, theirs] of byOrganisation)
      for (const heard of listeners.get(organisationId) ?? []) heard(theirs.map(({ event }) => event))
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
    listen(organisationId, heard) {
      const own = listeners.get(organisationId) ?? new Set()
      listeners.set(organisationId, own.add(heard))
      following ??= follow()
      return {
        begun: following.begun.promise,
        end() {
          if (!own.delete(heard)) return
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
