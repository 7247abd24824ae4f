import type { Capability } from '../../kernel/capabilities.ts'
import type { OrganisationId, ProgramId, SessionId, UserId } from '../../kernel/ids.ts'
import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { findOwned } from '../../platform/database/their-shards.store.ts'
import { capabilitiesWith, type RoleColumns, roleFrom } from '../organisations/index.ts'
import type { ConnectedProgram, SpendingLimits, Spent } from './program.ts'

const columns = sql`
  p.id, p.user_id, p.organisation_id, p.mode, p.client_id, p.name, p.host, p.resource, p.capabilities, p.most_per_change, p.most_per_day, p.currency,
  p.most_changes_per_day, p.created_at, p.last_used_at, p.expires_at`

/** A program works only while the person is a member, without a break since it was connected. */
const withMembership = sql`
  join memberships m on m.organisation_id = p.organisation_id and m.user_id = p.user_id and m.joined_at = p.member_since`
const isLive = (now: Date): Sql => sql`p.ended_at is null and p.expires_at > ${now}`

/** Returns false if the person is no active member of the organisation. */
export async function insertProgram(tx: Tx, program: ConnectedProgram): Promise<boolean> {
  const { id, userId, organisationId, mode, clientId, name, host, resource, capabilities } = program
  const { mostPerChange, mostPerDay, currency, mostChangesPerDay, createdAt, expiresAt } = program
  const inserted = await tx.run(sql`
    insert into connected_programs (id, user_id, organisation_id, mode, member_since, client_id, name, host, resource, capabilities, most_per_change,
                                    most_per_day, currency, most_changes_per_day, created_at, expires_at)
    select ${id}, m.user_id, m.organisation_id, ${mode}, m.joined_at, ${clientId}, ${name}, ${host}, ${resource}, ${capabilities}::text[],
           ${mostPerChange}::bigint, ${mostPerDay}::bigint, ${currency}, ${mostChangesPerDay}::int, ${createdAt}, ${expiresAt}
      from memberships m where m.organisation_id = ${organisationId} and m.user_id = ${userId} and m.status = 'active'`)
  return inserted === 1
}

/** Whether a session still lives: for up to a second, a node may not know that it was ended elsewhere. */
export async function isSessionLive(tx: Tx, id: SessionId, now: Date): Promise<boolean> {
  const found = await tx.maybe(
    sql`select 1 from sessions where id = ${id} and ended_at is null and expires_at > ${now}`,
  )
  return found !== undefined
}

export async function countLivePrograms(tx: Tx, userId: UserId, now: Date): Promise<number> {
  const { live } = await tx.one<{ live: number }>(
    sql`select count(*)::int as live from connected_programs p where p.user_id = ${userId} and ${isLive(now)}`,
  )
  return live
}

export function lockLiveProgram(tx: Tx, id: ProgramId, now: Date): Promise<ConnectedProgram | undefined> {
  return tx.maybe(
    sql`select ${columns} from connected_programs p where p.id = ${id} and ${isLive(now)} for no key update`,
  )
}

/** All working programs of a person. */
export function lockLiveProgramsOf(tx: Tx, userId: UserId, now: Date): Promise<ConnectedProgram[]> {
  return tx.rows(sql`
    select ${columns} from connected_programs p where p.user_id = ${userId} and ${isLive(now)} order by p.id for no key update`)
}

export async function saveEnded(tx: Tx, id: ProgramId, now: Date): Promise<void> {
  await tx.run(sql`update connected_programs set ended_at = ${now} where id = ${id}`)
}

export async function saveTokenTaken(tx: Tx, id: ProgramId, now: Date, expiresAt: Date): Promise<void> {
  await tx.run(sql`update connected_programs set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${id}`)
}

