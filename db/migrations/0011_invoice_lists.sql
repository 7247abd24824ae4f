-- What lists of invoices are found, ordered and counted by. A job brings it up to date from `invoice_changes`; whoever reads a
-- list adds what the job has not taken up yet. `facets` packs what has few values into one number, so that one index and one set of
-- counts serve every filter over them and every combination of these. `party_id` is the buyer of a draft, and stands for the name
-- and tax number on what was issued.
create table invoice_listing (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  created_at      timestamptz not null,
  facets          integer not null,
  issue_date      date not null,
  due_date        date,
  payable_minor   bigint not null,
  tax_minor       bigint not null,
  buyer_id        uuid,
  seller_id       uuid,
  created_by      uuid,
  party_id        uuid,
  number_key      text collate "C" not null,
  irn_key         text collate "C",
  -- type, code and product category of each line, with tabs between them
  codes           text[] not null,
  primary key (organisation_id, mode, id)
);
create index invoice_listing_created on invoice_listing (organisation_id, mode, created_at, id) include (facets, issue_date, due_date, payable_minor);
create index invoice_listing_facets on invoice_listing (organisation_id, mode, facets, created_at, id) include (due_date);
create index invoice_listing_issued on invoice_listing (organisation_id, mode, issue_date, created_at, id);
create index invoice_listing_due on invoice_listing (organisation_id, mode, due_date, created_at, id);
create index invoice_listing_number on invoice_listing (organisation_id, mode, number_key, created_at, id);
create index invoice_listing_payable on invoice_listing (organisation_id, mode, payable_minor, created_at, id);
create index invoice_listing_tax on invoice_listing (organisation_id, mode, tax_minor, created_at, id);
create index invoice_listing_buyer on invoice_listing (organisation_id, mode, buyer_id, created_at, id) where buyer_id is not null;
create index invoice_listing_seller on invoice_listing (organisation_id, mode, seller_id, created_at, id) where seller_id is not null;
create index invoice_listing_creator on invoice_listing (organisation_id, mode, created_by, created_at, id) where created_by is not null;
create index invoice_listing_party on invoice_listing (organisation_id, mode, party_id, created_at, id) where party_id is not null;
create index invoice_listing_irn on invoice_listing (organisation_id, mode, irn_key, created_at, id) where irn_key is not null;
comment on table invoice_listing is 'tenant: what lists of invoices are found by, following behind the invoices';

-- How many rows of the listing have what is named by kind and key, in each week of creation for some kinds and in all (week 0) for
-- the others. Changed in the transaction that changes the listing.
create table invoice_counts (
  organisation_id uuid not null,
  mode            text not null,
  kind            text not null,
  key             text collate "C" not null,
  week            integer not null,
  n               bigint not null,
  primary key (organisation_id, mode, kind, key, week)
);
create index invoice_counts_zero on invoice_counts (organisation_id, mode) where n = 0;
comment on table invoice_counts is 'tenant: how many invoices lists have of each kind';

-- The names and tax numbers on issued documents, each once: a word is looked for here and not in every invoice.
create table invoice_parties (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  search          text not null,
  search_keys     integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  primary key (organisation_id, mode, id)
);
create index invoice_parties_search on invoice_parties using gin (search_keys) with (fastupdate = off);
comment on table invoice_parties is 'tenant: buyers as issued invoices name them';

-- A draft is found by the name of its buyer today, also when nobody invoices that buyer any more.
create index buyers_archived on buyers (organisation_id, mode) where archived_at is not null;

create table invoice_codes (
  organisation_id uuid not null,
  mode            text not null,
  type            text not null check (type in ('goods', 'service')),
  code            text not null,
  uses            bigint not null,
  last_used_at    timestamptz not null,
  description     text,
  primary key (organisation_id, mode, type, code)
);
create index invoice_codes_unused on invoice_codes (organisation_id, mode) where uses = 0;
comment on table invoice_codes is 'tenant: codes that invoice lines name, and how often';
