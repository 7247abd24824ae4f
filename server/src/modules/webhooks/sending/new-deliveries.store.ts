import { isUniqueViolation, type Tx } from '../../../platform/database/database.ts'
import { plainArray, type Sql, sql, textsOf } from '../../../platform/database/sql.ts'
import { inSavepoint } from '../../../platform/operations/savepoints.store.ts'
import type { DeliveryId } from '../deliveries/delivery.ts'
import type { Batch, NewDelivery, OutgoingDelivery } from './dispatch.store.ts'

interface Refs extends Pick<OutgoingDelivery, 'organisationId' | 'mode'> {
  readonly ids: DeliveryId[]
}

/** Ids of the deliveries by tenant. Deliveries of one tenant mostly follow each other and join the last entry. */
function refsOf(deliveries: readonly OutgoingDelivery[]): Refs[] {
  const refs = new Map<string, Refs>()
  let last: Refs | undefined
  for (const { organisationId, mode, id } of deliveries) {
    if (last?.organisationId !== organisationId || last.mode !== mode) {
      const key = `${organisationId} ${mode}`
      last = refs.get(key) ?? { organisationId, mode, ids: [] }
      refs.set(key, last)
    }
    last.ids.push(id)
  }
  return [...refs.values()]
}

/** A payload that several endpoints receive. It travels once, with the indexes of its deliveries. */
interface SharedPayload
  extends Pick<NewDelivery, 'organisationId' | 'mode' | 'eventId' | 'type' | 'body' | 'createdAt'> {
  readonly first: number
  last: number
}

/** Deliveries grouped by payload, with indexes from 1 as in SQL. */
function sharedPayloadsOf(deliveries: readonly NewDelivery[]): SharedPayload[] {
  const payloads: SharedPayload[] = []
  deliveries.forEach((delivery, at) => {
    const { organisationId, mode, eventId, type, body, createdAt } = delivery
    const known = payloads.at(-1)
    if (known && known.eventId === eventId && known.mode === mode && known.body === body) known.last = at + 1
    else payloads.push({ organisationId, mode, eventId, type, body, createdAt, first: at + 1, last: at + 1 })
  })
  return payloads
}

/** From this number on a savepoint pays. */
const many = 100

const unlessKnown = sql`on conflict do nothing`
const anyway = sql``

/**
 * Writes deliveries of many organisations in one statement: those for this process as begun, with one row for the
 * batch, the rest to the queue. Existing deliveries stay untouched. Returns the new ones. A delivery almost never
 * exists already, and checking each costs a fifth of writing it. So many are written without the check; on a conflict
 * the savepoint is rolled back and each is checked.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  batch: Batch,
): Promise<NewDelivery[]> {
  if (deliveries.length < many) return await insertOutgoing(tx, deliveries, batch, unlessKnown)
  try {
    return await inSavepoint(tx, () => insertOutgoing(tx, deliveries, batch, anyway))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return await insertOutgoing(tx, deliveries, batch, unlessKnown)
  }
}

async function insertOutgoing(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  batch: Batch,
  how: Sql,
): Promise<NewDelivery[]> {
  const refs = refsOf(deliveries.filter(({ isTaken }) => isTaken))
  const payloads = sharedPayloadsOf(deliveries)
  const each = (read: (payload: SharedPayload) => string | number): string => plainArray(payloads.map(read))
  const { known } = await tx.one<{ known: string[] | null }>(sql`
    with given as materialized (
      select ${plainArray(deliveries.map(({ id }) => id))}::uuid[] as ids, ${plainArray(deliveries.map(({ endpointId }) => endpointId))}::uuid[] as endpoints,
             ${plainArray(deliveries.map(({ isTaken }) => isTaken))}::boolean[] as taken),
    pieces as (
      select o, m, unnest(ids[f:l]) as i, unnest(endpoints[f:l]) as e, v, t, b, unnest(taken[f:l]) as k, c
        from given cross join unnest(
               ${each(({ organisationId }) => organisationId)}::uuid[], ${each(({ mode }) => mode)}::text[],
               ${each(({ eventId }) => eventId)}::uuid[], ${each(({ type }) => type)}::text[],
               ${each(({ createdAt }) => createdAt.toISOString())}::timestamptz[], ${each(({ first }) => first)}::int[], ${each(({ last }) => last)}::int[],
               ${textsOf(payloads.map(({ body }) => body))}) as r (o, m, v, t, c, f, l, b)),
    inserted as (
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, attempts, begun_at, next_attempt_at, created_at)
      select o, m, i, e, v, t, b, case when k then 'delivering' else 'pending' end, case when k then 1 else 0 end, case when k then now() end,
             case when not k then now() end, c
        from pieces
      ${how}
      returning organisation_id, mode, id, endpoint_id, status),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select id, organisation_id, mode, endpoint_id, now() from inserted where status = 'pending'),
    batched as (
      insert into webhook_batches (id, taken_by, due_at, deliveries)
      select ${batch.id}, ${batch.taker}, now() + ${batch.leaseMs} * interval '1 millisecond', ${JSON.stringify(refs)}::jsonb
       where ${refs.length}::int > 0)
    select case when (select count(*) from inserted) < ${deliveries.length}::int
                then (select array_agg(i::text) from given cross join unnest(ids) as i where i not in (select id from inserted)) end as known`)
  if (known === null) return [...deliveries]
  const before = new Set(known)
  return deliveries.filter(({ id }) => !before.has(id))
}
