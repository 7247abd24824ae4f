-- Items that background work could not do, so that one failing item never stops the others: which, why, how often and since when.
create table failing_items (
  -- the log name of the failure
  problem         text not null,
  -- the id of the item, or what else names it
  item            text not null,
  organisation_id uuid,
  mode            text check (mode in ('sandbox', 'live')),
  reason          text not null,
  failures        integer not null default 1,
  first_at        timestamptz not null default now(),
  last_at         timestamptz not null default now(),
  primary key (problem, item)
);
create index failing_items_by_time on failing_items (last_at);
comment on table failing_items is 'machinery: items that background work fails on at present';

-- A transfer that cannot be read or recorded is a stray too. What is not known of it is null; the entry of the statement is kept as it came.
alter table collection_strays
  alter column handle drop not null,
  alter column amount_minor drop not null,
  alter column currency drop not null,
  alter column received_at drop not null,
  drop constraint collection_strays_reason_check,
  add constraint collection_strays_reason_check
    check (reason in ('unknown_account', 'other_mode', 'no_amount', 'unreadable', 'failed')),
  add column detail text,
  add column entry text,
  add column tries integer not null default 0,
  -- when the provider is asked about it again; null where nobody asks again
  add column due_at timestamptz,
  -- when it was recorded as a payment after all
  add column taken_in_at timestamptz,
  add constraint collection_strays_known
    check (reason = 'unreadable' or (handle is not null and amount_minor is not null and currency is not null and received_at is not null));
create index collection_strays_due on collection_strays (due_at) where due_at is not null;
comment on table collection_strays is 'machinery: transfers into accounts that are none of ours, or that could not be taken in';

-- One row for each day of a provider's statement that was compared with our books.
create table collection_reconciliations (
  provider   text not null,
  mode       text not null check (mode in ('sandbox', 'live')),
  day        date not null,
  checked_at timestamptz not null,
  -- false where a part of the day was not compared
  is_whole   boolean not null,
  -- how many transfers the provider's statement had
  transfers  integer not null,
  problem    text,
  primary key (provider, mode, day)
);
comment on table collection_reconciliations is 'machinery: which days of a provider''s statement were compared with our books';
