-- What each buyer owes, as moves that are only added: the ledger behind the statement of account.
--
-- Triggers write the moves, because every amount on an invoice changes in `invoices` or `invoice_payments`, by several
-- statements of several modules and versions. A move commits together with the change that it records.
--
-- why: a buyer whose only invoice was reopened and deleted can still be deleted, so there is no reference to buyers.
create table buyer_account_moves (
  organisation_id uuid not null,
  mode text not null,
  id bigint generated always as identity,
  buyer_id uuid not null,
  currency text not null,
  -- When the books were changed. Never earlier than the move before it on the same invoice.
  moved_at timestamptz not null,
  type text not null,
  -- Above zero if the buyer owes more.
  amount_minor bigint not null,
  -- The document that the move is about: a credit note, or the invoice itself.
  document_id uuid not null,
  document_number text not null,
  document_type text not null,
  -- The day of issue, or the day on which the payment was made.
  document_date date not null,
  -- The invoice that the move counts on. For a credit note, the invoice that it corrects.
  invoice_id uuid not null,
  payment_id uuid,
  -- What is open on the invoice after this move. Below zero if the seller owes it to the buyer.
  open_minor bigint not null,
  due_date date,
  -- When the next move on the invoice followed. Null for the last one.
  superseded_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint buyer_account_moves_mode_check check (mode in ('sandbox', 'live')),
  constraint buyer_account_moves_amount_check check (amount_minor <> 0),
  constraint buyer_account_moves_type_check check (type in ('document', 'document_withdrawn', 'declared_paid',
    'declared_paid_withdrawn', 'payment', 'payment_reversed', 'payment_moved'))
);
comment on table buyer_account_moves is 'tenant: every change of what a buyer owes, written by triggers';

-- The lines of a period, in order, and their sums.
create index buyer_account_moves_in_order on buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, id) include (amount_minor);
-- What is open at a moment: rows of that moment that no later move had superseded.
create index buyer_account_moves_open on buyer_account_moves (organisation_id, mode, buyer_id, currency, superseded_at)
  include (moved_at, open_minor, due_date) where open_minor <> 0;
-- One last move for each invoice on each account: two at once would lose an amount.
create unique index buyer_account_moves_last on buyer_account_moves (organisation_id, mode, invoice_id, buyer_id, currency) where superseded_at is null;

-- A debit note is a debt of its own. A credit note changes what is open on the invoice that it corrects.
create function invoice_of_document(document invoices) returns uuid
  language sql immutable
  as $$
  select case when document.type = 'credit_note' then coalesce(document.original_id, document.id) else document.id end
$$;

-- Adds a move. The caller holds the lock of the invoice, so moves on one invoice follow each other.
create function add_buyer_account_move(
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
                                   document_type, document_date, invoice_id, payment_id, open_minor, due_date)
  values (document.organisation_id, document.mode, document.buyer_id, document.currency, greatest(at, last.moved_at), of_type, minor,
          document.id, document.number, document.type, dated, on_invoice, of_payment, coalesce(last.open_minor, 0) + minor,
          -- A credit note has no due date that counts: that of its invoice stays.
          case when document.id = on_invoice then document.due_date else last.due_date end);
end
$$;

-- What a document adds to what its buyer owes. Drafts and rejected documents do not count.
create function owed_by_document(document invoices) returns bigint
  language sql immutable
  as $$
  select case
    when document.id is null or document.status in ('draft', 'rejected') then 0
    when document.type = 'credit_note' then -document.payable_minor
    else document.payable_minor
  end
$$;

-- What counts as paid because the invoice was declared as paid. The first recorded payment ends that.
create function declared_as_paid(document invoices) returns bigint
  language sql immutable
  as $$
  select case
    when document.declared_payment_status = 'paid' and document.paid_minor = 0 and document.type <> 'credit_note'
      and document.status not in ('draft', 'rejected')
      then greatest(document.payable_minor - document.credited_minor, 0)
    else 0
  end
$$;

create function keep_buyer_account_of_invoice() returns trigger
  language plpgsql
  as $$
declare
  before invoices%rowtype;
  is_other_account boolean;
