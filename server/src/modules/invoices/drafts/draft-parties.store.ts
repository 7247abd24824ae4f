import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type RowShape, rowOf, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Invoice } from '../invoice.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/** What decides the parties and the kind of a draft. */
export type WantedParties = Pick<InvoicePlan, 'kinds' | 'primarySellerOnly'> &
  /** the kind is empty if it follows from the buyer; the seller is null for the organisation itself */
  Pick<Invoice, 'kind' | 'buyerId' | 'sellerId'>

/** The same as a row of a statement. */
export const wantedShape: RowShape = {
  kind: 'text',
  government: 'text',
  unregistered: 'text',
  registered: 'text',
  buyer_id: 'uuid',
  wanted_seller: 'uuid',
  primary_seller_only: 'boolean',
}
export const wantedRow = ({ kind, kinds, buyerId, sellerId, primarySellerOnly }: WantedParties) => ({
  ...(kind === '' ? { ...kinds, kind: undefined } : { kind }),
  buyer_id: buyerId ?? undefined,
  wanted_seller: sellerId ?? undefined,
  primary_seller_only: primarySellerOnly,
})

/**
 * SQL joins: the buyer that a wanted row `g` names, and the seller: the named one, or the organisation itself. Without a
 * tenant, each row has its own.
 */
export function joiningParties(tenant: Tenant | undefined): Sql {
  const organisation = tenant ? sql`${tenant.organisationId}` : sql`g.organisation_id`
  const mode = tenant ? sql`${tenant.mode}` : sql`g.mode`
  return sql`
    left join lateral (
      select id, name, tax_id, party_type, archived_at from buyers
       where organisation_id = ${organisation} and mode = ${mode} and id = g.buyer_id limit 1) b on true
    left join lateral (
      select id from sellers where organisation_id = ${organisation} and case when g.wanted_seller is null then is_primary
         else id = g.wanted_seller and (is_primary or g.primary_seller_only is not true) end limit 1) s on true`
}

/** SQL columns over these joins. */
export const partyColumns = sql`
  s.id as seller_id, b.name as buyer_name, b.tax_id as buyer_tax_id,
  coalesce(g.kind, case when b.party_type = 'government' then g.government
                        when b.tax_id is null then g.unregistered else g.registered end) as draft_kind,
  g.buyer_id is null or b.id is not null as is_buyer_found, b.archived_at is not null as is_buyer_archived,
  g.wanted_seller is null or s.id is not null as is_seller_found`

export interface DraftParties extends Pick<Invoice, 'sellerId' | 'buyerName' | 'buyerTaxId'> {
  readonly draftKind: string
  readonly isBuyerFound: boolean
  readonly isBuyerArchived: boolean
  readonly isSellerFound: boolean
}

export const findDraftParties = (db: Queryable, tenant: Tenant, wanted: WantedParties): Promise<DraftParties> =>
  db.one(sql`select ${partyColumns} from ${rowOf(wantedShape, wantedRow(wanted))} as g ${joiningParties(tenant)}`)
