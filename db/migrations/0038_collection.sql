-- Buyers pay by bank transfer into accounts that a provider keeps for us. What came is in the provider's books; ours say what it was for.
create table settlement_accounts (
  organisation_id uuid not null,
  mode            text not null check (mode in ('sandbox', 'live')),
  seller_id       uuid not null,
  id              uuid not null,
  provider        text not null,
  jurisdiction    text not null,
  currency        text not null,
  bank_code       text not null,
  bank_nip_code   text,
  bank_name       text not null,
  account_number  text not null,
  -- as the bank says it
  account_name    text not null,
  seller_name     text not null,
  seller_type     text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organisation_id, mode, seller_id),
  foreign key (organisation_id, seller_id) references sellers (organisation_id, id)
);
comment on table settlement_accounts is 'tenant: the bank account that a seller''s money goes to';

-- `opening` while the provider is being asked for it: nobody is shown it yet, but its reference is taken.
create table virtual_accounts (
  organisation_id     uuid not null,
  mode                text not null,
  id                  uuid not null,
  reference           text not null,
  -- of what was asked for: the same reference gives the same account, and no other
  fingerprint         text not null,
  kind                text not null check (kind in ('persistent', 'dynamic')),
  state               text not null check (state in ('opening', 'active', 'deactivated')),
  provider            text not null,
  jurisdiction        text not null,
  currency            text not null,
  seller_id           uuid not null,
  buyer_id            uuid,
  invoice_id          uuid,
  customer            jsonb not null,
  account_reference   text,
  method              text,
  amount_minor        bigint check (amount_minor > 0),
  limit_minor         bigint check (limit_minor > 0),
  expires_at          timestamptz,
  -- what the provider calls it
  handle              text not null,
  account_number      text,
  account_name        text,
  bank_code           text,
  bank_name           text,
  created_by_type     text not null,
  created_by          uuid,
  created_at          timestamptz not null,
  deactivated_at      timestamptz,
  deactivation_reason text,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, reference),
  foreign key (organisation_id, mode, seller_id) references settlement_accounts (organisation_id, mode, seller_id),
  foreign key (organisation_id, mode, buyer_id) references buyers (organisation_id, mode, id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id) on delete set null (invoice_id),
  check (state = 'opening' or account_number is not null),
  check ((state = 'deactivated') = (deactivated_at is not null))
);
create index virtual_accounts_newest on virtual_accounts (organisation_id, mode, created_at desc, id desc);
create index virtual_accounts_by_buyer on virtual_accounts (organisation_id, mode, buyer_id) where buyer_id is not null;
create index virtual_accounts_by_invoice on virtual_accounts (organisation_id, mode, invoice_id) where invoice_id is not null;
create index virtual_accounts_by_handle on virtual_accounts (handle);
comment on table virtual_accounts is 'tenant: accounts that buyers pay into';

-- Every naira that came is in exactly one of four places, by a constraint. `pending` until somebody has looked what it is for.
create table received_payments (
  organisation_id       uuid not null,
  mode                  text not null,
  id                    uuid not null,
  account_id            uuid not null,
  provider              text not null,
  provider_reference    text not null,
  -- who paid, as far as the account or the invoice tells: credit belongs to somebody
  buyer_id              uuid,
  currency              text not null,
  amount_minor          bigint not null check (amount_minor > 0),
  unmatched_minor       bigint not null,
  credited_minor        bigint not null default 0,
  applied_minor         bigint not null default 0,
  refunded_minor        bigint not null default 0,
  matched_at            timestamptz,
  reconciliation_status text not null generated always as (
    case when matched_at is null then 'pending' when unmatched_minor > 0 then 'unmatched'
         when credited_minor > 0 then 'overpaid' else 'applied' end) stored,
  sender_name           text,
  narration             text,
  received_at           timestamptz not null,
  recorded_at           timestamptz not null,
  -- the sender's bank took it back
  reversed_at           timestamptz,
  version               integer not null default 1,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, provider, provider_reference),
  foreign key (organisation_id, mode, account_id) references virtual_accounts (organisation_id, mode, id),
  foreign key (organisation_id, mode, buyer_id) references buyers (organisation_id, mode, id),
  check (credited_minor = 0 or buyer_id is not null),
  constraint received_money_is_somewhere check (
    unmatched_minor + credited_minor + applied_minor + refunded_minor = amount_minor
    and least(unmatched_minor, credited_minor, applied_minor, refunded_minor) >= 0)
);
create index received_payments_newest on received_payments (organisation_id, mode, received_at desc, id desc);
create index received_payments_by_status on received_payments (organisation_id, mode, reconciliation_status, received_at desc, id desc);
create index received_payments_pending on received_payments (recorded_at) where matched_at is null;
create index received_payments_credit on received_payments (organisation_id, mode, buyer_id, currency, received_at, id) where credited_minor > 0;
comment on table received_payments is 'tenant: what came into virtual accounts, and where every naira of it is';

