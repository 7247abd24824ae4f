import type { Capability } from '../../kernel/capabilities.ts'
import type { ProgramId, UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { DeviceAnswer, ProgramRequest, ProgramRequestId, RequestStatus } from './program-request.ts'

interface Row {
  readonly id: ProgramRequestId
  readonly kind: 'redirect' | 'device'
  readonly clientId: string
  readonly programName: string
  readonly programHost: string | null
  readonly resource: string
  readonly capabilities: readonly Capability[]
  readonly redirectUri: string | null
  readonly state: string | null
  readonly codeChallenge: string | null
  readonly askedAddress: string | null
  readonly askedUserAgent: string | null
  readonly pollSeconds: number | null
  readonly polledAt: Date | null
  readonly seenBy: UserId | null
  readonly status: RequestStatus
  readonly programId: ProgramId | null
  readonly expiresAt: Date
}

const columns = sql`
  id, kind, client_id, program_name, program_host, resource, capabilities, redirect_uri, state, code_challenge, asked_address, asked_user_agent,
  poll_seconds, polled_at, seen_by, status, program_id, expires_at`

/** A check of the table makes sure that each kind has its columns. */
const answerOf = (row: Row): ProgramRequest['answer'] =>
  row.kind === 'redirect'
    ? {
        kind: 'redirect',
        redirectUri: row.redirectUri as string,
        state: row.state,
        codeChallenge: row.codeChallenge as string,
      }
    : {
        kind: 'device',
        askedAddress: row.askedAddress ?? '',
        askedUserAgent: row.askedUserAgent ?? '',
        pollSeconds: row.pollSeconds as number,
        polledAt: row.polledAt,
      }

function toRequest(row: Row | undefined): ProgramRequest | undefined {
  if (!row) return undefined
  const { id, clientId, programName, programHost, resource, capabilities, seenBy, status, programId, expiresAt } = row
  const program = { clientId, name: programName, host: programHost }
  return { id, program, resource, capabilities, answer: answerOf(row), seenBy, status, programId, expiresAt }
}

/** The secrets of a program that shows a code, as they are stored. */
export interface DeviceCodes {
  readonly codeHash: string
  readonly userCodeMac: string
}

export type NewRequest = Pick<ProgramRequest, 'id' | 'program' | 'resource' | 'capabilities' | 'answer' | 'expiresAt'>

/** Returns false if there are this many open requests already, or another request has the same code. */
export async function insertRequest(
  tx: Tx,
  { id, program, resource, capabilities, answer, expiresAt }: NewRequest,
  codes: DeviceCodes | undefined,
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<boolean> {
  const redirect = answer.kind === 'redirect' ? answer : undefined
  const device = answer.kind === 'device' ? answer : undefined
  const inserted = await tx.run(sql`
    insert into program_requests (id, kind, client_id, program_name, program_host, resource, capabilities, redirect_uri, state, code_challenge,
                                  code_hash, user_code_mac, asked_address, asked_user_agent, poll_seconds, status, created_at, expires_at)
    select ${id}, ${answer.kind}, ${program.clientId}, ${program.name}, ${program.host}, ${resource}, ${capabilities}::text[],
           ${redirect?.redirectUri ?? null}, ${redirect?.state ?? null}, ${redirect?.codeChallenge ?? null}, ${codes?.codeHash ?? null},
           ${codes?.userCodeMac ?? null}, ${device?.askedAddress ?? null}, ${device?.askedUserAgent ?? null}, ${device?.pollSeconds ?? null}::int,
           'open', ${now}, ${expiresAt}
     where (select count(*) from program_requests where expires_at > ${now}) < ${most}
    on conflict do nothing`)
  return inserted === 1
}

async function lockWhere(tx: Tx, condition: Sql): Promise<ProgramRequest | undefined> {
  return toRequest(
    await tx.maybe<Row>(sql`select ${columns} from program_requests where ${condition} for no key update`),
  )
}

export const lockRequest = (tx: Tx, id: ProgramRequestId) => lockWhere(tx, sql`id = ${id}`)

/** Locked, so that the second of two programs with one code sees that it was taken. */
export const lockRequestByCode = (tx: Tx, kind: DeviceAnswer['kind'] | 'redirect', codeHash: string) =>
  lockWhere(tx, sql`code_hash = ${codeHash} and kind = ${kind}`)

/** The fingerprints of one code under every key. */
export const lockRequestByUserCode = (tx: Tx, macs: readonly string[]) =>
  lockWhere(tx, sql`user_code_mac = any (${macs}::text[])`)

export async function saveSeen(tx: Tx, id: ProgramRequestId, userId: UserId): Promise<void> {
  await tx.run(sql`update program_requests set seen_by = ${userId} where id = ${id} and seen_by is null`)
}

/** With a hash, the program takes the answer with a new code. */
export async function saveApproved(
  tx: Tx,
  id: ProgramRequestId,
  { programId, codeHash, expiresAt }: { programId: ProgramId; codeHash: string | null; expiresAt: Date },
): Promise<void> {
  await tx.run(sql`
    update program_requests
       set status = 'approved', program_id = ${programId}, code_hash = coalesce(${codeHash}, code_hash), expires_at = ${expiresAt}
     where id = ${id}`)
}

export async function saveRequestStatus(tx: Tx, id: ProgramRequestId, status: 'denied' | 'taken'): Promise<void> {
  await tx.run(sql`update program_requests set status = ${status} where id = ${id}`)
}

export async function savePolled(tx: Tx, id: ProgramRequestId, now: Date, pollSeconds: number): Promise<void> {
  await tx.run(sql`update program_requests set polled_at = ${now}, poll_seconds = ${pollSeconds} where id = ${id}`)
}

export function purgeRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from program_requests where id in (
      select id from program_requests where expires_at < ${before} order by expires_at limit ${limit})`)
}
