import type { TaxIdType } from '../../jurisdictions/port.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type CheckId = Id<'tax-number-check'>
export type CheckStatus = 'pending' | 'verified' | 'not_found' | 'name_mismatch' | 'unavailable'
export type CheckedParty = 'buyer' | 'seller'

/** One question to the authority about the tax number of a buyer or seller. */
export interface TaxNumberCheck {
  readonly id: CheckId
  readonly party: CheckedParty
  readonly partyId: string
  readonly taxId: string
  readonly taxIdNormal: string
  readonly taxIdType: TaxIdType
  readonly partyName: string
  readonly status: CheckStatus
  readonly registeredName: string | null
  /** Whether credits are held for it. */
  readonly charged: boolean
  readonly startedAt: Date
  readonly endedAt: Date | null
}

const columns = sql`
  id, party, party_id, tax_id, tax_id_normal, tax_id_type, party_name, status, registered_name, charged, started_at, ended_at`

/** Returns false if a check of the party is running. */
export async function insertCheck(tx: Tx, tenant: Tenant, check: TaxNumberCheck): Promise<boolean> {
  const c = check
  const inserted = await tx.run(sql`
    insert into tax_number_checks (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${c.id}, ${c.party}, ${c.partyId}, ${c.taxId}, ${c.taxIdNormal}, ${c.taxIdType},
            ${c.partyName}, ${c.status}, ${c.registeredName}, ${c.charged}, ${c.startedAt}, ${c.endedAt})
    on conflict (organisation_id, mode, party, party_id) where status = 'pending' do nothing`)
  return inserted === 1
}

export function findCheck(db: Queryable, tenant: Tenant, id: CheckId): Promise<TaxNumberCheck | undefined> {
  return db.maybe(sql`
    select ${columns} from tax_number_checks
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

export function findLatestCheck(
  db: Queryable,
  tenant: Tenant,
  party: CheckedParty,
  partyId: string,
): Promise<TaxNumberCheck | undefined> {
  return db.maybe(sql`
    select ${columns} from tax_number_checks
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and party = ${party} and party_id = ${partyId}
     order by started_at desc, id desc limit 1`)
}

/** Returns undefined if the check had already ended. */
export function saveCheckEnded(
  tx: Tx,
  tenant: Tenant,
  id: CheckId,
  ended: { status: CheckStatus; registeredName: string | null },
  now: Date,
  late: boolean,
): Promise<TaxNumberCheck | undefined> {
  const open = late ? ['pending', 'unavailable'] : ['pending']
  return tx.maybe(sql`
    update tax_number_checks set status = ${ended.status}, registered_name = ${ended.registeredName}, ended_at = ${now}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id} and status = any (${open}::text[])
    returning ${columns}`)
}
