-- Statistics are answered from sums that are kept with the listing: what is listed of an invoice says what it adds to them.
alter table invoice_listing add column net_minor bigint not null default 0, add column paid_minor bigint not null default 0;
update invoice_listing l set net_minor = i.net_minor, paid_minor = i.paid_minor
  from invoices i where i.organisation_id = l.organisation_id and i.mode = l.mode and i.id = l.id;
alter table invoice_listing alter column net_minor drop default, alter column paid_minor drop default;

-- By day and by month of issue, so that any range takes the whole months in it and the days at its ends. `facets` are those of the
-- listing, with status, type and currency only.
create table invoice_sums (
  organisation_id uuid not null,
  mode            text not null,
  span            text not null check (span in ('day', 'month')),
  since           date not null,
  facets          integer not null,
  n               bigint not null,
  net_minor       numeric not null,
  tax_minor       numeric not null,
  payable_minor   numeric not null,
  paid_minor      numeric not null,
  primary key (organisation_id, mode, span, since, facets)
) with (fillfactor = 70);
comment on table invoice_sums is 'tenant: what the invoices that lists have come to, by day and month of issue';

insert into invoice_sums (organisation_id, mode, span, since, facets, n, net_minor, tax_minor, payable_minor, paid_minor)
select l.organisation_id, l.mode, s.span, date_trunc(s.span, l.issue_date::timestamp)::date, l.facets & 2147418175, count(*),
       sum(l.net_minor), sum(l.tax_minor), sum(l.payable_minor), sum(l.paid_minor)
  from invoice_listing l cross join (values ('day'), ('month')) as s (span)
 group by 1, 2, 3, 4, 5;

-- An index on what changes each time would keep every change of a count from staying on its page: whoever changes counts says which
-- of them came to nothing.
drop index invoice_counts_zero;
drop index invoice_codes_unused;
alter table invoice_counts set (fillfactor = 70);
alter table invoice_codes set (fillfactor = 70);
