-- A credit note that the authority rejected counts no more as credit. Invoices that still count one get their due amount back.
lock table invoice_listing, invoice_counts, invoice_sums in share row exclusive mode;
update invoices o set credited_minor = n.counted, version = o.version + 1
  from (select n.organisation_id, n.mode, n.original_id, coalesce(sum(n.payable_minor) filter (where n.status not in ('draft', 'rejected')), 0) as counted
          from invoices n
         where n.type = 'credit_note'
         group by 1, 2, 3
        having bool_or(n.status = 'rejected')) as n
 where o.organisation_id = n.organisation_id and o.mode = n.mode and o.id = n.original_id and o.credited_minor <> n.counted;

-- Drafts and rejected documents are owed by nobody: they are neither overdue nor among what is to be received. A document without a due day is never late.
-- The facets that follow from this, as they are packed: payment (bits 6 and 7), credited (11), refund owed (12), open (13).
update invoice_listing l set facets = n.facets, due_minor = n.due_minor
  from (select i.organisation_id, i.mode, i.id,
               (l.facets & ~((3 << 6) | (1 << 11) | (1 << 12) | (1 << 13)))
               | ((array_position(array['unpaid', 'partially_paid', 'paid', 'payment_failed'], p.payment) - 1) << 6)
               | ((i.credited_minor > 0)::int << 11)
               | ((i.paid_minor > i.payable_minor - i.credited_minor)::int << 12)
               | (p.is_open::int << 13) as facets,
               case when p.is_open then i.payable_minor - i.credited_minor - i.paid_minor else 0 end as due_minor
          from invoice_listing l
          join invoices i on i.organisation_id = l.organisation_id and i.mode = l.mode and i.id = l.id
          cross join lateral (
            select case when i.paid_minor = 0 then coalesce(i.declared_payment_status, 'unpaid')
                        when i.payable_minor - i.credited_minor <= i.paid_minor then 'paid' else 'partially_paid' end as payment) as q
          cross join lateral (
            select q.payment,
                   i.payable_minor - i.credited_minor > i.paid_minor and i.type <> 'credit_note'
                   and i.status not in ('draft', 'rejected', 'cancelled') and q.payment <> 'paid' as is_open) as p) as n
 where l.organisation_id = n.organisation_id and l.mode = n.mode and l.id = n.id and (l.facets, l.due_minor) <> (n.facets, n.due_minor);

delete from invoice_counts where kind in ('facets', 'open');
insert into invoice_counts (organisation_id, mode, kind, key, week, n)
select organisation_id, mode, 'facets', facets::text, 0, count(*) from invoice_listing group by 1, 2, 4
union all
select organisation_id, mode, 'open', due_date::text, 0, count(*) from invoice_listing
 where (facets >> 13) & 1 = 1 and due_date is not null group by 1, 2, 4;

delete from invoice_sums where span = 'due';
insert into invoice_sums (organisation_id, mode, span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor)
select organisation_id, mode, 'due', coalesce(due_date, 'infinity'), facets & 2147418175, count(*), 0, 0, sum(due_minor), 0
  from invoice_listing where due_minor > 0 group by 1, 2, 4, 5;
