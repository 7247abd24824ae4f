import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import type { ReceivedFilter, Today } from '../received-filter.ts'
import { conditionsOf, saysNoMoreThan } from './listing.store.ts'

/** Credit notes are subtracted. Claimable tax is counted per document, after its credit notes. */
export interface CurrencyFigures {
  readonly currency: string
  readonly count: number
  readonly creditNotes: number
  readonly suppliers: number
  readonly faulty: number
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly unpaidMinor: bigint
  readonly overdueMinor: bigint
  readonly overdueCount: number
  readonly claimableTaxMinor: bigint
}

const sums = ['netMinor', 'taxMinor', 'payableMinor', 'unpaidMinor', 'overdueMinor', 'claimableTaxMinor'] as const
type Sums = (typeof sums)[number]
/** As text: suppliers may write any amount, and a sum may exceed a bigint column. */
type FiguresRow = Omit<CurrencyFigures, Sums> & Readonly<Record<Sums, string>>

const figuresFrom = (row: FiguresRow): CurrencyFigures => ({
  ...row,
  ...(Object.fromEntries(sums.map((name) => [name, BigInt(row[name])])) as Readonly<Record<Sums, bigint>>),
})

/** Most common currency first. */
export async function sumReceived(
  db: Queryable,
  tenant: Tenant,
  filter: ReceivedFilter,
  today: Today,
): Promise<CurrencyFigures[]> {
  const matching = conditionsOf(tenant, filter, today)
  const rows = saysNoMoreThan(filter, ['currency']) ? sumKept(matching, today) : sumEach(matching, today)
  return (await db.rows<FiguresRow>(rows)).map(figuresFrom)
}

const isOverdue = ({ today }: Today): Sql => sql`due_date < ${today}::date and payment_status <> 'paid'`
const isOpen = sql`payment_status in ('unpaid', 'partial')`

const sumKept = (matching: Sql, today: Today): Sql => sql`
  select currency, sum(count)::int as count, sum(credit_notes)::int as credit_notes, sum(faulty)::int as faulty,
         (select count(*)::int from received_suppliers s
           where s.organisation_id = r.organisation_id and s.mode = r.mode and s.currency = r.currency) as suppliers,
         sum(net_minor)::text as net_minor, sum(tax_minor)::text as tax_minor, sum(payable_minor)::text as payable_minor,
         coalesce(sum(payable_minor) filter (where ${isOpen}), 0)::text as unpaid_minor,
         coalesce(sum(payable_minor) filter (where ${isOverdue(today)}), 0)::text as overdue_minor,
         coalesce(sum(count) filter (where ${isOverdue(today)}), 0)::int as overdue_count,
         coalesce(sum(claimable_minor) filter (where claim_until >= ${today.today}::date), 0)::text as claimable_tax_minor
    from received_figures r where ${matching}
   group by organisation_id, mode, currency order by sum(count) desc, currency`

const sumEach = (matching: Sql, today: Today): Sql => sql`
  select currency, count(*)::int as count, (count(*) filter (where sign < 0))::int as credit_notes,
         (count(distinct seller_tax_id_plain))::int as suppliers, (count(*) filter (where faults <> '[]'::jsonb))::int as faulty,
         sum(sign * net_minor)::text as net_minor, sum(sign * tax_minor)::text as tax_minor,
         sum(sign * payable_minor)::text as payable_minor,
         coalesce(sum(sign * payable_minor) filter (where ${isOpen}), 0)::text as unpaid_minor,
         coalesce(sum(sign * payable_minor) filter (where ${isOverdue(today)}), 0)::text as overdue_minor,
         (count(*) filter (where ${isOverdue(today)}))::int as overdue_count,
         coalesce(sum(claimable_minor) filter (where coalesce(claim_until >= ${today.today}::date, true)), 0)::text as claimable_tax_minor
    from (select *, case when type = 'credit_note' then -1 else 1 end as sign from received_invoices where ${matching}) as r
   group by currency order by count(*) desc, currency`
