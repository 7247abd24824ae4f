-- Quotes and proforma invoices: what is offered to a buyer. They are never reported and count in no figure of invoices.
create table quotes (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  type text not null,
  number text not null,
  status text not null,
  -- The version that the buyer sees, or would see.
  current_version integer not null,
  -- The first moment after the last valid day. The sweep emits the event of the end once for each such moment.
  expires_at timestamptz,
  is_expiry_emitted boolean default false not null,
  -- Number and buyer, for the search in the list.
  search text not null,
  sent_at timestamptz,
  created_by_type text not null,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, number),
  constraint quotes_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint quotes_mode_check check (mode in ('sandbox', 'live')),
  constraint quotes_type_check check (type in ('quote', 'proforma')),
  constraint quotes_status_check check (status in ('draft', 'sent', 'accepted', 'declined', 'converted', 'cancelled'))
);
comment on table quotes is 'tenant: quotes and proforma invoices';
create index quotes_expiring on quotes (expires_at, organisation_id, mode) where status = 'sent' and expires_at is not null and not is_expiry_emitted;
create index quotes_open on quotes (organisation_id, mode) where status in ('draft', 'sent');

-- The contents of a quote. A version that was sent never changes.
--
-- why: a buyer or seller of a draft can be deleted, so there is no reference to them. A sent version has copies.
create table quote_versions (
  organisation_id uuid not null,
  mode text not null,
  quote_id uuid not null,
  version_number integer not null,
  kind text not null,
  seller_id uuid,
  buyer_id uuid,
  buyer_name text,
  currency text not null,
  issue_date date not null,
  valid_until date,
  lines json not null,
  tax_groups json not null,
  net_minor bigint not null,
  allowance_minor bigint not null,
  charge_minor bigint not null,
  tax_minor bigint not null,
  payable_minor bigint not null,
  texts jsonb not null,
  seller_copy jsonb,
  buyer_copy jsonb,
  -- What the buyer decided: accepted or declined, by whom, where, when, and from which network address.
  decision text,
  decided_by text,
  decided_through text,
  decided_at timestamptz,
  decided_from text,
  remark text,
  created_at timestamptz not null,
  primary key (organisation_id, mode, quote_id, version_number),
  constraint quote_versions_quote_fkey foreign key (organisation_id, mode, quote_id) references quotes(organisation_id, mode, id),
  constraint quote_versions_sum_check check (payable_minor = net_minor - allowance_minor + charge_minor + tax_minor),
  constraint quote_versions_valid_check check (valid_until is null or valid_until >= issue_date),
  constraint quote_versions_decision_check check (decision in ('accepted', 'declined')),
  constraint quote_versions_through_check check (decided_through in ('page', 'seller')),
  constraint quote_versions_decided_check check (num_nulls(decision, decided_by, decided_through, decided_at, decided_from) in (0, 5))
);
comment on table quote_versions is 'tenant: the contents of quotes, version by version';

-- What a quote became.
--
-- why: a draft that was made can be deleted, so there is no reference to invoices.
create table quote_results (
  organisation_id uuid not null,
  mode text not null,
  quote_id uuid not null,
  invoice_id uuid not null,
  kind text not null,
  invoice_number text not null,
  payable_minor bigint not null,
  -- The allowance of the final invoice, which takes the deposit off.
  rest_allowance_minor bigint,
  created_at timestamptz not null,
  primary key (organisation_id, mode, quote_id, invoice_id),
  constraint quote_results_quote_fkey foreign key (organisation_id, mode, quote_id) references quotes(organisation_id, mode, id),
  constraint quote_results_kind_check check (kind in ('invoice', 'deposit', 'final')),
  constraint quote_results_rest_check check ((kind = 'deposit') = (rest_allowance_minor is not null))
);
comment on table quote_results is 'tenant: the invoices that quotes became';

create table quote_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  quote_id uuid not null,
  token_hash text not null,
  sealed_token text not null,
  shared_at timestamptz not null,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, quote_id),
  constraint quote_shares_quote_fkey foreign key (organisation_id, mode, quote_id) references quotes(organisation_id, mode, id)
);
comment on table quote_shares is 'tenant: public links to quotes';

create table quote_share_tokens (
  token_hash text not null primary key,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  constraint quote_share_tokens_mode_check check (mode in ('sandbox', 'live'))
);
comment on table quote_share_tokens is 'global: the link and organisation of each token of a quote';

-- The number of the quote that an invoice follows. Like the other texts, it cannot change once the document is issued.
alter table invoices add column quote_reference text;

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
        old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.contract_reference, old.quote_reference,
        old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
       is distinct from
       (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.instalments::text, new.supply_date, new.currency,
        new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
        new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.contract_reference, new.quote_reference,
        new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at) then
      raise exception 'an issued document cannot be changed';
    end if;
  end if;
  return new;
end $$;
