-- What is still to be paid, by the day on which it falls due: kept with the sums, so that it is told for a million documents as fast as for a few.
-- What is listed of a document says what it adds to them.
alter table invoice_listing add column due_minor bigint not null default 0;
update invoice_listing l set due_minor = i.payable_minor - i.credited_minor - i.paid_minor
  from invoices i
 where i.organisation_id = l.organisation_id and i.mode = l.mode and i.id = l.id
   and i.type <> 'credit_note' and i.status not in ('draft', 'cancelled') and i.payable_minor - i.credited_minor > i.paid_minor
   and not (i.paid_minor = 0 and coalesce(i.declared_payment_status, 'unpaid') = 'paid');
alter table invoice_listing alter column due_minor drop default;

alter table invoice_sums drop constraint invoice_sums_span_check;
alter table invoice_sums add constraint invoice_sums_span_check check (span in ('day', 'month', 'due'));
insert into invoice_sums (organisation_id, mode, span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor)
select l.organisation_id, l.mode, 'due', coalesce(l.due_date, l.issue_date), l.facets & 2147418175, count(*), 0, 0, sum(l.due_minor), 0
  from invoice_listing l where l.due_minor > 0
 group by 1, 2, 4, 5;
comment on table invoice_sums is 'tenant: what the invoices that lists have come to, by day and month of issue; and what is left to pay, by the day it is due';

-- What was given up and is not decided, of one organisation.
create index submissions_given_up on submissions (organisation_id, mode) where failed_at is not null;
