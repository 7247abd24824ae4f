import type { Queryable } from '../../../platform/database/database.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { EndpointId } from './endpoint.ts'
import { listCallbacks } from './endpoints.store.ts'

/** Account that an event belongs to. `undefined` if it belongs to none. */
export function accountIn({ type, data }: Pick<OutgoingEvent, 'type' | 'data'>): string | undefined {
  const { accountId } = data as { accountId?: unknown }
  return type.startsWith('collection.') && typeof accountId === 'string' ? accountId : undefined
}

/** Callback endpoints by account, for events of accounts that have one. */
export const callbacksOf = (db: Queryable, events: readonly OutgoingEvent[]): Promise<Map<string, EndpointId>> =>
  listCallbacks(
    db,
    events.flatMap((event) => {
      const accountId = accountIn(event)
      return accountId === undefined ? [] : [{ organisationId: event.organisationId, accountId }]
    }),
  )