export async function saveRights(
  tx: Tx,
  id: ProgramId,
  {
    capabilities,
    mostPerChange,
    mostPerDay,
    currency,
    mostChangesPerDay,
  }: SpendingLimits & Pick<ConnectedProgram, 'capabilities'>,
): Promise<void> {
  await tx.run(sql`
    update connected_programs
       set capabilities = ${capabilities}::text[], most_per_change = ${mostPerChange}::bigint, most_per_day = ${mostPerDay}::bigint, currency = ${currency},
           most_changes_per_day = ${mostChangesPerDay}::int
     where id = ${id}`)
}

/**
 * A program has one refresh token that works. A new one retires it. A token counts as issued at the moment at which the token before it
 * was used; one that replaces a lost token has the moment of the lost one. No two tokens of a program are used at the same moment.
 */
export async function replaceProgramToken(
  tx: Tx,
  id: ProgramId,
  tokenHash: string,
  { now, issuedAt }: { readonly now: Date; readonly issuedAt: Date | null },
): Promise<void> {
  await tx.run(sql`
    with retired as (
      update program_tokens
         set used_at = greatest(${now}, (select max(used_at) + interval '1 millisecond' from program_tokens where program_id = ${id}))
       where program_id = ${id} and used_at is null returning used_at)
    insert into program_tokens (token_hash, program_id, issued_at)
    select ${tokenHash}, ${id}, coalesce(${issuedAt}::timestamptz, (select used_at from retired), ${now})`)
}

/** Whether the token that replaced this one was never used. The program is locked. */
export async function isSuccessorUnused(tx: Tx, id: ProgramId, usedAt: Date): Promise<boolean> {
  const unused = await tx.rows(
    sql`select from program_tokens where program_id = ${id} and used_at is null and issued_at = ${usedAt}`,
  )
  return unused.length > 0
}

/** Not locked: each change of tokens locks their program first. A lock on the token before it would be a deadlock. */
export function findProgramToken(
  tx: Tx,
  tokenHash: string,
): Promise<{ programId: ProgramId; usedAt: Date | null } | undefined> {
  return tx.maybe(sql`select program_id, used_at from program_tokens where token_hash = ${tokenHash}`)
}

/** A program with what it needs to act. */
export interface ProgramPrincipal extends ConnectedProgram {
  readonly country: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: ReturnType<typeof roleFrom>
  /** those of the program that the person holds now */
  readonly held: ReadonlySet<Capability>
}

type PrincipalRow = Omit<ProgramPrincipal, 'role' | 'held'> &
  RoleColumns & { readonly extraCapabilities: readonly Capability[] }

/** One round trip on one PostgreSQL, because every request needs it. */
export async function findProgramPrincipal(
  db: Queryable,
  id: ProgramId,
  now: Date,
): Promise<ProgramPrincipal | undefined> {
  const row = await findOwned<PrincipalRow>(
    db,
    sql`select organisation_id from connected_programs where id = ${id}`,
    (named) => sql`
    select ${columns}, o.country, u.email, u.first_name, u.last_name, m.role_id, m.extra_capabilities,
           r.name as custom_name, r.display_name as custom_label, r.description as custom_description, r.capabilities as custom_capabilities
      from connected_programs p
      join users u on u.id = p.user_id
      join organisations o on o.id = p.organisation_id
      ${withMembership} and m.status = 'active' ${named('m')}
      left join roles r on r.organisation_id = m.organisation_id and r.id = m.custom_role_id ${named('r')}
     where p.id = ${id} and ${isLive(now)}`,
  )
  if (!row) return undefined
  const { roleId, customName, customLabel, customDescription, customCapabilities, extraCapabilities, ...program } = row
  const role = roleFrom({ roleId, customName, customLabel, customDescription, customCapabilities })
  const own = capabilitiesWith(role, extraCapabilities)
  return { ...program, role, held: new Set(program.capabilities.filter((name) => own.has(name))) }
}

/** A program as lists show it. */
export interface ListedProgram extends ConnectedProgram {
  readonly organisationName: string
  readonly country: string
  readonly personName: string
  readonly spentOn: string | null
  readonly spent: Spent
}

type ListedRow = Omit<ListedProgram, 'spent'> & { readonly spentMinor: bigint; readonly spentChanges: number }