begin
  if tg_op = 'UPDATE' then
    before := old;
  end if;
  is_other_account := (before.buyer_id, before.currency) is distinct from (new.buyer_id, new.currency);
  if is_other_account or owed_by_document(before) <> owed_by_document(new) then
    perform add_buyer_account_move(before, 'document_withdrawn', -owed_by_document(before), new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(new, 'document', owed_by_document(new), new.updated_at, null, new.issue_date);
  end if;
  if is_other_account or declared_as_paid(before) <> declared_as_paid(new) then
    perform add_buyer_account_move(before, 'declared_paid_withdrawn', declared_as_paid(before), new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(new, 'declared_paid', -declared_as_paid(new), new.updated_at, null, new.issue_date);
  end if;
  -- A rejected invoice that was paid can be corrected, also its buyer. Its payments go with it.
  if tg_op = 'UPDATE' and is_other_account then
    perform add_buyer_account_move(before, 'payment_moved', new.paid_minor, new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(new, 'payment_moved', -new.paid_minor, new.updated_at, null, new.issue_date);
  end if;
  return null;
end
$$;

create function keep_buyer_account_of_payment() returns trigger
  language plpgsql
  as $$
declare
  invoice invoices%rowtype;
begin
  select * into invoice from invoices
   where organisation_id = new.organisation_id and mode = new.mode and id = new.invoice_id;
  if tg_op = 'INSERT' then
    perform add_buyer_account_move(invoice, 'payment', -new.amount_minor, new.recorded_at, new.id, new.paid_on);
  else
    perform add_buyer_account_move(invoice, 'payment_reversed', new.amount_minor, new.reversed_at, new.id, new.paid_on);
  end if;
  return null;
end
$$;

create trigger new_invoices_on_buyer_accounts after insert on invoices for each row when (new.status <> 'draft')
  execute function keep_buyer_account_of_invoice();
create trigger changed_invoices_on_buyer_accounts after update on invoices for each row
  when ((old.status in ('draft', 'rejected')) <> (new.status in ('draft', 'rejected'))
    or old.declared_payment_status = 'paid' or new.declared_payment_status = 'paid'
    or (new.paid_minor <> 0 and (old.buyer_id is distinct from new.buyer_id or old.currency <> new.currency)))
  execute function keep_buyer_account_of_invoice();
create trigger new_payments_on_buyer_accounts after insert on invoice_payments for each row
  execute function keep_buyer_account_of_payment();
create trigger reversed_payments_on_buyer_accounts after update on invoice_payments for each row
  when (old.reversed_at is null and new.reversed_at is not null)
  execute function keep_buyer_account_of_payment();

-- The accounts of documents that exist already. What was rejected or reopened before today left no trace, so only
-- documents that count now have a move.
insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                 document_type, document_date, invoice_id, payment_id, open_minor, due_date, superseded_at)
select organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, number, document_type, document_date, invoice_id,
       payment_id, sum(amount_minor) over (on_invoice rows between unbounded preceding and current row),
       max(due_date) over (partition by organisation_id, mode, invoice_id, buyer_id, currency), lead(moved_at) over on_invoice
  from (
    select i.organisation_id, i.mode, i.buyer_id, i.currency, coalesce(i.finalised_at, i.created_at) as moved_at, 'document' as type,
           owed_by_document(i) as amount_minor, i.id as document_id, i.number, i.type as document_type, i.issue_date as document_date,
           invoice_of_document(i) as invoice_id, null::uuid as payment_id, case when i.type <> 'credit_note' then i.due_date end as due_date, 1 as nth
      from invoices i where i.status not in ('draft', 'rejected')
    union all
    select i.organisation_id, i.mode, i.buyer_id, i.currency, coalesce(i.finalised_at, i.created_at), 'declared_paid', -declared_as_paid(i),
           i.id, i.number, i.type, i.issue_date, i.id, null, i.due_date, 2
      from invoices i where i.declared_payment_status = 'paid'
    union all
    select i.organisation_id, i.mode, i.buyer_id, i.currency, moved.at, moved.type, moved.minor, i.id, i.number, i.type, p.paid_on, i.id, p.id,
           i.due_date, 3
      from invoice_payments p
      join invoices i on i.organisation_id = p.organisation_id and i.mode = p.mode and i.id = p.invoice_id
      cross join lateral (values ('payment', p.recorded_at, -p.amount_minor), ('payment_reversed', p.reversed_at, p.amount_minor)) as moved (type, at, minor)
     where moved.at is not null) as moves
 where buyer_id is not null and amount_minor <> 0
window on_invoice as (partition by organisation_id, mode, invoice_id, buyer_id, currency order by moved_at, nth, payment_id, type);

-- Public links to the statement of account of one buyer, currency and period.
create table account_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  buyer_id uuid not null,
  currency text not null,
  from_day date not null,
  to_day date not null,
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organisation_id, mode, id),
  constraint account_shares_buyer_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id) on delete cascade,
  constraint account_shares_mode_check check (mode in ('sandbox', 'live'))
);
comment on table account_shares is 'tenant: public links to statements of account';
create index account_shares_of_buyer on account_shares (organisation_id, mode, buyer_id, id);
create index account_shares_by_end on account_shares (expires_at);

create table account_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  primary key (token_hash),
  constraint account_share_tokens_mode_check check (mode in ('sandbox', 'live'))
);
comment on table account_share_tokens is 'global: the link and organisation of each token of a statement of account';
