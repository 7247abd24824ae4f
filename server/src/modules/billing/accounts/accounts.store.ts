import type { Id, OrganisationId } from '../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { orOnShards, type Sql, sql } from '../../../platform/database/sql.ts'

export type BillingAccountId = Id<'billing-account'>

export interface BillingAccount {
  readonly organisationId: OrganisationId
  readonly id: BillingAccountId
  readonly openedAt: Date
}

/** Returns false if the organisation already has an account. */
export async function insertAccount(tx: Tx, organisationId: OrganisationId, id: string, now: Date): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into billing_accounts (organisation_id, id, opened_at) values (${organisationId}, ${id}, ${now})
    on conflict (organisation_id) do nothing`)
  return inserted === 1
}

export function findAccount(db: Queryable, organisationId: OrganisationId): Promise<BillingAccount | undefined> {
  return db.maybe(
    sql`select organisation_id, id, opened_at from billing_accounts where organisation_id = ${organisationId}`,
  )
}

/** Every change of subscriptions and payments locks the account first, so that such changes run one after another. */
export function lockAccount(tx: Tx, organisationId: OrganisationId): Promise<BillingAccount | undefined> {
  return tx.maybe(sql`
    select organisation_id, id, opened_at from billing_accounts where organisation_id = ${organisationId} for no key update`)
}

export function listOrganisationsWithoutAccount(
  db: Queryable,
  after: OrganisationId,
  limit: number,
): Promise<{ organisationId: OrganisationId }[]> {
  const without = (isWithout: Sql): Sql => sql`
    select o.id as organisation_id from organisations o where o.id > ${after} and ${isWithout} order by o.id limit ${limit}`
  return db.rows(
    orOnShards(
      without(sql`not exists (select 1 from billing_accounts a where a.organisation_id = o.id)`),
      without(sql`o.id not in (select organisation_id from billing_accounts)`),
    ),
  )
}
