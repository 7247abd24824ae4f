import { expect } from 'vitest'
import type { Database, Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { inCopies } from './cluster.ts'

/**
 * Lists every fault in the ledgers of all tenants, one sentence each. Each check is one statement, so it sees one
 * snapshot. This file must not use the code that keeps the ledger.
 */
export async function ledgerFaults(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ fault: string }>(sql`
    with entries as (
      select organisation_id, mode, count(*) as entries, min(seq) as first_seq, max(seq) as last_seq from credit_moves group by 1, 2),
    sides as (
      select organisation_id, mode, from_place as place, -amount as change from credit_moves
      union all
      select organisation_id, mode, to_place, amount from credit_moves),
    sums as (
      -- what was issued and what is owed stand on the other side of the ledger
      select organisation_id, mode, place, sum(case when place in ('issued', 'owed') then -change else change end) as total
        from sides group by 1, 2, 3),
    shown as (
      select b.organisation_id, b.mode, p.place, p.total
        from credit_balances b,
             lateral (values ('available', available), ('held', held), ('spent', spent), ('lent', lent), ('owed', owed), ('issued', issued))
                     as p (place, total)),
    running as (
      select organisation_id, mode, seq, available_after,
             sum(case when to_place = 'available' then amount when from_place = 'available' then -amount else 0 end)
               over (partition by organisation_id, mode order by seq) as total
        from credit_moves)
    select format('%s %s shows %s %s, its moves add up to %s', organisation_id, mode, s.total, place, coalesce(m.total, 0)) as fault
      from shown s left join sums m using (organisation_id, mode, place) where s.total <> coalesce(m.total, 0)
    union all
    select format('%s %s has moves and no balance', organisation_id, mode)
      from entries e where not exists (
        select 1 from credit_balances b where b.organisation_id = e.organisation_id and b.mode = e.mode)
    union all
    select format('%s %s has %s moves, numbered from %s to %s', organisation_id, mode, entries, first_seq, last_seq)
      from entries where first_seq <> 1 or last_seq <> entries
    union all
    select format('%s %s says %s were available after move %s, its moves say %s', organisation_id, mode, available_after, seq, total)
      from running where available_after <> total
    union all
    select format('%s %s does not balance', organisation_id, mode)
      from credit_balances
     where available + held + spent + lent <> issued + owed or least(available, held, spent, lent, owed) < 0`)
  return [...rows.map(({ fault }) => fault), ...(await paymentFaults(db))]
}

/** Compares the credits of payments in three places: the payment, the ledger and the amount of money. */
async function paymentFaults(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ fault: string }>(sql`
    with brought as (
      select p.organisation_id, p.id, p.status, p.granted_credits,
             case when p.status in ('succeeded', 'partially_refunded')
                  then p.credits * (p.amount_minor - p.refunded_minor) / p.amount_minor else 0 end as due,
             coalesce(sum(case when m.type in ('purchase', 'grant', 'settlement') then m.amount
                               when m.type in ('reversal', 'debt') then -m.amount end), 0) as moved,
             count(*) filter (where m.mode <> 'live' or m.type not in ('purchase', 'grant', 'settlement', 'reversal', 'debt')) as strange
        from payments p
        left join credit_moves m on m.organisation_id = p.organisation_id and starts_with(m.cause, 'payment:' || p.id || ':')
       group by p.organisation_id, p.id)
    select format('payment %s (%s) shows %s granted, the ledger %s, its money is worth %s', id, status, granted_credits, moved, due) as fault
      from brought where granted_credits <> moved or granted_credits <> due or strange > 0
    union all
    select format('a move of %s names a payment that the organisation does not have: %s', m.organisation_id, m.cause)
      from credit_moves m
     where m.cause like 'payment:%' and not exists (
       select 1 from payments p where p.organisation_id = m.organisation_id and starts_with(m.cause, 'payment:' || p.id || ':'))`)
  return rows.map(({ fault }) => fault)
}

export const ledgerTables = ['credit_balances', 'credit_moves', 'payments']

export async function expectBooksInOrder({ owner }: { readonly owner: Database }): Promise<void> {
  expect(await inCopies(owner, ledgerTables, ledgerFaults)).toEqual([])
}
