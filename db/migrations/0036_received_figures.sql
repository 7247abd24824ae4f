-- What received invoices come to, counted as they are kept, so that a page of a list and the figures do not go through all of them. What
-- is kept never changes, so nothing has to be taken back here. Due and claimable days stand apart: both end by themselves.
create table received_figures (
  organisation_id uuid not null references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  currency        text not null,
  payment_status  text not null,
  -- 'infinity' where it is due on no day
  due_date        date not null,
  -- the last day on which the tax can be claimed: '-infinity' where it never can, 'infinity' where that does not end
  claim_until     date not null,
  count           bigint not null,
  credit_notes    bigint not null,
  faulty          bigint not null,
  -- credit notes as less
  net_minor       numeric not null,
  tax_minor       numeric not null,
  payable_minor   numeric not null,
  primary key (organisation_id, mode, currency, payment_status, due_date, claim_until)
);
comment on table received_figures is 'tenant: what received invoices come to';

create table received_suppliers (
  organisation_id     uuid not null references organisations (id),
  mode                text not null check (mode in ('sandbox', 'live')),
  currency            text not null,
  seller_tax_id_plain text not null,
  primary key (organisation_id, mode, currency, seller_tax_id_plain)
);
comment on table received_suppliers is 'tenant: who has sent something, in which currency';

insert into received_figures
select organisation_id, mode, currency, payment_status, coalesce(due_date, 'infinity'),
       case when is_claimable then coalesce(claim_until, 'infinity') else '-infinity' end, count(*),
       count(*) filter (where sign < 0), count(*) filter (where faults <> '[]'), sum(sign * net_minor), sum(sign * tax_minor),
       sum(sign * payable_minor)
  from (select *, case when type = 'credit_note' then -1 else 1 end as sign from received_invoices) as r
 group by 1, 2, 3, 4, 5, 6;
insert into received_suppliers
select distinct organisation_id, mode, currency, seller_tax_id_plain from received_invoices;
