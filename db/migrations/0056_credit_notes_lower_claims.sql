-- What can be deducted was told without the credit notes that lower it. A credit note now has the day until which it counts, as an invoice
-- has: those that are kept get it where nothing is wrong with them and tax is charged.
lock table received_invoices, received_figures in share row exclusive mode;
update received_invoices set claim_until = (issue_date + interval '5 years')::date
 where type = 'credit_note' and claim_until is null and faults = '[]' and tax_minor > 0 and payment_status <> 'rejected';

delete from received_figures;
insert into received_figures
select organisation_id, mode, currency, payment_status, coalesce(due_date, 'infinity'),
       coalesce(claim_until, case when is_claimable then date 'infinity' else '-infinity' end), count(*),
       count(*) filter (where sign < 0), count(*) filter (where faults <> '[]'), sum(sign * net_minor), sum(sign * tax_minor),
       sum(sign * payable_minor)
  from (select *, case when type = 'credit_note' then -1 else 1 end as sign from received_invoices) as r
 group by 1, 2, 3, 4, 5, 6;
