import type { Queryable } from '../../server/src/platform/database/database.ts'
import { type Sql, sql } from '../../server/src/platform/database/sql.ts'

const movesOf = (type: string): Sql => sql`
  (select count(*) from credit_moves m where m.organisation_id = s.organisation_id and m.mode = s.mode and m.type = ${type}
      and m.cause = 'submission:' || s.id)`

/** Invariants that hold at any moment, after any loss or crash. Each query returns only violations. */
const invariants: Readonly<Record<string, Sql>> = {
  'accepted exactly where one capture was made': sql`
    select s.id from submissions s where (s.state = 'accepted') <> (${movesOf('capture')} = 1) or ${movesOf('capture')} > 1`,
  'rejected exactly where what was held is free again': sql`
    select s.id from submissions s where (s.state = 'rejected') <> (${movesOf('release')} = 1) or ${movesOf('release')} > 1`,
  'every submission was set aside for, once': sql`select s.id from submissions s where ${movesOf('hold')} <> 1`,
  'what is held is what is undecided': sql`
    select b.organisation_id from credit_balances b
     where b.held <> (select coalesce(sum(m.amount), 0) from submissions s join credit_moves m
                        on m.organisation_id = s.organisation_id and m.mode = s.mode and m.type = 'hold' and m.cause = 'submission:' || s.id
                       where s.organisation_id = b.organisation_id and s.mode = b.mode and s.state not in ('accepted', 'rejected'))`,
  'the invoice says what its submission says': sql`
    select i.id from submissions s join invoices i on i.organisation_id = s.organisation_id and i.mode = s.mode and i.id = s.invoice_id
     where i.status not in ('cancellation_pending', 'cancelled', 'draft', 'finalised')
       and s.id = (select l.id from submissions l where l.organisation_id = s.organisation_id and l.mode = s.mode and l.invoice_id = s.invoice_id
                    order by l.ordinal desc, l.created_at desc, l.id desc limit 1)
       and i.status <> case when s.failed_at is not null then 'failed' when s.state in ('queued', 'unknown') then 'queued' else s.state end`,
  'registered exactly where the invoice has the reference': sql`
    select i.id from submissions s join invoices i on i.organisation_id = s.organisation_id and i.mode = s.mode and i.id = s.invoice_id
     where s.state in ('signed', 'transmitted', 'accepted') and i.authority_reference is distinct from s.reference`,
  'a reference belongs to one document': sql`
    select reference from submissions group by organisation_id, mode, reference having count(distinct invoice_id) > 1`,
  'nothing is sent again before a lookup after the last sending said that it is not there': sql`
    select later.submission_id from submission_attempts later
      join lateral (select * from submission_attempts e
                     where e.organisation_id = later.organisation_id and e.mode = later.mode and e.submission_id = later.submission_id
                       and e.step = 'sign' and e.number < later.number and e.number > 0 order by e.number desc limit 1) as earlier on true
     where later.step = 'sign' and coalesce(earlier.answer, '') <> 'not_sent'
       and (select count(*) from submission_attempts l
             where l.organisation_id = later.organisation_id and l.mode = later.mode and l.submission_id = later.submission_id
               and l.step = 'lookup' and l.answer = 'absent' and l.number between earlier.number and later.number) < 2`,
  'whatever is sent is what was kept': sql`
    select a.submission_id from submission_attempts a
      join submissions s on s.organisation_id = a.organisation_id and s.mode = a.mode and s.id = a.submission_id
     where a.step = 'sign' and (a.sha256 <> s.sha256 or s.sha256 <> encode(sha256(s.payload), 'hex'))`,
  'what is undecided is due, or was given up': sql`
    select id from submissions where state not in ('accepted', 'rejected') and (due_at is null) = (failed_at is null)`,
}

export async function brokenInvariants(db: Queryable): Promise<Readonly<Record<string, number>>> {
  const broken: Record<string, number> = {}
  for (const [name, statement] of Object.entries(invariants)) {
    const rows = await db.rows(statement)
    if (rows.length > 0) broken[name] = rows.length
  }
  return broken
}
