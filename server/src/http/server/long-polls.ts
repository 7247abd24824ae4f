import type { FastifyInstance } from 'fastify'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { createLiveEvents } from '../../platform/events/live-events.ts'
import type { Runtime } from '../../platform/operations/runner.ts'

export interface LongPollBounds {
  /** waiting requests, in total and of one organisation */
  readonly most: number
  readonly mostOfOrganisation: number
  /** shortest time between two reads of one request: an organisation may have hundreds of events per second */
  readonly restMs: number
}

export const usualLongPollBounds: LongPollBounds = { most: 1_000, mostOfOrganisation: 50, restMs: 200 }

/** A request that may wait for events before it is answered. */
export interface LongPoll<Output> {
  readonly organisationId: OrganisationId
  readonly waitMs: number
  /** reads in the usual way; called again after events, so it holds no database connection in between */
  read(): Promise<Output>
  isEmpty(output: Output): boolean
  /** whether the event may change what is read */
  concerns(event: EventNotice): boolean
  /** rejects if the caller has disconnected */
  stopIfGone(): void
  /** calls back once if the caller disconnects */
  onGone(callBack: () => void): void
}

export interface LongPolls {
  /** Returns the first result that is not empty, or the empty one once the time is over or the server stops. */
  answer<Output>(poll: LongPoll<Output>): Promise<Output>
}

/** Wakes up one waiting request. A call while the request reads counts for its next wait. */
class Alarm {
  #isSet = false
  #wake: () => void = () => {}

  set = (): void => {
    this.#isSet = true
    this.#wake()
  }

  /** Resolves after `set`, or after `ms`. */
  async next(ms: number): Promise<void> {
    if (!this.#isSet && ms > 0) {
      const woken = Promise.withResolvers<void>()
      this.#wake = woken.resolve
      const timer = setTimeout(woken.resolve, ms)
      await woken.promise
      clearTimeout(timer)
    }
    this.#isSet = false
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function createLongPolls(
  server: FastifyInstance,
  runtime: Runtime,
  { most, mostOfOrganisation, restMs }: LongPollBounds = usualLongPollBounds,
): LongPolls {
  const liveEvents = createLiveEvents(runtime)
  const waiting = new Map<string, Set<Alarm>>()
  let inAll = 0
  let isClosing = false

  // Answered before the server waits for its requests.
  server.addHook('preClose', async () => {
    isClosing = true
    for (const alarms of waiting.values()) for (const alarm of alarms) alarm.set()
    await liveEvents.stop()
  })

  function enter(organisationId: OrganisationId, alarm: Alarm): void {
    const own = waiting.get(organisationId) ?? new Set()
    if (inAll >= most || own.size >= mostOfOrganisation)
      throw refuse('limit.exceeded', {
        retryAfterSeconds: 5,
        message: `Too many requests wait for events: at most ${mostOfOrganisation} of one organisation may. Ask without \`wait\`, or try again later.`,
      })
    waiting.set(organisationId, own.add(alarm))
    inAll++
  }

  function leave(organisationId: OrganisationId, alarm: Alarm): void {
    const own = waiting.get(organisationId)
    if (!own?.delete(alarm)) return
    inAll--
    if (own.size === 0) waiting.delete(organisationId)
  }

  return {
    async answer({ organisationId, waitMs, read, isEmpty, concerns, stopIfGone, onGone }) {
      const until = performance.now() + waitMs
      const first = await read()
      if (waitMs === 0 || isClosing || !isEmpty(first)) return first
      const alarm = new Alarm()
      enter(organisationId, alarm)
      onGone(alarm.set)
      const listener = liveEvents.listen(organisationId, (events) => {
        if (events?.some(concerns) ?? true) alarm.set()
      })
      listener.begun.then(alarm.set)
      try {
        let latest = first
        // The first round ends once no later event can be missed, and reads what happened until then.
        while (!isClosing && performance.now() < until && isEmpty(latest)) {
          await alarm.next(until - performance.now())
          stopIfGone()
          latest = await read()
          if (isEmpty(latest)) await pause(Math.min(restMs, Math.max(0, until - performance.now())))
        }
        return latest
      } finally {
        listener.end()
        leave(organisationId, alarm)
      }
    },
  }
}
