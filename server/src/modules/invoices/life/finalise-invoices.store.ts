import type { TokenCaller } from '../../../kernel/callers.ts'
import type { UsedRate } from '../../../kernel/exchange-rate.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { exchangeRates } from '../../exchange-rates/index.ts'
import { letterheads } from '../../organisations/index.ts'
import { changeInvoices, type InvoiceChange } from '../change-invoices.store.ts'
import type { BuyerFields, SellerFields } from '../document.ts'
import type { InvoiceField } from '../invoice-columns.ts'
import { findingTogether } from '../invoices.store.ts'

/** The last writing transaction: while it is the same, the row is unchanged. */
const rowVersion = sql`p.xmin::text`

/** A party as it was read, with the version of its row for the guard. */
type ReadParty<Fields> = Fields & { readonly row: string }

/** What an invoice copies when it is issued, as of today. */
export interface ReadParties {
  readonly seller: ReadParty<SellerFields> | null
  readonly buyer: (ReadParty<BuyerFields> & { readonly isArchived: boolean }) | null
  readonly letterhead: letterheads.LetterheadCopy
  /** of the issue date, by the table of rates */
  readonly rate: UsedRate | null
}

const partyFields = sql`
  'name', p.name, 'tradingName', p.trading_name, 'partyType', p.party_type, 'taxId', p.tax_id, 'vatNumber', p.vat_number,
  'registrationNumber', p.registration_number, 'email', p.email, 'phone', p.phone, 'address', p.address, 'row', ${rowVersion}`

/**
 * The invoice, and the parties that it would name. A sale to a buyer who is archived now can still be corrected, so the
 * buyer of the original does not count as archived.
 */
export const findToFinalise = findingTogether<ReadParties>(
  'to finalise',
  ({ organisationId, mode }) => sql`jsonb_build_object(
    'seller', (
      select jsonb_build_object(${partyFields})
        from sellers p where p.organisation_id = ${organisationId} and p.id = i.seller_id),
    'buyer', (
      select jsonb_build_object(${partyFields}, 'legalName', p.legal_name, 'taxIdType', p.tax_id_type,
                                'businessDescription', p.business_description,
                                'isArchived', p.archived_at is not null and p.id is distinct from (
                                  select o.buyer_id from invoices o
                                   where o.organisation_id = ${organisationId} and o.mode = ${mode} and o.id = i.original_id))
        from buyers p where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.id = i.buyer_id),
    'letterhead', ${letterheads.letterheadToday(organisationId)},
    'rate', ${exchangeRates.rateInForce({ organisationId, mode }, sql`i.currency`, sql`i.issue_date`)})`,
)

/** Locks the parties until the copies commit; finalisations share the lock. */
const held = ({ organisationId, mode }: Tenant): Sql => sql`
  sellers_held as (
    select p.id, ${rowVersion} as version from sellers p
     where p.organisation_id = ${organisationId} and p.id = any (array(select seller_id from asked)) for share of p),
  buyers_held as (
    select p.id, ${rowVersion} as version from buyers p
     where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.id = any (array(select buyer_id from asked)) for share of p),`

const asPlanned = ({ organisationId }: Tenant): Sql => sql`
  (g.seller_id, g.seller_row) in (select id, version from sellers_held)
  and (g.buyer_id is null or (g.buyer_id, g.buyer_row) in (select id, version from buyers_held))
  and g.letterhead_copy = ${letterheads.letterheadToday(organisationId)}`

/** The rounding of a credit note is fitted to what is left of its original. */
const fields: readonly InvoiceField[] = [
  'status',
  'sellerCopy',
  'buyerCopy',
  'letterheadCopy',
  'homeTax',
  'roundingMinor',
  'payableMinor',
  'finalisedAt',
  'reportDueAt',
  'updatedAt',
]

/** Issues drafts whose parties and letterhead have the planned versions. */
export const finaliseInvoices = (
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, InvoiceChange & { readonly read: ReadParties }>[],
) =>
  changeInvoices(db, tenant, planned, {
    name: 'finalise invoices',
    fields,
    shape: { seller_id: 'uuid', buyer_id: 'uuid', seller_row: 'text', buyer_row: 'text' },
    given: ({ after, read }) => ({
      seller_id: after.sellerId,
      buyer_id: after.buyerId,
      seller_row: read.seller?.row,
      buyer_row: read.buyer?.row,
    }),
    before: held(tenant),
    guard: asPlanned(tenant),
    after: sql`, issued as (
      insert into issued_parties (organisation_id, mode, invoice_id, buyer_id, seller_id, logo_hash)
      select ${tenant.organisationId}, ${tenant.mode}, invoice_id, buyer_id, seller_id, letterhead_copy ->> 'logo' from changed)`,
  })
