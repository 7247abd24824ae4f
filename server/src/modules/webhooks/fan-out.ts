import { randomUUID } from 'node:crypto'
import type { SystemCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Consumer } from '../../platform/events/consumer.ts'
import { type EventToTell, listEventsById } from '../../platform/events/told-events.store.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { bodyAsRead } from './body-for.ts'
import { accountIn, callbacksOf } from './callbacks.ts'
import { subscribableTypes } from './catalogue.ts'
import { deliveryIdOf } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { listListening } from './endpoints.store.ts'
import { Hearings } from './hearing.ts'
import type { Sender } from './sender.ts'
import { insertDeliveries, type NewPiece, type Target } from './sending.store.ts'

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

/**
 * Makes deliveries of events: one for each endpoint that wants it, with the bytes that will be sent. Those that the sender of this
 * process has room for are written as begun, and handed to it once that has committed; the rest waits in the queue.
 */
export function fanOut(sender: Sender): Consumer {
  const hearings = new Hearings()
  let taken: { readonly batchId: string; readonly pieces: readonly NewPiece[] } | undefined

  async function take({ tx, ports }: Inside<SystemCaller>, events: readonly EventNotice[]): Promise<void> {
    taken = undefined
    const endpoints = await listListening(tx, [...new Set(events.map(({ organisationId }) => organisationId))])
    if (endpoints.length === 0) return
    const dialects = ports.webhookDialects
    const listeners = endpoints.map((endpoint) => ({
      target: targetOf(endpoint),
      isCallback: endpoint.isCallback,
      ...hearings.of(endpoint, dialects),
    }))
    const byOrganisation = Map.groupBy(listeners, ({ target }) => target.organisationId)
    const wanted = events.flatMap(({ eventId, organisationId, type, mode }) => {
      const hearing = (byOrganisation.get(organisationId) ?? []).filter(
        ({ target, types }) => reaches(mode, target) && types.has(type),
      )
      return hearing.length === 0 ? [] : [{ organisationId, id: eventId, hearing }]
    })
    if (wanted.length === 0) return
    const told = new Map((await listEventsById(tx, wanted)).map((event) => [event.id, event]))
    const hasCallbacks = listeners.some(({ isCallback }) => isCallback)
    const callbacks = await callbacksOf(tx, hasCallbacks ? [...told.values()] : [])
    /** What happens to an account with an address of its own is told there, and not to those who hear of all accounts. */
    const hears = (event: EventToTell, all: readonly (typeof listeners)[number][]) => {
      const own = callbacks.get(accountIn(event) ?? '')
      const overriding = all.filter(({ target }) => target.endpointId === own)
      return overriding.length > 0 ? overriding : all.filter(({ isCallback }) => !isCallback)
    }
    const room = sender.roomNow()
    const pieces = wanted.flatMap(({ id, hearing: all }) => {
      const event = told.get(id)
      if (!event) return []
      const hearing = hears(event, all)
      const bodies = new Map<string, string>()
      const bodyTo = ({ target, held, voice }: (typeof hearing)[number]): string => {
        const body = bodies.get(voice) ?? bodyAsRead(dialects[target.dialect], target.mode, held, event)
        bodies.set(voice, body)
        return body
      }
      return hearing.map(
        (listener): NewPiece => ({
          ...listener.target,
          id: deliveryIdOf(id, listener.target.endpointId),
          eventId: id,
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
    const batchId = randomUUID()
    const isNew = await insertDeliveries(tx, pieces, { id: batchId, ...sender.lease })
    taken = { batchId, pieces: pieces.filter(({ id, isTaken }) => isTaken && isNew.has(id)) }
  }

  return {
    name: 'webhooks',
    on: subscribableTypes,
    startsAt: 'now',
    batchSize: 400,
    restMs: 2,
    take,
    settle: () => sender.settle(),
    committed() {
      if (taken) sender.accept(taken.batchId, taken.pieces)
      taken = undefined
    },
  }
}
