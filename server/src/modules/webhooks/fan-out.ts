import { randomUUID } from 'node:crypto'
import type { SystemCaller } from '../../kernel/callers.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Consumer, ReadEvent } from '../../platform/events/consumer.ts'
import type { OutgoingEvent } from '../../platform/events/event-feed.store.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { bodyAsRead } from './body-for.ts'
import { accountIn, callbacksOf } from './callbacks.ts'
import { subscribableTypes } from './catalogue.ts'
import { deliveryIdOf } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { listListening } from './endpoints.store.ts'
import { Hearings } from './hearing.ts'
import { insertDeliveries } from './new-deliveries.store.ts'
import type { Sender } from './sender.ts'
import type { NewPiece, Target } from './sending.store.ts'

const reaches = (eventMode: Mode | null, { mode }: Target): boolean => eventMode === null || eventMode === mode

const targetOf = (endpoint: Endpoint): Target => ({
  organisationId: endpoint.organisationId,
  mode: endpoint.mode,
  endpointId: endpoint.id,
  dialect: endpoint.dialect,
  url: endpoint.url,
  plan: endpoint.plan,
  sealedSecret: endpoint.sealedSecret,
  sealedPreviousSecret: endpoint.sealedPreviousSecret,
  previousSecretUntil: endpoint.previousSecretUntil,
})

const told = (event: ReadEvent): OutgoingEvent => ({
  organisationId: event.organisationId,
  id: event.eventId,
  type: event.type,
  version: event.version,
  mode: event.mode,
  objectVersion: event.objectVersion,
  data: event.data,
  createdAt: event.createdAt,
})

/**
 * Creates one delivery per event and subscribed endpoint, with the final bytes. Deliveries that this process can send
 * at once are written as begun and handed over after the commit; the rest goes to the queue.
 */
export function fanOut(sender: Sender): Consumer {
  const hearings = new Hearings()
  let taken: { readonly batchId: string; readonly pieces: readonly NewPiece[] } | undefined

  async function take({ tx, ports }: Inside<SystemCaller>, events: readonly ReadEvent[]): Promise<void> {
    taken = undefined
    const endpoints = await listListening(tx, [...new Set(events.map(({ organisationId }) => organisationId))])
    if (endpoints.length === 0) return
    const dialects = ports.webhookDialects
    // Grouped by equal payload, so that each payload travels to the database once.
    const listeners = endpoints
      .map((endpoint) => ({
        target: targetOf(endpoint),
        isCallback: endpoint.isCallback,
        ...hearings.of(endpoint, dialects),
      }))
      .sort((one, other) => (one.voice < other.voice ? -1 : Number(one.voice > other.voice)))
    const byOrganisation = Map.groupBy(listeners, ({ target }) => target.organisationId)
    const wanted = events.flatMap((event) => {
      const hearing = (byOrganisation.get(event.organisationId) ?? []).filter(
        ({ target, types }) => reaches(event.mode, target) && types.has(event.type),
      )
      return hearing.length === 0 ? [] : [{ event: told(event), hearing }]
    })
    if (wanted.length === 0) return
    const hasCallbacks = listeners.some(({ isCallback }) => isCallback)
    const callbacks = await callbacksOf(tx, hasCallbacks ? wanted.map(({ event }) => event) : [])
    /** An event of an account with a callback goes to the callback alone. */
    const hears = (event: OutgoingEvent, all: readonly (typeof listeners)[number][]) => {
      const own = callbacks.get(accountIn(event) ?? '')
      const overriding = all.filter(({ target }) => target.endpointId === own)
      return overriding.length > 0 ? overriding : all.filter(({ isCallback }) => !isCallback)
    }
    const room = sender.roomNow()
    const pieces = wanted.flatMap(({ event, hearing }) => {
      const bodies = new Map<string, string>()
      const bodyTo = ({ target, held, voice }: (typeof listeners)[number]): string => {
        const body = bodies.get(voice) ?? bodyAsRead(dialects[target.dialect], target.mode, held, event)
        bodies.set(voice, body)
        return body
      }
      return hears(event, hearing).map(
        (listener): NewPiece => ({
          ...listener.target,
          id: deliveryIdOf(event.id, listener.target.endpointId),
          eventId: event.id,
          type: event.type,
          body: bodyTo(listener),
          isTest: false,
          isManual: false,
          attempt: 1,
          failed: 0,
          isTaken: room.takes(listener.target),
          createdAt: event.createdAt,
        }),
      )
    })
    if (pieces.length === 0) return
    const batchId = randomUUID()
    const made = await insertDeliveries(tx, pieces, { id: batchId, ...sender.lease })
    taken = { batchId, pieces: made.filter(({ isTaken }) => isTaken) }
  }

  return {
    name: 'webhooks',
    on: subscribableTypes,
    pool: 'webhooks',
    startsAt: 'now',
    batchSize: 200,
    restMs: 2,
    take,
    settle: () => sender.settle(),
    committed() {
      if (taken) sender.accept(taken.batchId, taken.pieces)
      taken = undefined
    },
  }
}
