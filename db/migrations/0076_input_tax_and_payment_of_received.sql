-- Deductible input tax counted every tax on a document, and credit notes of documents that never counted. Each document now says what
-- counts of its own (input_tax_minor: VAT that can be claimed, or VAT that a credit note takes back) and what is left of it after its
-- notes (claimable_minor). Only the second is added up, so no sum is ever less than nothing.
lock table received_invoices, received_figures, received_references in share row exclusive mode;
alter table received_invoices
  add column input_tax_minor     bigint not null default 0,
  add column claimable_minor     bigint not null default 0 check (claimable_minor >= 0),
  -- references of other documents of the same supplier with the same number and type, and another day of issue
  add column possible_duplicates text[] not null default '{}',
  -- the payment status is asked for again, less and less often; null when it is not asked for any more
  add column payment_checks      integer not null default 0,
  add column payment_checked_at  timestamptz,
  add column payment_check_at    timestamptz;
alter table received_figures add column claimable_minor numeric not null default 0;
-- Why a document was set aside; null where nothing is wrong with it.
alter table received_references add column problem text;
alter table received_arrivals add column problem text;

create function pg_temp.vat_minor(document text) returns bigint language plpgsql as $$
begin
  return (
    select coalesce(sum(round((subtotal ->> 'tax_amount')::numeric * 100)), 0)::bigint
      from json_array_elements(
             case json_typeof(document::json -> 'tax_total') when 'array' then document::json -> 'tax_total' else '[]' end) as total,
           json_array_elements(
             case json_typeof(total -> 'tax_subtotal') when 'array' then total -> 'tax_subtotal' else '[]' end) as subtotal
     where btrim(subtotal -> 'tax_category' ->> 'id') in ('STANDARD_VAT', 'REDUCED_VAT'));
exception when others then
  -- A document whose tax cannot be read claims nothing.
  return 0;
end $$;

update received_invoices
   set input_tax_minor = case when is_claimable or type = 'credit_note' and payment_status <> 'rejected'
                              then greatest(pg_temp.vat_minor(document), 0) else 0 end,
       claim_until = case when type <> 'credit_note' then claim_until end,
       payment_checked_at = received_at,
       payment_check_at = case when received_at > now() - interval '400 days' then now() + random() * interval '1 day' end;
update received_invoices set claimable_minor = input_tax_minor where is_claimable;
update received_invoices i
   set claimable_minor = greatest(i.input_tax_minor - taken.minor, 0)
  from (select organisation_id, mode, seller_tax_id_plain, currency, corrects[1] as reference, sum(input_tax_minor) as minor
          from received_invoices where type = 'credit_note' and corrects <> '{}' group by 1, 2, 3, 4, 5) as taken
 where i.is_claimable and i.organisation_id = taken.organisation_id and i.mode = taken.mode and i.reference = taken.reference
   and i.seller_tax_id_plain = taken.seller_tax_id_plain and i.currency = taken.currency;

-- A supplier that starts its numbers anew lost its second invoice. Only a repetition on the same day is one document; others are kept
-- and marked. What was left out before is fetched again.
alter table received_invoices drop constraint received_invoices_organisation_id_mode_seller_tax_id_plain__key;
create unique index received_invoices_once_a_day
  on received_invoices (organisation_id, mode, seller_tax_id_plain, number, type, issue_date) where seller_tax_id_plain <> '';
update received_references f set is_open = true, tries = 0, due_at = now()
  from received_invoices i
 where i.repeated_as <> '{}' and f.mode = i.mode and f.reference = any (i.repeated_as);
update received_invoices set repeated_as = '{}' where repeated_as <> '{}';

create index received_invoices_number on received_invoices (organisation_id, mode, number);
create index received_invoices_named on received_invoices (mode, reference);
create index received_invoices_corrects on received_invoices using gin (corrects) with (fastupdate = off) where corrects <> '{}';
create index received_invoices_repeated on received_invoices using gin (repeated_as) with (fastupdate = off) where repeated_as <> '{}';
create index received_invoices_payment_due on received_invoices (payment_check_at) where payment_check_at is not null;
create index received_invoices_payment_of on received_invoices (organisation_id, mode, payment_check_at) where payment_check_at is not null;
create index received_references_problems on received_references (country, mode) where is_open and problem is not null;
create index received_arrivals_problems on received_arrivals (mode) where problem is not null;

delete from received_figures;
insert into received_figures
select organisation_id, mode, currency, payment_status, coalesce(due_date, 'infinity'),
       case when is_claimable then coalesce(claim_until, 'infinity') else '-infinity' end, count(*),
       count(*) filter (where sign < 0), count(*) filter (where faults <> '[]'), sum(sign * net_minor), sum(sign * tax_minor),
       sum(sign * payable_minor), sum(claimable_minor)
  from (select *, case when type = 'credit_note' then -1 else 1 end as sign from received_invoices) as r
 group by 1, 2, 3, 4, 5, 6;

-- Whether the network reaches a number was kept for ever. It is purged by age.
create index network_lookups_by_age on network_lookups (checked_at);
