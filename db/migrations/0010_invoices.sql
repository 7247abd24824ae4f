-- The next number of each series. Taken in the transaction of the document that gets it, so that there are no gaps.
create table number_series (
  organisation_id uuid not null references organisations (id),
  mode            text not null,
  series          text not null,
  next_number     bigint not null,
  primary key (organisation_id, mode, series)
);
comment on table number_series is 'tenant: the next number of each series of documents';

-- Every number that a document ever had, as the authority reads it: letters and digits in capitals. A row stays when its
-- draft is deleted, so that no number is given twice.
create table invoice_numbers (
  organisation_id uuid not null,
  mode            text not null,
  reading         text not null,
  invoice_id      uuid not null,
  primary key (organisation_id, mode, reading)
);
comment on table invoice_numbers is 'tenant: numbers that documents have or had, each given once and for ever';

-- Checks are read and prepared anew by every statement that writes a row. On what is written with every invoice only one is kept:
-- that the books balance, and that nothing in them falls below zero.
alter table credit_balances
  drop constraint credit_balances_mode_check, drop constraint credit_balances_available_check,
  drop constraint credit_balances_held_check, drop constraint credit_balances_spent_check, drop constraint credit_balances_lent_check,
  drop constraint credit_balances_owed_check, drop constraint credit_balances_low_balance_threshold_check,
  drop constraint credit_books_balance,
  add constraint credit_books_balance check (
    available + held + spent + lent = issued + owed and least(available, held, spent, lent, owed) >= 0);
alter table credit_moves drop constraint credit_moves_type_check, drop constraint credit_moves_amount_check;
-- A move is only ever entered from the row of the balance that it changed, so that nothing has to look for that row again. It is
-- known by its place in the order.
alter table credit_moves drop constraint credit_moves_organisation_id_mode_fkey, drop constraint credit_moves_pkey;
drop index credit_moves_order;
alter table credit_moves add primary key (organisation_id, mode, seq);
alter table events drop constraint events_mode_check, drop constraint events_actor_kind_check;

-- Invoices, prepayments, credit notes and debit notes. Lines stand in the row, as they were written: a document is written,
-- read and frozen as a whole. `seller_copy` and `buyer_copy` are taken when it is finalised. An issued document holds its parties
-- (issued_parties); a draft names them and holds nobody. That the organisation exists is proven by the charge in the same transaction.
create table invoices (
  organisation_id          uuid not null,
  mode                     text not null,
  id                       uuid not null,
  number                   text not null,
  type                     text not null,
  kind                     text not null,
  status                   text not null default 'draft',
  seller_id                uuid,
  buyer_id                 uuid,
  issue_date               date not null,
  issue_time               time(0),
  due_date                 date,
  currency                 text not null,
  lines                    json not null,
  tax_groups               json not null,
  net_minor                bigint not null,
  allowance_minor          bigint not null,
  charge_minor             bigint not null,
  tax_minor                bigint not null,
  rounding_minor           bigint not null default 0,
  payable_minor            bigint not null,
  paid_minor               bigint not null default 0,
  credited_minor           bigint not null default 0,
  -- what the sender said of its payment, as long as no payment was recorded
  declared_payment_status  text,
  payment_terms            text,
  notes                    text,
  purchase_order_reference text,
  buyer_reference          text,
  accounting_cost          text,
  original_id              uuid,
  reason                   text,
  seller_copy              jsonb,
  buyer_copy               jsonb,
  irn                      text,
  qr_text                  text,
  -- how far it has come to its buyer
  delivery                 text not null default 'none',
  finalised_at             timestamptz,
  submitted_at             timestamptz,
  sent_at                  timestamptz,
  shared_at                timestamptz,
  created_by_type          text not null,
  created_by               uuid,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  version                  integer not null default 1,
  primary key (organisation_id, mode, id),
  foreign key (organisation_id, mode, original_id) references invoices (organisation_id, mode, id)
);
create index invoices_of_original on invoices (organisation_id, mode, original_id) where original_id is not null;
-- A usual invoice stays in its page as it is: packing it would cost more than the rest of its insertion.
alter table invoices set (toast_tuple_target = 8160);
comment on table invoices is 'tenant: invoices and notes, with their lines';

-- What was issued is a legal document: whatever the code above it does, its contents stay as they were.
create function refuse_to_rewrite_issued() returns trigger language plpgsql as $$
begin
  raise exception 'an issued document cannot be changed';
end $$;
create function refuse_what_does_not_add_up() returns trigger language plpgsql as $$
begin
  raise exception 'a document that does not add up cannot be saved';
