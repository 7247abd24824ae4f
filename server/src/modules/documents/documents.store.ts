import { type Language, standardLanguage } from '../../kernel/languages/languages.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { InvoiceId, InvoiceStatus } from '../invoices/index.ts'

/** The current state of a document, without reading the document. */
export interface DocumentState {
  readonly number: string
  readonly status: InvoiceStatus
  readonly country: string
  /** of the document, or of each instalment */
  readonly dueDates: readonly string[]
  /** the buyer's */
  readonly language: Language
  /** changes whenever anything changes that the document shows */
  readonly state: string
}

/**
 * `xmin` is the transaction that wrote a row last. A draft shows its current parties and letterhead; an issued
 * document has copies in its row, and takes only the language from its buyer. A note shows the authority reference of its original.
 */
export function findDocumentState(db: Queryable, tenant: Tenant, id: InvoiceId): Promise<DocumentState | undefined> {
  return db.maybe(sql`
    select i.number, i.status, o.country, coalesce((select array_agg(e ->> 'dueDate') from json_array_elements(i.instalments) as e), array_remove(array[i.due_date::text], null)) as due_dates, coalesce(b.language, ${standardLanguage}) as language, concat_ws(' ', i.xmin, c.authority_reference, coalesce(s.xmin::text, '-'), coalesce(case when i.status = 'draft' then b.xmin::text end, '-'), l.xmin) as state
      from invoices i
      join organisations o on o.id = i.organisation_id
      left join invoices c on c.organisation_id = i.organisation_id and c.mode = i.mode and c.id = i.original_id
      left join sellers s on i.status = 'draft' and s.organisation_id = i.organisation_id and s.id = i.seller_id
      left join buyers b on b.organisation_id = i.organisation_id and b.mode = i.mode and b.id = i.buyer_id
      left join letterheads l on i.status = 'draft' and l.organisation_id = i.organisation_id
     where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`)
}
