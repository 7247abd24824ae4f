-- Money goes to the seller and never stays with whoever runs the service: each provider has a sub-account for the seller's bank account, and every
-- virtual account is split so that the sub-account takes everything.
create table collection_sub_accounts (
  organisation_id uuid not null,
  mode            text not null,
  seller_id       uuid not null,
  provider        text not null,
  -- `pending` until the provider has answered for the settlement account as it is now
  state           text not null check (state in ('pending', 'confirmed', 'refused')),
  -- what the provider said when it refused, or why the last try got no answer
  reason          text,
  -- the provider's code, and the bank account that it stands for. They stay while a change is pending: money still goes there
  code            text,
  bank_code       text,
  account_number  text,
  -- codes of bank accounts before: what came then may still be paid out to them
  former_codes    text[] not null default '{}',
  tries           integer not null default 0,
  -- when the provider is asked next; null: there is nothing to ask
  due_at          timestamptz,
  -- when virtual accounts are led to it that are not yet; null: all of them are
  accounts_due_at timestamptz,
  confirmed_at    timestamptz,
  -- when the provider was last asked for settlements
  followed_at     timestamptz,
  updated_at      timestamptz not null,
  primary key (organisation_id, mode, seller_id, provider),
  foreign key (organisation_id, mode, seller_id) references settlement_accounts (organisation_id, mode, seller_id),
  check (state <> 'confirmed' or code is not null),
  check ((code is null) = (account_number is null))
);
create index collection_sub_accounts_due on collection_sub_accounts (due_at) where due_at is not null;
create index collection_sub_accounts_to_point on collection_sub_accounts (accounts_due_at) where accounts_due_at is not null;
comment on table collection_sub_accounts is 'tenant: what each provider calls the bank account that a seller''s money goes to';

-- Where an account's money goes at its provider. Accounts of versions before go nowhere: null until a sweep has led them to the seller.
alter table virtual_accounts
  add column sub_account_code text,
  -- after a failure: the provider is not told again before then
  add column split_due_at     timestamptz,
  add column split_tries      integer not null default 0,
  add column split_failure    text;
create index virtual_accounts_by_seller on virtual_accounts (organisation_id, mode, seller_id, provider);

-- What a provider paid out to a seller at one time. A sub-account may serve several sellers with one bank account: each has a row of its own.
create table collection_settlements (
  organisation_id    uuid not null,
  mode               text not null,
  id                 uuid not null,
  seller_id          uuid not null,
  provider           text not null,
  provider_reference text not null,
  status             text not null check (status in ('pending', 'settled', 'failed')),
  currency           text not null,
  -- what reached the bank account, and what the provider kept of the seller's share
  amount_minor       bigint not null check (amount_minor >= 0),
  fee_minor          bigint not null check (fee_minor >= 0),
  payment_count      integer not null check (payment_count > 0),
  -- as the provider says it, or else when we heard of it; null until it is paid out
  settled_at         timestamptz,
  found_at           timestamptz not null,
  updated_at         timestamptz not null,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, provider, provider_reference, seller_id),
  foreign key (organisation_id, mode, seller_id) references settlement_accounts (organisation_id, mode, seller_id)
);
create index collection_settlements_newest on collection_settlements (organisation_id, mode, found_at desc, id desc);
comment on table collection_settlements is 'tenant: what providers paid out to sellers';

-- By the provider's reference of the transfer: a settlement may be heard of before the transfer itself is in our books.
create table collection_settled_transfers (
  organisation_id    uuid not null,
  mode               text not null,
  provider           text not null,
  transfer_reference text not null,
  settlement_id      uuid not null,
  amount_minor       bigint not null check (amount_minor >= 0),
  fee_minor          bigint not null check (fee_minor >= 0),
  primary key (organisation_id, mode, provider, transfer_reference, settlement_id),
  foreign key (organisation_id, mode, settlement_id) references collection_settlements (organisation_id, mode, id)
);
comment on table collection_settled_transfers is 'tenant: which transfers a settlement paid out';

-- Differences between what came and what was paid out are exceptions like the others.
alter table collection_differences drop constraint collection_differences_kind_check;
alter table collection_differences add constraint collection_differences_kind_check check (kind in (
  'missing_here', 'missing_there', 'amount', 'currency', 'refunded', 'not_settled', 'settled_amount', 'settled_reversed'));

-- A provider also tells of settlements. Notifications of versions before are about transfers.
alter table collection_notifications add column about text not null default 'transfer' check (about in ('transfer', 'settlement'));

-- By the time at which money came: compared with settlements, over all organisations.
create index received_payments_by_time on received_payments (received_at);
