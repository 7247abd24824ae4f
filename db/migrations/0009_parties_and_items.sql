-- Search by parts of words, within one organisation, from one index.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Every three letters of a text that follow each other, and the two letters that each word begins with after a `^`.
create function search_pieces(search text) returns text[] language sql immutable parallel safe as $$
  select array_agg(piece) from (
    select letter || lead(letter) over (order by place) || lead(letter, 2) over (order by place)
      from unnest(string_to_array(search, null)) with ordinality as letters (letter, place)
    union
    select '^' || pair[1] from regexp_matches(search, '\m\w\w', 'g') as pair
  ) as pieces (piece) where piece is not null
$$;
-- The same as numbers that differ from tenant to tenant. An index over them finds a word of one tenant without reading
-- through all the rows of the tenant, nor through those of others that hold the word.
create function search_keys(organisation_id uuid, mode text, pieces text[]) returns integer[] language sql immutable parallel safe as $$
  select coalesce(array_agg((hashtextextended(piece, uuid_hash_extended(organisation_id, (mode = 'live')::integer)) >> 33)::integer), '{}')
    from unnest(pieces) as piece
$$;

-- Onboarding asks for a tax number that the authority has confirmed.
alter table organisations add column tax_number_verified_at timestamptz;

-- Code lists that were loaded beside those that come with the software: imported by hand, or read from the authority.
-- The newest that counts already wins; older ones stay, so that a bad one can be taken back.
create table code_lists (
  country        text not null,
  type           text not null,
  version        text not null,
  source         text not null check (source in ('import', 'authority')),
  effective_from date not null,
  entries        jsonb not null,
  loaded_at      timestamptz not null,
  primary key (country, type, version)
);
comment on table code_lists is 'global: code lists that are newer than the software';

-- `tax_id` is what was typed, `tax_id_normal` the one spelling by which two are compared, `search` what is searched in.
create table buyers (
  organisation_id      uuid not null references organisations (id),
  mode                 text not null check (mode in ('sandbox', 'live')),
  id                   uuid not null,
  name                 text not null,
  legal_name           text,
  trading_name         text,
  party_type           text not null check (party_type in ('individual', 'company', 'partnership', 'non_profit', 'government')),
  tax_id               text,
  tax_id_normal        text,
  tax_id_type          text not null check (tax_id_type in ('tin', 'rn', 'foreign', 'none')),
  tax_id_status        text not null default 'unverified' check (tax_id_status in (
    'unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable', 'valid_off_network', 'checking')),
  vat_number           text,
  registration_number  text,
  email                text,
  phone                text,
  website              text,
  address              jsonb,
  business_description text,
  reference            text,
  notes                text,
  search               text not null,
  search_keys          integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  version              integer not null default 1,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  archived_at          timestamptz,
  primary key (organisation_id, mode, id),
  check ((tax_id is null) = (tax_id_normal is null))
);
create unique index buyers_tax_id on buyers (organisation_id, mode, tax_id_normal) where archived_at is null and tax_id_normal is not null;
create index buyers_live on buyers (organisation_id, mode, id) where archived_at is null;
create index buyers_by_name on buyers (organisation_id, mode, (left(search, 200) collate "C"), id) where archived_at is null;
create index buyers_search on buyers using gin (search_keys) with (fastupdate = off) where archived_at is null;
comment on table buyers is 'tenant: whom it invoices';

-- The seller of a business is the same in both modes; whether its number was checked is not (tax_number_checks).
create table sellers (
  organisation_id     uuid not null references organisations (id),
  id                  uuid not null,
  is_primary          boolean not null default false,
  name                text not null,
  trading_name        text,
  party_type          text not null check (party_type in ('individual', 'company', 'partnership', 'non_profit', 'government')),
  tax_id              text,
  tax_id_normal       text,
  vat_number          text,
  registration_number text,
  email               text,
  phone               text,
  website             text,
  address             jsonb,
  notes               text,
  search              text not null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (organisation_id, id),
  check ((tax_id is null) = (tax_id_normal is null))
);
create unique index sellers_primary on sellers (organisation_id) where is_primary;
create unique index sellers_tax_id on sellers (organisation_id, tax_id_normal) where tax_id_normal is not null;
create index sellers_search on sellers using gin (organisation_id, search gin_trgm_ops) with (fastupdate = off);
comment on table sellers is 'organisation: in whose name it invoices';

