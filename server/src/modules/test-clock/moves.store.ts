import type { OrganisationId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Actor } from '../../platform/events/actors.ts'
import type { Move, MoveId, MoveStatus } from './move.ts'

const columns = sql`id, status, from_at, to_at, reached_at, steps, happened, created_at, ended_at`

/** Returns false if a move of the organisation is under way. It returns the row, because Citus counts rows that were selected, also after a conflict. */
export async function insertMove(
  tx: Tx,
  organisationId: OrganisationId,
  move: Pick<Move, 'id' | 'fromAt' | 'toAt'>,
  movedBy: Actor,
  realNow: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into test_clock_moves (organisation_id, id, status, from_at, to_at, reached_at, steps, happened, counted_to, moved_by, created_at, updated_at)
    select ${organisationId}, ${move.id}, 'advancing', ${move.fromAt}, ${move.toAt}, ${move.fromAt}, 0, '{}',
           coalesce((select position from event_heads where organisation_id = ${organisationId}), 0), ${JSON.stringify(movedBy)}::jsonb, ${realNow}, ${realNow}
    on conflict (organisation_id) where status = 'advancing' do nothing returning id`)
  return inserted === 1
}

export const findMove = (db: Queryable, organisationId: OrganisationId, id: MoveId): Promise<Move | undefined> =>
  db.maybe(sql`select ${columns} from test_clock_moves where organisation_id = ${organisationId} and id = ${id}`)

/** The move under way, or else the last one. */
export const findLatestMove = (db: Queryable, organisationId: OrganisationId): Promise<Move | undefined> =>
  db.maybe(
    sql`select ${columns} from test_clock_moves where organisation_id = ${organisationId} order by id desc limit 1`,
  )

export const lockMove = (tx: Tx, organisationId: OrganisationId, id: MoveId): Promise<Move | undefined> =>
  tx.maybe(
    sql`select ${columns} from test_clock_moves where organisation_id = ${organisationId} and id = ${id} for no key update`,
  )

export async function listMoves(db: Queryable, organisationId: OrganisationId, page: PageRequest): Promise<Page<Move>> {
  const matching = sql`organisation_id = ${organisationId}`
  const tables = sql`test_clock_moves`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  return await readPage<Move>(db, { columns, tables, matching, order: newestIdFirst(sql`id`), total }, page)
}

/** Saves how far a move has come, and counts the events of the sandbox since the last time. */
export async function saveReached(
  tx: Tx,
  organisationId: OrganisationId,
  id: MoveId,
  reached: { readonly at: Date; readonly isStep: boolean; readonly status: MoveStatus },
  realNow: Date,
): Promise<void> {
  const { at, isStep, status } = reached
  await tx.run(sql`
    with head as (select coalesce((select position from event_heads where organisation_id = ${organisationId}), 0) as position),
    news as (
      select e.type, count(*) as n from test_clock_moves m cross join head
        join events e on e.organisation_id = m.organisation_id and e.position > m.counted_to and e.position <= head.position
       where m.organisation_id = ${organisationId} and m.id = ${id} and e.mode = 'sandbox' and e.type not like 'test\\_clock.%'
       group by e.type),
    counted as (
      select coalesce(jsonb_object_agg(type, n), '{}') as happened from (
        select type, sum(n) as n from (
          select type, n from news
          union all
          select known.key, known.value::bigint from test_clock_moves m cross join jsonb_each_text(m.happened) as known
           where m.organisation_id = ${organisationId} and m.id = ${id}) as each group by type) as summed)
    update test_clock_moves m
       set reached_at = ${at}, steps = steps + ${isStep ? 1 : 0}, status = ${status}, happened = counted.happened, counted_to = head.position,
           updated_at = ${realNow}, ended_at = case when ${status} = 'advancing' then null else ${realNow}::timestamptz end
      from counted, head
     where m.organisation_id = ${organisationId} and m.id = ${id}`)
}

/** Moves that made no step for long. Perhaps their job was lost or given up. */
export function listForgottenMoves(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ readonly organisationId: OrganisationId; readonly id: MoveId }[]> {
  return db.rows(sql`
    select organisation_id, id from test_clock_moves where status = 'advancing' and updated_at < ${before} order by updated_at limit ${limit}`)
}

/** Deletes moves that ended long ago. */
export function purgeMoves(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from test_clock_moves where (organisation_id, id) in (
      select organisation_id, id from test_clock_moves where ended_at < ${before} order by ended_at limit ${limit})`)
}
