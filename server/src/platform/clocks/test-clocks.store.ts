import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { TestClock } from './business-time.ts'

interface ClockRow {
  readonly organisationId: OrganisationId
  readonly offsetMs: bigint
  readonly reachedAt: Date
  readonly nextOffsetMs: bigint | null
  readonly nextReachedAt: Date | null
  readonly nextFrom: Date | null
  readonly moment: Date | null
}

const columns = sql`organisation_id, offset_ms, reached_at, next_offset_ms, next_reached_at, next_from, moment`

const nextOf = ({ nextOffsetMs, nextReachedAt, nextFrom }: ClockRow): TestClock['next'] =>
  nextOffsetMs === null || nextReachedAt === null || nextFrom === null
    ? undefined
    : { ms: Number(nextOffsetMs), reachedAt: nextReachedAt, from: nextFrom }

const clockOf = (row: ClockRow): TestClock => ({
  offset: { ms: Number(row.offsetMs), reachedAt: row.reachedAt },
  next: nextOf(row),
  moment: row.moment ?? undefined,
})

export async function findTestClock(db: Queryable, organisationId: OrganisationId): Promise<TestClock | undefined> {
  const row = await db.maybe<ClockRow>(
    sql`select ${columns} from test_clocks where organisation_id = ${organisationId}`,
  )
  return row && clockOf(row)
}

/** Locks the clock, so that only one transaction begins, continues or ends a move. */
export async function lockTestClock(tx: Tx, organisationId: OrganisationId): Promise<TestClock | undefined> {
  const row = await tx.maybe<ClockRow>(
    sql`select ${columns} from test_clocks where organisation_id = ${organisationId} for no key update`,
  )
  return row && clockOf(row)
}

export async function saveTestClock(
  tx: Tx,
  organisationId: OrganisationId,
  { offset, next, moment }: TestClock,
): Promise<void> {
  await tx.run(sql`
    insert into test_clocks (${columns})
    values (${organisationId}, ${offset.ms}, ${offset.reachedAt}, ${next?.ms ?? null}, ${next?.reachedAt ?? null}, ${next?.from ?? null}, ${moment ?? null})
    on conflict (organisation_id) do update
      set offset_ms = excluded.offset_ms, reached_at = excluded.reached_at, next_offset_ms = excluded.next_offset_ms,
          next_reached_at = excluded.next_reached_at, next_from = excluded.next_from, moment = excluded.moment`)
}

/** A page of organisations whose sandbox has a test clock and no move under way. */
export function listRestingClocks(
  db: Queryable,
  after: OrganisationId,
  limit: number,
): Promise<{ readonly organisationId: OrganisationId }[]> {
  return db.rows(sql`
    select organisation_id from test_clocks where moment is null and organisation_id > ${after} order by organisation_id limit ${limit}`)
}

/** The change of tokens' subjects by which other nodes forget a clock. */
const prefix = 'clock:'
export const clockSubject = (organisationId: OrganisationId): string => `${prefix}${organisationId}`
export const organisationOf = (subject: string): OrganisationId | undefined =>
  subject.startsWith(prefix) ? (subject.slice(prefix.length) as OrganisationId) : undefined