-- Organisations that are older than sellers get theirs now, with their tax number where it is one. They are searched without
-- accents, as those that come later.
insert into sellers (organisation_id, id, is_primary, name, party_type, tax_id, tax_id_normal, email, phone, website, address, search, created_at, updated_at)
select o.id, gen_random_uuid(), true, o.name, 'company', n.given, n.digits, o.contact_email, o.phone, o.website, o.address,
       lower(concat_ws(E'\n', regexp_replace(normalize(o.name, NFKD), '[\u0300-\u036f]', '', 'g'), n.given, n.digits)), o.created_at, o.created_at
  from organisations o
  left join lateral (
    select o.tax_number as given, regexp_replace(o.tax_number, '\D', '', 'g') as digits
     where regexp_replace(o.tax_number, '\D', '', 'g') ~ '^(\d{10}|\d{12}|\d{13})$') n on true;

-- Questions to the authority about a tax number: one open question for each party at a time.
create table tax_number_checks (
  organisation_id uuid not null references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  id              uuid not null,
  party           text not null check (party in ('buyer', 'seller')),
  party_id        uuid not null,
  tax_id          text not null,
  tax_id_normal   text not null,
  tax_id_type     text not null,
  party_name      text not null,
  status          text not null check (status in ('pending', 'verified', 'not_found', 'name_mismatch', 'unavailable')),
  registered_name text,
  charged         boolean not null default false,
  started_at      timestamptz not null,
  ended_at        timestamptz,
  primary key (organisation_id, mode, id),
  check ((status = 'pending') = (ended_at is null))
);
create unique index tax_number_checks_open on tax_number_checks (organisation_id, mode, party, party_id) where status = 'pending';
create index tax_number_checks_newest on tax_number_checks (organisation_id, mode, party, party_id, started_at desc);
comment on table tax_number_checks is 'tenant: what the authority said about tax numbers';

-- Whether the authority's network reaches a number is the same for everybody who asks in one mode.
create table network_lookups (
  country       text not null,
  mode          text not null check (mode in ('sandbox', 'live')),
  tax_id_normal text not null,
  reachable     boolean not null,
  provider      text,
  checked_at    timestamptz not null,
  primary key (country, mode, tax_id_normal)
);
comment on table network_lookups is 'global: which tax numbers the authority''s network reaches';

create table items (
  organisation_id  uuid not null references organisations (id),
  mode             text not null check (mode in ('sandbox', 'live')),
  id               uuid not null,
  name             text not null,
  description      text,
  item_type        text not null check (item_type in ('goods', 'service')),
  hsn_code         text,
  service_code     text,
  product_category text not null,
  unit_code        text not null,
  unit_price_minor numeric(18, 2) not null check (unit_price_minor between 0 and 100000000000000),
  currency         text not null,
  tax_category     text not null,
  sku              text,
  search           text not null,
  search_keys      integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  use_count        bigint not null default 0,
  last_used_at     timestamptz,
  version          integer not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  archived_at      timestamptz,
  primary key (organisation_id, mode, id),
  check ((item_type = 'goods') = (hsn_code is not null)),
  check ((item_type = 'service') = (service_code is not null))
);
create unique index items_sku on items (organisation_id, mode, sku) where archived_at is null and sku is not null;
create index items_by_use on items (organisation_id, mode, use_count desc, id) where archived_at is null;
create index items_by_name on items (organisation_id, mode, lower(name), id) where archived_at is null;
create index items_by_last_use on items (organisation_id, mode, last_used_at desc nulls last, id) where archived_at is null;
create index items_search on items using gin (search_keys) with (fastupdate = off);
comment on table items is 'tenant: goods and services it sells again and again';

-- Uses are appended here by those who use items, and rolled up into the items by a job: a row update for every line of every
-- invoice would make all of them wait for the most popular item.
create table item_uses (
  organisation_id uuid not null,
  mode            text not null,
  item_id         uuid not null,
  id              uuid not null,
  uses            integer not null check (uses > 0),
  used_at         timestamptz not null,
  primary key (organisation_id, mode, item_id, id),
  foreign key (organisation_id, mode, item_id) references items (organisation_id, mode, id) on delete cascade
);
comment on table item_uses is 'tenant: uses of items that are not counted yet';
