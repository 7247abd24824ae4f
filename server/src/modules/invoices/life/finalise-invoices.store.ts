import type { TokenCaller } from '../../../kernel/callers.ts'
import type { DocumentParty } from '../../../kernel/invoice-document.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { letterheads } from '../../organisations/index.ts'
import { changeInvoices, type InvoiceChange } from '../change-invoices.store.ts'
import { findingTogether } from '../invoices.store.ts'

/** SQL that copies a party `p` exactly as `sellerParty` and `buyerParty` do. */
const sellerCopy = sql`
  jsonb_build_object('name', p.name, 'legalName', null, 'tradingName', p.trading_name, 'partyType', p.party_type,
                     'taxIdType', case when p.tax_id is null then 'none' else 'national' end, 'taxId', p.tax_id, 'vatNumber', p.vat_number,
                     'registrationNumber', p.registration_number, 'email', p.email, 'phone', p.phone, 'businessDescription', null,
                     'address', p.address)`
const buyerCopy = sql`
  jsonb_build_object('name', p.name, 'legalName', p.legal_name, 'tradingName', p.trading_name, 'partyType', p.party_type,
                     'taxIdType', p.tax_id_type, 'taxId', p.tax_id, 'vatNumber', p.vat_number,
                     'registrationNumber', p.registration_number, 'email', p.email, 'phone', p.phone,
                     'businessDescription', p.business_description, 'address', p.address)`

/** The last writing transaction: while it is the same, the row is unchanged. */
const rowVersion = sql`p.xmin::text`

/** What an invoice copies when it is issued, as of today. */
export interface IssuingParties {
  readonly seller: DocumentParty | null
  readonly buyer: DocumentParty | null
  readonly isBuyerArchived: boolean
  readonly letterhead: letterheads.LetterheadCopy
}

/** A party as it would be copied, with the version of its row for the guard. */
interface ReadParty {
  readonly copy: DocumentParty
  readonly row: string
}

export interface ReadParties {
  readonly seller: ReadParty | null
  readonly buyer: (ReadParty & { readonly isArchived: boolean }) | null
  readonly letterhead: letterheads.LetterheadCopy
}

/** The invoice, and the parties that it would name. */
export const findToFinalise = findingTogether<ReadParties>(
  'to finalise',
  ({ organisationId }) => sql`jsonb_build_object(
    'seller', (
      select jsonb_build_object('copy', ${sellerCopy}, 'row', ${rowVersion})
        from sellers p where p.organisation_id = i.organisation_id and p.id = i.seller_id),
    'buyer', (
      select jsonb_build_object('copy', ${buyerCopy}, 'row', ${rowVersion}, 'isArchived', p.archived_at is not null)
        from buyers p where p.organisation_id = i.organisation_id and p.mode = i.mode and p.id = i.buyer_id),
    'letterhead', ${letterheads.letterheadToday(organisationId)})`,
)

/**
 * Locks the parties until the copy commits; finalisations share the lock. The database builds each copy once for all
 * documents, and only the planned versions are sent.
 */
const held = ({ organisationId, mode }: Tenant): Sql => sql`
  sellers_held as (
    select p.id, ${rowVersion} as version, ${sellerCopy} as copy from sellers p
     where p.organisation_id = ${organisationId} and p.id = any (array(select seller_id from asked)) for share of p),
  buyers_held as (
    select p.id, ${rowVersion} as version, ${buyerCopy} as copy from buyers p
     where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.id = any (array(select buyer_id from asked))
       and p.archived_at is null for share of p),`

const asPlanned = ({ organisationId }: Tenant): Sql => sql`
  (g.seller_id, g.seller_row) in (select id, version from sellers_held)
  and (g.buyer_id is null or (g.buyer_id, g.buyer_row) in (select id, version from buyers_held))
  and g.letterhead_copy = ${letterheads.letterheadToday(organisationId)}`

/** Issues drafts whose parties and letterhead have the planned versions. */
export const finaliseInvoices = (
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, InvoiceChange & { readonly read: ReadParties }>[],
) =>
  changeInvoices(db, tenant, planned, {
    name: 'finalise invoices',
    fields: ['status', 'sellerCopy', 'buyerCopy', 'letterheadCopy', 'finalisedAt', 'reportDueAt', 'updatedAt'],
    found: {
      sellerCopy: sql`(select copy from sellers_held where id = g.seller_id)`,
      buyerCopy: sql`(select copy from buyers_held where id = g.buyer_id)`,
    },
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
