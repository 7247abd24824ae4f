-- The books of credits. Every credit that was ever issued to a tenant is in exactly one place: available, held while an
-- outside party is asked, spent, or lent to a child organisation. `owed` counts credits that were taken back (a refund, a
-- charge-back) after they had been spent; what is issued later settles it first. The table itself refuses books that do
-- not balance, and a balance below zero, under any concurrency.
create table credit_balances (
  organisation_id uuid not null references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  available       bigint not null default 0 check (available >= 0),
  held            bigint not null default 0 check (held >= 0),
  spent           bigint not null default 0 check (spent >= 0),
  lent            bigint not null default 0 check (lent >= 0),
  owed            bigint not null default 0 check (owed >= 0),
  issued          bigint not null default 0,
  version         bigint not null default 0,
  opened_at       timestamptz not null,
  primary key (organisation_id, mode),
  constraint credit_books_balance check (available + held + spent + lent = issued + owed)
);
comment on table credit_balances is 'tenant: where every credit is';

-- Each move from one place to another, once per cause, in order of `seq`, which has no gaps within a tenant.
create table credit_moves (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  seq             bigint not null,
  type            text not null check (type in ('charge', 'refund', 'hold', 'capture', 'release', 'grant', 'purchase', 'settlement', 'reversal', 'debt', 'pool_out', 'pool_in')),
  from_place      text not null,
  to_place        text not null,
  amount          bigint not null check (amount > 0),
  action          text,
  cause           text not null,
  available_after bigint not null,
  created_at      timestamptz not null,
  primary key (organisation_id, mode, id),
  foreign key (organisation_id, mode) references credit_balances (organisation_id, mode)
);
create unique index credit_moves_cause on credit_moves (organisation_id, mode, type, cause);
create unique index credit_moves_order on credit_moves (organisation_id, mode, seq);
comment on table credit_moves is 'tenant: every move of credits, append-only';

create function refuse_to_rewrite_credit_moves() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of credits is append-only';
end $$;
create trigger credit_moves_are_append_only before update or delete on credit_moves
  for each row execute function refuse_to_rewrite_credit_moves();