-- Each move from one place to another, numbered within its payment without gaps.
create table received_payment_moves (
  organisation_id    uuid not null,
  mode               text not null,
  payment_id         uuid not null,
  seq                integer not null,
  type               text not null,
  from_place         text not null,
  to_place           text not null,
  amount_minor       bigint not null check (amount_minor > 0),
  invoice_id         uuid,
  -- the payment of the invoice that it stands for
  invoice_payment_id uuid,
  refund_id          uuid,
  actor_kind         text not null,
  actor_id           uuid,
  moved_at           timestamptz not null,
  primary key (organisation_id, mode, payment_id, seq),
  foreign key (organisation_id, mode, payment_id) references received_payments (organisation_id, mode, id)
);
comment on table received_payment_moves is 'tenant: every move of received money, append-only';

create function refuse_to_rewrite_received_money() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of received money is append-only';
end $$;
create trigger received_payment_moves_are_append_only before update or delete on received_payment_moves
  for each row execute function refuse_to_rewrite_received_money();

-- Written down, and its money set aside, before the provider is asked: its id is the provider's key, so that it is sent once.
create table collection_refunds (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  payment_id      uuid not null,
  state           text not null check (state in ('pending', 'sent', 'failed')),
  amount_minor    bigint not null check (amount_minor > 0),
  -- where it came from, for the case that it is refused
  credited_minor  bigint not null default 0 check (credited_minor >= 0),
  reason          text,
  failure         text,
  tries           integer not null default 0,
  due_at          timestamptz,
  asked_at        timestamptz not null,
  settled_at      timestamptz,
  primary key (organisation_id, mode, id),
  foreign key (organisation_id, mode, payment_id) references received_payments (organisation_id, mode, id),
  check ((state = 'pending') = (settled_at is null))
);
create index collection_refunds_of_payment on collection_refunds (organisation_id, mode, payment_id, asked_at);
create index collection_refunds_due on collection_refunds (due_at) where due_at is not null;
comment on table collection_refunds is 'tenant: received money that goes back, and what became of it';

-- What the provider's statement and our books say differently, until they do not any more.
create table collection_differences (
  organisation_id uuid not null,
  mode            text not null,
  payment_id      uuid not null,
  kind            text not null check (kind in ('missing_here', 'missing_there', 'amount', 'currency', 'refunded')),
  ours_minor      bigint,
  theirs_minor    bigint,
  found_at        timestamptz not null,
  settled_at      timestamptz,
  primary key (organisation_id, mode, payment_id, kind),
  foreign key (organisation_id, mode, payment_id) references received_payments (organisation_id, mode, id)
);
create index collection_differences_open on collection_differences (organisation_id, mode) where settled_at is null;
comment on table collection_differences is 'tenant: where a provider''s statement and our books differ';

-- What collection providers told us, once per id of theirs; the table is the queue, too. It proves nothing by itself: it says when to look.
create table collection_notifications (
  provider    text not null,
  mode        text not null,
  id          text not null,
  subject     text not null,
  received_at timestamptz not null default now(),
  due_at      timestamptz default now(),
  tries       integer not null default 0,
  outcome     text,
  primary key (provider, mode, id)
);
create index collection_notifications_due on collection_notifications (due_at) where due_at is not null;
create index collection_notifications_by_time on collection_notifications (received_at);
comment on table collection_notifications is 'global: what collection providers told us, before we know whom it concerns';

create table collection_feeds (
  provider      text not null,
  mode          text not null,
  -- the statement was read up to here
  swept_to      timestamptz,
  reconciled_at timestamptz,
  primary key (provider, mode)
);
comment on table collection_feeds is 'machinery: how far each provider''s statement was read';

-- A payment that came by bank transfer is taken back where it came from, and not by hand.
alter table invoice_payments add column received_payment_id uuid;
