import type { UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { lockingRow, sql } from '../../platform/database/sql.ts'
import type { Person } from './person.ts'

const columns = sql`id, email, email_verified_at, password_hash, first_name, last_name, totp_secret, totp_pending, totp_enabled_at`

export function findPersonByEmail(db: Queryable, email: string): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from users where lower(email) = ${email}`)
}

export function findPerson(db: Queryable, id: UserId): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from users where id = ${id}`)
}

/**
 * `for update` also blocks rows that refer to the person: a later query of their memberships must not miss one that is
 * being written.
 */
export function lockPerson(tx: Tx, id: UserId): Promise<Person> {
  return tx.one(lockingRow(sql`select ${columns} from users where id = ${id}`, 'update', `person ${id}`))
}

export interface NewPerson {
  readonly id: UserId
  readonly email: string
  readonly passwordHash: string
  readonly firstName: string
  readonly lastName: string
  readonly emailVerifiedAt: Date | null
}

/** False if another person has taken the address meanwhile. */
export async function insertPerson(tx: Tx, person: NewPerson, now: Date): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into users (id, email, password_hash, first_name, last_name, email_verified_at, created_at, updated_at)
    values (${person.id}, ${person.email}, ${person.passwordHash}, ${person.firstName}, ${person.lastName}, ${person.emailVerifiedAt}, ${now}, ${now})
    on conflict ((lower(email))) do nothing`)
  return inserted === 1
}

export async function saveVerified(tx: Tx, id: UserId, now: Date): Promise<void> {
  await tx.run(sql`
    update users set email_verified_at = ${now}, updated_at = ${now} where id = ${id} and email_verified_at is null`)
}

export async function saveIdentity(
  tx: Tx,
  id: UserId,
  identity: Pick<NewPerson, 'passwordHash' | 'firstName' | 'lastName'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update users set password_hash = ${identity.passwordHash}, first_name = ${identity.firstName}, last_name = ${identity.lastName}, updated_at = ${now}
     where id = ${id}`)
}

export async function saveNames(
  tx: Tx,
  id: UserId,
  names: Pick<NewPerson, 'firstName' | 'lastName'>,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update users set first_name = ${names.firstName}, last_name = ${names.lastName}, updated_at = ${now} where id = ${id}`)
}

export async function savePersonPhone(tx: Tx, id: UserId, phone: string, now: Date): Promise<void> {
  await tx.run(sql`update users set phone = ${phone}, phone_verified_at = ${now}, updated_at = ${now} where id = ${id}`)
}

export async function savePassword(tx: Tx, id: UserId, passwordHash: string, now: Date): Promise<void> {
  await tx.run(sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id}`)
}

/** The account can neither sign in nor receive mail, and its address is free for others. */
export async function saveClosed(tx: Tx, id: UserId, passwordHash: string, now: Date): Promise<void> {
  await tx.run(sql`
    update users set email = id || '@closed.invalid', email_verified_at = null, password_hash = ${passwordHash},
           phone = null, phone_verified_at = null, updated_at = ${now} where id = ${id}`)
}

export async function savePendingTotp(tx: Tx, id: UserId, sealedSecret: string, now: Date): Promise<void> {
  await tx.run(sql`update users set totp_pending = ${sealedSecret}, updated_at = ${now} where id = ${id}`)
}

export async function saveTotpOn(tx: Tx, id: UserId, sealedSecret: string, step: number, now: Date): Promise<void> {
  await tx.run(sql`
    update users set totp_secret = ${sealedSecret}, totp_pending = null, totp_enabled_at = ${now}, totp_last_step = ${step}, updated_at = ${now}
     where id = ${id}`)
}

export async function saveTotpOff(tx: Tx, id: UserId, now: Date): Promise<void> {
  await tx.run(sql`delete from recovery_codes where user_id = ${id}`)
  await tx.run(sql`
    update users set totp_secret = null, totp_pending = null, totp_enabled_at = null, updated_at = ${now} where id = ${id}`)
}

/** Of two requests with the same code only one advances the step, so that a code works once. */
export async function takeTotpStep(tx: Tx, id: UserId, step: number): Promise<boolean> {
  return (
    (await tx.run(sql`update users set totp_last_step = ${step} where id = ${id} and totp_last_step < ${step}`)) === 1
  )
}

export async function replaceRecoveryCodes(tx: Tx, id: UserId, macs: readonly string[]): Promise<void> {
  await tx.run(sql`delete from recovery_codes where user_id = ${id}`)
  await tx.run(sql`
    insert into recovery_codes (user_id, position, code_mac)
    select ${id}, position, mac from unnest(${macs}::text[]) with ordinality as given (mac, position)`)
}

export function lockUnusedRecoveryCodes(tx: Tx, id: UserId): Promise<{ position: number; codeMac: string }[]> {
  return tx.rows(
    sql`select position, code_mac from recovery_codes where user_id = ${id} and used_at is null order by position for no key update`,
  )
}

export async function saveRecoveryCodeUsed(tx: Tx, id: UserId, position: number, now: Date): Promise<void> {
  await tx.run(sql`update recovery_codes set used_at = ${now} where user_id = ${id} and position = ${position}`)
}

/**
 * True if the device is new to the person, under any key. `others` says whether they have used another device before.
 */
export function rememberDevice(
  tx: Tx,
  id: UserId,
  { deviceMac, knownAs, networkMac }: { deviceMac: string; knownAs: readonly string[]; networkMac: string },
  now: Date,
): Promise<{ isNew: boolean; others: boolean }> {
  return tx.one(sql`
    with seen as (select count(*) > 0 as others, coalesce(bool_or(device_mac = any(${knownAs}::text[])), false) as this_one
                    from known_devices where user_id = ${id}),
         noted as (insert into known_devices (user_id, device_mac, network_mac, first_seen_at, last_seen_at)
                   values (${id}, ${deviceMac}, ${networkMac}, ${now}, ${now})
                   on conflict (user_id, device_mac) do update set network_mac = excluded.network_mac, last_seen_at = excluded.last_seen_at)
    select not this_one as is_new, others from seen`)
}

export async function forgetDevices(tx: Tx, id: UserId): Promise<void> {
  await tx.run(sql`delete from known_devices where user_id = ${id}`)
}

export function purgeDevices(db: Queryable, before: Date, limit: number): Promise<number> {
  // Checks again, because a device that was seen meanwhile must stay.
  return db.run(sql`
    delete from known_devices where last_seen_at < ${before} and (user_id, device_mac) in (
      select user_id, device_mac from known_devices where last_seen_at < ${before} limit ${limit})`)
}
