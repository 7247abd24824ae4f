import type { SystemCaller } from '../../../kernel/callers.ts'
import { listFeedAfter, type OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { cursorOf, feedBeginning, positionFrom } from '../catalogue/feed.ts'
import { typesDelivered } from '../catalogue/patterns.ts'
import { accountIn, receives } from '../endpoints/endpoint.ts'
import { findEndpoint, listCallbacks, listSubscribed } from '../endpoints/endpoints.store.ts'
import { type ReplayMissedPayload, replayMissedJob } from '../endpoints/replay-missed-job.ts'
import { deliveryIdOf, payloadFor } from './delivery.ts'
import { insertMissed, reopenStopped } from './replay.store.ts'

const atATime = 200

/**
 * Events reach endpoints a while after they happened. Some that happened before the endpoint was disabled were still on
 * their way. So the search starts a little earlier; existing deliveries are skipped.
 */
const fannedOutWithinMs = 5 * 60_000

/** Sends the missed events in steps. */
export const replayMissed = operation(
  { time: 'real', needs: [], refuses: [] },
  async (context: Inside<SystemCaller>, missed: ReplayMissedPayload): Promise<void> => {
    const { tx, now, ports, enqueue, wake } = context
    const { organisationId, mode, endpointId, from, after } = missed
    const endpoint = await findEndpoint(tx, { organisationId, mode }, endpointId)
    if (!endpoint || endpoint.deletedAt || endpoint.disabledAt) return
    const format = ports.webhookFormats.of(endpoint.format)
    const filter = {
      types: [...typesDelivered(endpoint, format)],
      from: new Date(
        Math.max(Date.parse(from) - fannedOutWithinMs, endpoint.createdAt.getTime(), feedBeginning(now).getTime()),
      ),
    }
    // First the deliveries that waited when the endpoint was disabled, then the events since. The newest of those may
    // have been delivered.
    if (after === undefined && (await reopenStopped(tx, endpoint, endpointId, new Date(from), atATime)) === atATime) {
      wake('webhooks')
      enqueue(replayMissedJob, missed)
      return
    }
    const { rows } = await listFeedAfter(tx, endpoint, filter, positionFrom(after), { page: 1, limit: atATime })
    const callbacks = await listCallbacks(tx, rows)
    const subscribed = new Set(
      callbacks.size === 0 ? [] : (await listSubscribed(tx, [organisationId])).map(({ id }) => id),
    )
    const isMissed = (event: OutgoingEvent) => {
      const callback = callbacks.get(accountIn(event) ?? '')
      return receives(endpoint, callback !== undefined && subscribed.has(callback) ? callback : undefined)
    }
    await insertMissed(
      tx,
      endpoint,
      endpointId,
      rows.filter(isMissed).map((event) => ({
        id: deliveryIdOf(event.id, endpointId),
        eventId: event.id,
        type: event.type,
        body: payloadFor(endpoint, format, event),
        createdAt: event.createdAt,
      })),
    )
    wake('webhooks')
    const last = rows.at(-1)
    if (last && rows.length === atATime) enqueue(replayMissedJob, { ...missed, after: cursorOf(last) })
  },
)
