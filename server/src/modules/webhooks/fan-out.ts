import { randomUUID } from 'node:crypto'
import type { SystemCaller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Consumer } from '../../platform/events/consumer.ts'
import { listEventsById } from '../../platform/events/told-events.store.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { EventNotice } from '../../platform/work/jobs.ts'
import { bodyFor } from './body-for.ts'
import { subscribableTypes } from './catalogue.ts'
import { deliveryIdOf } from './delivery.ts'
import type { Dialects } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'
import { listListening } from './endpoints.store.ts'
import { typesDelivered } from './patterns.ts'
import type { Sender } from './sender.ts'
import { insertDeliveries, type NewPiece, type Target } from './sending.store.ts'

/** Most endpoints are asked about with every batch and change seldom. */
const known = new Map<string, ReadonlySet<EventType>>()
const mostKnown = 5_000

function typesFor(endpoint: Endpoint, dialects: Dialects): ReadonlySet<EventType> {
  const key = `${endpoint.id} ${endpoint.updatedAt.getTime()} ${endpoint.patterns.join()} ${endpoint.capabilities.join()}`
  let types = known.get(key)
  if (!types) {
    if (known.size >= mostKnown) known.clear()
    types = typesDelivered(endpoint, dialects[endpoint.dialect])
    known.set(key, types)
  }
  return types
}

const reaches = (eventMode: Mode | null, endpoint: Endpoint): boolean =>
  eventMode === null || eventMode === endpoint.mode

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
  let taken: { readonly batchId: string; readonly pieces: readonly NewPiece[] } | undefined

  async function take({ tx, ports }: Inside<SystemCaller>, events: readonly EventNotice[]): Promise<void> {
    taken = undefined
    const endpoints = await listListening(tx, [...new Set(events.map(({ organisationId }) => organisationId))])
    if (endpoints.length === 0) return
    const dialects = ports.webhookDialects
    const byOrganisation = Map.groupBy(endpoints, ({ organisationId }) => organisationId)
    const wanted = events.flatMap(({ eventId, organisationId, type, mode }) => {
      const listeners = (byOrganisation.get(organisationId) ?? []).filter(
        (endpoint) => reaches(mode, endpoint) && typesFor(endpoint, dialects).has(type),
      )
      return listeners.length === 0 ? [] : [{ organisationId, id: eventId, listeners }]
    })
    if (wanted.length === 0) return
    const told = new Map((await listEventsById(tx, wanted)).map((event) => [event.id, event]))
    const room = sender.roomNow()
    const pieces = wanted.flatMap(({ id, listeners }) => {
      const event = told.get(id)
      if (!event) return []
      return listeners.map(
        (endpoint): NewPiece => ({
          ...targetOf(endpoint),
          id: deliveryIdOf(id, endpoint.id),
          eventId: id,
          type: event.type,
          body: bodyFor(endpoint, dialects[endpoint.dialect], event),
          isTest: false,
          isManual: false,
          attempt: 1,
          failed: 0,
          isTaken: room.takes(endpoint.id),
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