end $$;
create trigger issued_invoices_are_frozen before update on invoices for each row
  when (old.status <> 'draft' and new.status <> 'draft' and
        (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.currency, old.lines::text,
         old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor, old.payable_minor,
         old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.original_id, old.reason,
         old.seller_copy, old.buyer_copy, old.finalised_at)
        is distinct from
        (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.currency, new.lines::text,
         new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor, new.payable_minor,
         new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.original_id, new.reason,
         new.seller_copy, new.buyer_copy, new.finalised_at))
  execute function refuse_to_rewrite_issued();
-- Said when a row is changed and not when it is made: so it holds of everything that was ever issued.
create trigger invoices_add_up before update on invoices for each row
  when (not (
    new.payable_minor = new.net_minor - new.allowance_minor + new.charge_minor + new.tax_minor + new.rounding_minor
    and least(new.payable_minor, new.allowance_minor, new.charge_minor, new.paid_minor, new.credited_minor,
              new.payable_minor - new.credited_minor) >= 0
    and (new.status = 'draft') = (new.finalised_at is null)
    and (new.type in ('credit_note', 'debit_note')) = (new.original_id is not null)
    and (new.due_date is null or new.due_date >= new.issue_date)))
  execute function refuse_what_does_not_add_up();
create trigger issued_invoices_stay before delete on invoices for each row when (old.status <> 'draft')
  execute function refuse_to_rewrite_issued();

-- Whom issued documents name: these parties cannot be deleted any more. A draft has no row here.
create table issued_parties (
  organisation_id uuid not null,
  mode            text not null,
  invoice_id      uuid not null,
  buyer_id        uuid,
  seller_id       uuid,
  primary key (organisation_id, mode, invoice_id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id),
  foreign key (organisation_id, mode, buyer_id) references buyers (organisation_id, mode, id),
  foreign key (organisation_id, seller_id) references sellers (organisation_id, id)
);
create index issued_parties_by_buyer on issued_parties (organisation_id, mode, buyer_id) where buyer_id is not null;
create index issued_parties_by_seller on issued_parties (organisation_id, seller_id) where seller_id is not null;
comment on table issued_parties is 'tenant: whom issued invoices name, and therefore hold';

-- Which saved items lines were made from: an item that a line names cannot be deleted.
create table invoice_items (
  organisation_id uuid not null,
  mode            text not null,
  invoice_id      uuid not null,
  item_id         uuid not null,
  primary key (organisation_id, mode, invoice_id, item_id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id) on delete cascade,
  foreign key (organisation_id, mode, item_id) references items (organisation_id, mode, id)
);
create index invoice_items_by_item on invoice_items (organisation_id, mode, item_id);
comment on table invoice_items is 'tenant: saved items that invoice lines were made from';

-- Which invoices changed since lists and counts were brought up to date; readers of a list add these by hand.
create table invoice_changes (
  organisation_id uuid not null,
  mode            text not null,
  invoice_id      uuid not null,
  seq             bigint generated always as identity,
  primary key (organisation_id, mode, invoice_id, seq)
);
comment on table invoice_changes is 'tenant: invoices that lists have not taken up yet';

-- A draft that was issued once and reopened takes its reversed payments with it when it is deleted.
create table invoice_payments (
  organisation_id  uuid not null,
  mode             text not null,
  id               uuid not null,
  invoice_id       uuid not null,
  amount_minor     bigint not null check (amount_minor > 0),
  paid_on          date not null,
  method           text,
  reference        text,
  recorded_by_type text not null,
  recorded_by      uuid,
  recorded_at      timestamptz not null,
  reversed_at      timestamptz,
  primary key (organisation_id, mode, id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id) on delete cascade
);
create index invoice_payments_by_invoice on invoice_payments (organisation_id, mode, invoice_id, recorded_at);
comment on table invoice_payments is 'tenant: payments of invoices that were recorded, reversed ones included';

-- Links to public pages. The page is found by the hash of the token; the token itself is sealed, so that the link can be shown
-- again to those who shared it.
create table invoice_shares (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  invoice_id      uuid not null,
  token_hash      text not null unique,
  sealed_token    text not null,
  shared_at       timestamptz not null,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, invoice_id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id)
);
comment on table invoice_shares is 'tenant: public links to invoices';

-- How documents look, and where the organisation wants to be paid.
create table letterheads (
  organisation_id uuid primary key references organisations (id),
  logo            jsonb,
  bank            jsonb,
  updated_at      timestamptz not null
);
comment on table letterheads is 'organisation: logo and bank details on its documents';
