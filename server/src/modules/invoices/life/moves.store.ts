import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deliveries, type InvoiceId } from '../invoice.ts'
import type { InvoiceFacts } from '../invoice-events.ts'
import type { InvoiceStatus } from '../status-moves.ts'

/** A document to move, from any status: `path` gives the next status for each. */
export interface MoveRow {
  readonly id: InvoiceId
  readonly path: Readonly<Partial<Record<InvoiceStatus, InvoiceStatus>>>
  readonly authorityReference: string | null
  readonly stamp: string | null
  readonly submittedAt: Date | null
  readonly delivery: string | null
}

export interface MovedRow extends InvoiceFacts {
  readonly from: InvoiceStatus
  /** false for an invoice that keeps its status while one of its credit notes was rejected */
  readonly isMoved: boolean
  /** the sum of rejected credit notes, which no longer count; null if there are none */
  readonly uncreditedMinor: bigint | null
}

const moveColumns = sql`id uuid, path jsonb, "authorityReference" text, stamp text, "submittedAt" timestamptz, delivery text`

/**
 * Moves documents of one tenant, in one round trip. Documents whose status allows no move stay unchanged and are not
 * returned. Rows are looked up by an array of ids: with a join alone, a planner without statistics would read all
 * rows of the tenant. Rows are locked in the common order, invoices before notes. The first values that the authority
 * gave are kept.
 *
 * Two amounts change with the moves. A rejected credit note no longer counts, so its original, which is locked with
 * it, has less credited. And an invoice is cancelled only if accepted credit notes cover all of it; otherwise it is
 * accepted again.
 */
export function moveRows(tx: Tx, tenant: Tenant, rows: readonly MoveRow[], now: Date): Promise<MovedRow[]> {
  const { organisationId, mode } = tenant
  const idsOf = (some: readonly MoveRow[]) => some.map(({ id }) => id)
  const rejected = idsOf(rows.filter(({ path }) => Object.values(path).includes('rejected')))
  return tx.rows(sql`
    with wanted as materialized (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (${moveColumns})),
    locked as materialized (
      select i.id, i.status, i.type, i.original_id, i.payable_minor, w.path ->> i.status as becomes, w."authorityReference", w.stamp, w."submittedAt", w.delivery
        from invoices i left join wanted w on w.id = i.id
       where i.organisation_id = ${organisationId} and i.mode = ${mode}
         and i.id = any (${idsOf(rows)}::uuid[] || array(
               select n.original_id from invoices n where n.organisation_id = ${organisationId} and n.mode = ${mode} and n.id = any (${rejected}::uuid[]) and n.type = 'credit_note'))
       order by i.original_id is not null, i.id for no key update of i),
    uncredited as materialized (
      select original_id, sum(payable_minor) as minor from locked
       where type = 'credit_note' and becomes = 'rejected' and status <> 'rejected' group by original_id),
    moving as materialized (
      select l.*, u.minor as uncredited_minor,
             l.becomes = 'cancelled' and l.status <> 'cancelled' and l.payable_minor > (
               select coalesce(sum(n.payable_minor), 0) from invoices n
                where n.organisation_id = ${organisationId} and n.mode = ${mode} and n.original_id = l.id and n.type = 'credit_note'
                  and (n.status = 'accepted' or n.id in (select id from locked where becomes = 'accepted'))) as is_partly_credited
        from locked l left join uncredited u on u.original_id = l.id)
    update invoices i
       set status = case when m.is_partly_credited then 'accepted' else coalesce(m.becomes, i.status) end,
           credited_minor = i.credited_minor - coalesce(m.uncredited_minor, 0),
           authority_reference = coalesce(i.authority_reference, m."authorityReference"), stamp = coalesce(i.stamp, m.stamp),
           reported_at = coalesce(i.reported_at, case when m."authorityReference" is not null then ${now}::timestamptz end),
           submitted_at = coalesce(m."submittedAt", i.submitted_at),
           delivery = case when array_position(${[...deliveries]}::text[], m.delivery) < array_position(${[...deliveries]}::text[], i.delivery)
                           then m.delivery else i.delivery end,
           updated_at = ${now}, version = i.version + 1
      from moving m
     where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (array(select id from moving)) and i.id = m.id
       and (m.becomes is not null or m.uncredited_minor is not null)
    returning i.id, i.number, i.type, i.kind, i.status, i.buyer_id, i.currency, i.payable_minor, i.tax_minor, i.original_id, i.authority_reference, i.submitted_at,
              i.version, m.status as "from", m.becomes is not null as is_moved, m.uncredited_minor::bigint`)
}

/** The notes of these invoices that wait for their invoice: issued, and not submitted. */
export function listWaitingNotes(
  tx: Tx,
  { organisationId, mode }: Tenant,
  originalIds: readonly InvoiceId[],
): Promise<{ readonly id: InvoiceId; readonly originalId: InvoiceId }[]> {
  return tx.rows(sql`
    select id, original_id from invoices
     where organisation_id = ${organisationId} and mode = ${mode} and original_id = any (${originalIds}::uuid[]) and status = 'finalised'`)
}
