import { isUniqueViolation, type Tx } from '../../platform/database/database.ts'
import { plainArray, type Sql, sql, textsOf } from '../../platform/database/sql.ts'
import { releaseSavepoint, returnToSavepoint, setSavepoint } from '../../platform/operations/savepoints.store.ts'
import type { DeliveryId } from './delivery.ts'
import type { Batch, NewPiece, Piece } from './sending.store.ts'

interface Refs extends Pick<Piece, 'organisationId' | 'mode'> {
  readonly ids: DeliveryId[]
}

/** Ids of the deliveries by tenant. Deliveries of one tenant mostly follow each other and join the last entry. */
function refsOf(pieces: readonly Piece[]): Refs[] {
  const refs = new Map<string, Refs>()
  let last: Refs | undefined
  for (const { organisationId, mode, id } of pieces) {
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
interface Telling extends Pick<NewPiece, 'organisationId' | 'mode' | 'eventId' | 'type' | 'body' | 'createdAt'> {
  readonly first: number
  last: number
}

/** Deliveries grouped by payload, with indexes from 1 as in SQL. */
function tellingsOf(pieces: readonly NewPiece[]): Telling[] {
  const tellings: Telling[] = []
  pieces.forEach((piece, at) => {
    const { organisationId, mode, eventId, type, body, createdAt } = piece
    const known = tellings.at(-1)
    if (known && known.eventId === eventId && known.mode === mode && known.body === body) known.last = at + 1
    else tellings.push({ organisationId, mode, eventId, type, body, createdAt, first: at + 1, last: at + 1 })
  })
  return tellings
}

/** From this number on a savepoint pays. */
const many = 100

const unlessTold = sql`on conflict do nothing`
const anyway = sql``

/**
 * Writes deliveries of many organisations in one statement: those for this process as begun, with one row for the
 * batch, the rest to the queue. Existing deliveries stay untouched. Returns the new ones. A delivery almost never
 * exists already, and checking each costs a fifth of writing it. So many are written without the check; on a conflict
 * the savepoint is rolled back and each is checked.
 */
export async function insertDeliveries(tx: Tx, pieces: readonly NewPiece[], batch: Batch): Promise<NewPiece[]> {
  if (pieces.length < many) return await insertPieces(tx, pieces, batch, unlessTold)
  await setSavepoint(tx)
  try {
    const made = await insertPieces(tx, pieces, batch, anyway)
    await releaseSavepoint(tx)
    return made
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await returnToSavepoint(tx)
    return await insertPieces(tx, pieces, batch, unlessTold)
  }
}

async function insertPieces(tx: Tx, pieces: readonly NewPiece[], batch: Batch, how: Sql): Promise<NewPiece[]> {
  const refs = refsOf(pieces.filter(({ isTaken }) => isTaken))
  const tellings = tellingsOf(pieces)
  const each = (read: (telling: Telling) => string | number): string => plainArray(tellings.map(read))
  const { known } = await tx.one<{ known: string[] | null }>(sql`
    with given as materialized (
      select ${plainArray(pieces.map(({ id }) => id))}::uuid[] as ids, ${plainArray(pieces.map(({ endpointId }) => endpointId))}::uuid[] as endpoints,
             ${plainArray(pieces.map(({ isTaken }) => isTaken))}::boolean[] as taken),
    pieces as (
      select o, m, unnest(ids[f:l]) as i, unnest(endpoints[f:l]) as e, v, t, b, unnest(taken[f:l]) as k, c
        from given cross join unnest(
               ${each(({ organisationId }) => organisationId)}::uuid[], ${each(({ mode }) => mode)}::text[],
               ${each(({ eventId }) => eventId)}::uuid[], ${each(({ type }) => type)}::text[],
               ${each(({ createdAt }) => createdAt.toISOString())}::timestamptz[], ${each(({ first }) => first)}::int[], ${each(({ last }) => last)}::int[],
               ${textsOf(tellings.map(({ body }) => body))}) as r (o, m, v, t, c, f, l, b)),
    told as (
      insert into webhook_deliveries (organisation_id, mode, id, endpoint_id, event_id, type, body, status, attempts, begun_at, next_attempt_at, created_at)
      select o, m, i, e, v, t, b, case when k then 'delivering' else 'pending' end, case when k then 1 else 0 end, case when k then now() end,
             case when not k then now() end, c
        from pieces
      ${how}
      returning organisation_id, mode, id, endpoint_id, status),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select id, organisation_id, mode, endpoint_id, now() from told where status = 'pending'),
    batched as (
      insert into webhook_batches (id, taken_by, due_at, deliveries)
      select ${batch.id}, ${batch.taker}, now() + ${batch.leaseMs} * interval '1 millisecond', ${JSON.stringify(refs)}::jsonb
       where ${refs.length}::int > 0)
    select case when (select count(*) from told) < ${pieces.length}::int
                then (select array_agg(i::text) from given cross join unnest(ids) as i where i not in (select id from told)) end as known`)
  if (known === null) return [...pieces]
  const before = new Set(known)
  return pieces.filter(({ id }) => !before.has(id))
}
