import type { Id, UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type RegistrationId = Id<'registration'>

/** What a person chose on registering, and the network that the request came from. */
export interface Registration {
  readonly id: RegistrationId
  readonly userId: UserId
  readonly passwordHash: string
  readonly firstName: string
  readonly lastName: string
  readonly organisationName: string
  readonly country: string
  readonly address: string
  readonly userAgent: string
  readonly networkMac: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const columns = sql`
  id, user_id, password_hash, first_name, last_name, organisation_name, country, address, user_agent, network_mac, created_at, expires_at`

export async function insertRegistration(tx: Tx, row: Registration): Promise<void> {
  await tx.run(sql`
    insert into registrations (${columns})
    values (${row.id}, ${row.userId}, ${row.passwordHash}, ${row.firstName}, ${row.lastName}, ${row.organisationName}, ${row.country},
            ${row.address}, ${row.userAgent}, ${row.networkMac}, ${row.createdAt}, ${row.expiresAt})`)
}

/** Oldest first. Registering and verifying both lock the person's row, which keeps the list stable. */
export function listOpenRegistrations(db: Queryable, userId: UserId, now: Date): Promise<Registration[]> {
  return db.rows(sql`
    select ${columns} from registrations
     where user_id = ${userId} and ended_at is null and expires_at > ${now} order by created_at, id`)
}

/** Ends all registrations of a person, or some of them. */
export async function endRegistrations(
  tx: Tx,
  userId: UserId,
  now: Date,
  ids: readonly RegistrationId[] | null = null,
): Promise<void> {
  await tx.run(sql`
    update registrations set ended_at = ${now}
     where user_id = ${userId} and ended_at is null and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))`)
}

export function purgeRegistrations(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from registrations where id in (
      select id from registrations where expires_at < ${before} or ended_at < ${before} limit ${limit})`)
}
