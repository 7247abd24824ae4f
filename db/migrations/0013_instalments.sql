-- The instalments of an invoice, oldest first: `dueDate`, `amountMinor` and, if it was sent, `percent`. Null: the whole amount is due on one
-- day. Their state is not stored. It follows from what is left to pay, because payments and credit notes settle the oldest first.
alter table invoices add column instalments json;

-- What is left of each instalment if so much is left of all. Must agree with `openInstalments` in the code.
create function open_instalments(instalments json, left_minor bigint) returns table (due_date date, due_minor bigint)
  language sql immutable
  as $$
  select each.due_date, least(each.amount, left_minor - each.later)::bigint
    from (select (value ->> 'dueDate')::date as due_date, (value ->> 'amountMinor')::bigint as amount,
                 sum((value ->> 'amountMinor')::bigint) over (order by nth desc) - (value ->> 'amountMinor')::bigint as later
            from json_array_elements(instalments) with ordinality as x (value, nth)) as each
   where left_minor > each.later
$$;

create function instalments_add_up(instalments json, payable_minor bigint, due_date date) returns boolean
  language sql immutable
  as $$
  select instalments is null or (
    select sum((value ->> 'amountMinor')::bigint) = payable_minor and min((value ->> 'amountMinor')::bigint) > 0
           and max((value ->> 'dueDate')::date) = due_date
      from json_array_elements(instalments) as value)
$$;
alter table invoices add constraint invoices_instalments_check check (instalments is null or instalments_add_up(instalments, payable_minor, due_date));

create or replace function keep_documents_right() returns trigger language plpgsql as $$
begin
  if not (
    new.payable_minor = new.net_minor - new.allowance_minor + new.charge_minor + new.tax_minor + new.rounding_minor
    and least(new.payable_minor, new.allowance_minor, new.charge_minor, new.paid_minor, new.credited_minor,
              new.payable_minor - new.credited_minor) >= 0
    and (new.status = 'draft') = (new.finalised_at is null)
    and (new.type in ('credit_note', 'debit_note')) = (new.original_id is not null)
    and (new.due_date is null or new.due_date >= new.issue_date)) then
    raise exception 'a document that does not add up cannot be saved';
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    if (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.instalments::text, old.supply_date, old.currency,
        old.lines::text, old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor,
        old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.contract_reference,
        old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
       is distinct from
       (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.instalments::text, new.supply_date, new.currency,
        new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
        new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.contract_reference,
        new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at) then
      raise exception 'an issued document cannot be changed';
    end if;
  end if;
  return new;
end $$;

-- `due_date` of a listing row is that of the oldest unpaid instalment. These are the unpaid ones after it: `dueDate` and `dueMinor`.
alter table invoice_listing add column later_instalments jsonb;

-- Later instalments are summed under `due after`, with the due date of the instalment before.
alter table invoice_sums drop constraint invoice_sums_span_check;
alter table invoice_sums add constraint invoice_sums_span_check check (span in ('day', 'month', 'due') or span ~ '^due after \d{4}-\d\d-\d\d$');

-- What is open on an invoice is due by its instalments.
alter table buyer_account_moves add column instalments json;
drop index buyer_account_moves_open;
create index buyer_account_moves_open on buyer_account_moves (organisation_id, mode, buyer_id, currency, superseded_at)
  include (moved_at, open_minor, due_date, instalments) where open_minor <> 0;

-- Adds a move. The caller holds the lock of the invoice, so moves on one invoice follow each other.
create or replace function add_buyer_account_move(
  document invoices, of_type text, minor bigint, at timestamptz, of_payment uuid, dated date) returns void
  language plpgsql
  as $$
declare
  last buyer_account_moves%rowtype;
  on_invoice uuid := invoice_of_document(document);
begin
  if document.buyer_id is null or minor = 0 then
    return;
  end if;
  update buyer_account_moves
     set superseded_at = greatest(at, moved_at)
   where organisation_id = document.organisation_id and mode = document.mode and invoice_id = on_invoice
     and buyer_id = document.buyer_id and currency = document.currency and superseded_at is null
  returning * into last;
  insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                   document_type, document_date, invoice_id, payment_id, open_minor, due_date, instalments)
  values (document.organisation_id, document.mode, document.buyer_id, document.currency, greatest(at, last.moved_at), of_type, minor,
          document.id, document.number, document.type, dated, on_invoice, of_payment, coalesce(last.open_minor, 0) + minor,
          -- A credit note has no due date that counts: that of its invoice stays.
          case when document.id = on_invoice then document.due_date else last.due_date end,
          case when document.id = on_invoice then document.instalments else last.instalments end);
end
$$;
