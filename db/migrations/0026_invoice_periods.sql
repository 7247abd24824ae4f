-- The first and the last day of the period that an invoice covers, such as a month of a service.
alter table invoices add column period_start date, add column period_end date;

create or replace function keep_documents_right() returns trigger
language plpgsql as $$
begin
  if not (
    new.payable_minor = new.net_minor - new.allowance_minor + new.charge_minor + new.tax_minor + new.rounding_minor
    and least(new.payable_minor, new.allowance_minor, new.charge_minor, new.paid_minor, new.credited_minor,
              new.payable_minor - new.credited_minor) >= 0
    and (new.status = 'draft') = (new.finalised_at is null)
    and (new.type in ('credit_note', 'debit_note')) = (new.original_id is not null)
    and (new.due_date is null or new.due_date >= new.issue_date)
    and (new.period_end is null or new.period_start is null or new.period_end >= new.period_start)
    and (new.instalments is null or instalments_add_up(new.instalments, new.payable_minor, new.due_date))) then
    raise exception 'a document that does not add up cannot be saved';
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    if (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.instalments::text, old.supply_date, old.period_start, old.period_end, old.currency, old.exchange_rate, old.home_tax,
        old.lines::text, old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor,
        old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.contract_reference, old.quote_reference,
        old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
       is distinct from
       (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.instalments::text, new.supply_date, new.period_start, new.period_end, new.currency, new.exchange_rate, new.home_tax,
        new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
        new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.contract_reference, new.quote_reference,
        new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at) then
      raise exception 'an issued document cannot be changed';
    end if;
  end if;
  return new;
end
$$;
