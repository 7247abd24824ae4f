-- What one invoice needs at the least: its number, its charge with the ledger row that explains it, itself, its lines, and a
-- word to the outside. Plain tables with the keys that keep them right, and nothing else. Written before ours, and not
-- changed since: what our own statement does is held against it.
create schema reference;
create table reference.series (organisation_id uuid primary key, next_number bigint not null);
create table reference.balances (
  organisation_id uuid primary key,
  available       bigint not null check (available >= 0),
  spent           bigint not null,
  version         bigint not null
);
create table reference.moves (
  organisation_id uuid not null references reference.balances (organisation_id),
  seq             bigint not null,
  amount          bigint not null,
  cause           text not null,
  available_after bigint not null,
  created_at      timestamptz not null,
  primary key (organisation_id, seq)
);
create unique index on reference.moves (organisation_id, cause);
create table reference.invoices (
  organisation_id uuid not null,
  id              uuid not null,
  number          text not null,
  status          text not null,
  kind            text not null,
  buyer_id        uuid,
  issue_date      date not null,
  due_date        date,
  currency        text not null,
  net_minor       bigint not null,
  tax_minor       bigint not null,
  payable_minor   bigint not null,
  payment_terms   text,
  notes           text,
  created_by      uuid not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organisation_id, id)
);
create unique index on reference.invoices (organisation_id, number);
create table reference.lines (
  organisation_id  uuid not null,
  invoice_id       uuid not null,
  position         smallint not null,
  description      text not null,
  hsn_code         text,
  product_category text,
  quantity         numeric not null,
  unit_code        text not null,
  unit_price       numeric not null,
  discount_minor   bigint not null,
  net_minor        bigint not null,
  tax_category     text not null,
  tax_rate         numeric not null,
  primary key (organisation_id, invoice_id, position),
  foreign key (organisation_id, invoice_id) references reference.invoices (organisation_id, id)
);
create table reference.outbox (
  organisation_id uuid not null,
  id              uuid not null,
  seq             bigint generated always as identity,
  type            text not null,
  object_id       uuid not null,
  data            jsonb not null,
  created_at      timestamptz not null,
  primary key (organisation_id, id)
);
create index on reference.outbox (seq);

insert into reference.series select gen_random_uuid(), 1 from generate_series(1, 100);
insert into reference.balances select organisation_id, 1000000000, 0, 0 from reference.series;
create table reference.callers as select row_number() over () as nth, organisation_id from reference.series;
create unique index on reference.callers (nth);