const listedColumns = sql`
  ${columns}, o.name as organisation_name, o.country, u.first_name || ' ' || u.last_name as person_name, p.spent_on::text as spent_on, p.spent_minor,
  p.spent_changes`
const listedTables = sql`
  connected_programs p join organisations o on o.id = p.organisation_id join users u on u.id = p.user_id ${withMembership}`

const toListed = ({ spentMinor, spentChanges, ...row }: ListedRow): ListedProgram => ({
  ...row,
  spent: { amountMinor: spentMinor, changes: spentChanges },
})

/** Whose programs: those of one person, or those of an organisation, perhaps without one of its members. */
export type ProgramOwner =
  | { readonly userId: UserId }
  | { readonly organisationId: OrganisationId; readonly exceptUserId?: UserId }

function ownedBy(owner: ProgramOwner): Sql {
  if ('userId' in owner) return sql`p.user_id = ${owner.userId}`
  const { organisationId, exceptUserId = null } = owner
  return sql`p.organisation_id = ${organisationId} and p.user_id is distinct from ${exceptUserId}::uuid`
}

export async function listLivePrograms(
  db: Queryable,
  owner: ProgramOwner,
  now: Date,
  page: PageRequest,
): Promise<Page<ListedProgram>> {
  const matching = sql`${ownedBy(owner)} and ${isLive(now)}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from ${listedTables} where ${matching}`,
  )
  const query = { columns: listedColumns, tables: listedTables, matching, order: newestIdFirst(sql`p.id`), total }
  return mapped(await readPage<ListedRow>(db, query, page), toListed)
}

export async function findLiveProgram(db: Queryable, id: ProgramId, now: Date): Promise<ListedProgram | undefined> {
  const row = await db.maybe<ListedRow>(
    sql`select ${listedColumns} from ${listedTables} where p.id = ${id} and ${isLive(now)}`,
  )
  return row && toListed(row)
}

/** What one confirmation commits. Without money, amount and currency are null. */
export interface NewSpending {
  readonly day: string
  readonly amountMinor: bigint
  readonly currency: string | null
}

/**
 * Counts a confirmation, unless it would exceed a limit. The row stays locked until the end of the transaction, and the conditions are
 * checked again after waiting for it: confirmations at the same moment cannot exceed a limit together. Amounts count only with a limit,
 * in its currency. At midnight, nodes and transactions that wait disagree about the day: one that is late counts for the next day, because
 * going back to the day before would begin the count again.
 */
export async function addSpending(
  tx: Tx,
  id: ProgramId,
  { day, amountMinor, currency }: NewSpending,
): Promise<boolean> {
  const isCounted = sql`spent_on between ${day}::date and ${day}::date + 1`
  const minorOfDay = sql`(case when ${isCounted} then spent_minor else 0 end)`
  const changesOfDay = sql`(case when ${isCounted} then spent_changes else 0 end)`
  const counted = await tx.run(sql`
    update connected_programs
       set spent_on = case when ${isCounted} then spent_on else ${day}::date end, spent_changes = ${changesOfDay} + 1,
           spent_minor = ${minorOfDay} + case when currency = ${currency}::text then ${amountMinor}::bigint else 0 end
     where id = ${id} and ended_at is null
       and (currency is null or ${currency}::text is null or currency = ${currency}::text)
       and (most_per_change is null or ${amountMinor}::bigint <= most_per_change)
       and (most_per_day is null or ${minorOfDay} + ${amountMinor}::bigint <= most_per_day)
       and (most_changes_per_day is null or ${changesOfDay} + 1 <= most_changes_per_day)`)
  return counted === 1
}

export function purgePrograms(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from connected_programs where id in (
      select id from connected_programs where expires_at < ${before} order by expires_at limit ${limit})`)
}

/** Of a token that was used so long ago, a second use is refused as unknown. */
export function purgeProgramTokens(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from program_tokens where token_hash in (
      select token_hash from program_tokens where used_at < ${before} order by used_at limit ${limit})`)
}
