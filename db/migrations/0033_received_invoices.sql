-- What other businesses send over the authority's network. A feed is what one pair of keys may see: those of this installation, or
-- those of an organisation that has its own.
create table received_feeds (
  country       text not null,
  mode          text not null check (mode in ('sandbox', 'live')),
  -- 'installation', or the id of the connection whose keys they are
  access        text not null,
  -- when it was last read to the end, and when that was last tried
  polled_at     timestamptz,
  tried_at      timestamptz,
  error         text,
  -- somebody has just joined it: the next look goes back so far
  reach_back_to timestamptz,
  primary key (country, mode, access)
);
comment on table received_feeds is 'machinery: where each feed of received invoices stands';

-- What a feed has named, each once: whether it was looked into, and for whom it was.
create table received_references (
  country             text not null,
  mode                text not null check (mode in ('sandbox', 'live')),
  access              text not null,
  reference           text not null,
  buyer_tax_id_normal text,
  is_open             boolean not null default true,
  tries               integer not null default 0,
  due_at              timestamptz not null,
  seen_at             timestamptz not null,
  primary key (country, mode, access, reference)
);
create index received_references_due on received_references (country, mode, access, due_at) where is_open;
create index received_references_buyer on received_references (country, mode, access, buyer_tax_id_normal);
comment on table received_references is 'machinery: what the feeds have named';

-- Documents that were fetched for a tenant and wait to be looked up, judged and kept.
create table received_arrivals (
  organisation_id uuid not null references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  reference       text not null,
  document        text not null,
  tries           integer not null default 0,
  due_at          timestamptz not null,
  primary key (organisation_id, mode, reference)
);
create index received_arrivals_due on received_arrivals (due_at);
comment on table received_arrivals is 'tenant: fetched documents that are not kept yet';

create table received_invoices (
  organisation_id      uuid not null references organisations (id),
  mode                 text not null check (mode in ('sandbox', 'live')),
  id                   uuid not null,
  -- by what the authority knows it
  reference            text not null,
  -- the same number of the same supplier under other references: kept once, and told here
  repeated_as          text[] not null default '{}',
  type                 text not null,
  type_code            text not null,
  kind                 text,
  number               text not null,
  issue_date           date not null,
  due_date             date,
  currency             text not null,
  seller_name          text,
  seller_tax_id        text,
  -- letters and digits alone: by this numbers are compared, and found by how they begin
  seller_tax_id_plain  text not null,
  seller_search        text not null,
  seller_email         text,
  seller_phone         text,
  seller_city          text,
  seller_country       text,
  buyer_name           text,
  buyer_tax_id         text,
  buyer_tax_id_normal  text not null,
  corrects             text[] not null,
  net_minor            bigint not null,
  tax_minor            bigint not null,
  payable_minor        bigint not null,
  payment_status       text not null check (payment_status in ('unpaid', 'partial', 'paid', 'rejected')),
  access_point         text,
  -- what our own rules found, and what the law says about its tax
  faults               jsonb not null,
  is_claimable         boolean not null,
  claim_rule           text not null,
  claim_message        text not null,
  claim_until          date,
  document             text not null,
  search               text not null,
  search_keys          integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  received_at          timestamptz not null,
  acknowledged_at      timestamptz,
  acknowledge_tries    integer not null default 0,
  acknowledge_at       timestamptz not null,
  primary key (organisation_id, mode, id),
  unique (organisation_id, mode, reference),
  unique (organisation_id, mode, seller_tax_id_plain, number, type)
);
create index received_invoices_received on received_invoices (organisation_id, mode, received_at, id);
create index received_invoices_issued on received_invoices (organisation_id, mode, issue_date, id);
create index received_invoices_amount on received_invoices (organisation_id, mode, payable_minor, id);
create index received_invoices_buyer on received_invoices (organisation_id, mode, buyer_tax_id_normal);
create index received_invoices_search on received_invoices using gin (search_keys) with (fastupdate = off);
create index received_invoices_unacknowledged on received_invoices (acknowledge_at) where acknowledged_at is null;
comment on table received_invoices is 'tenant: what other businesses have invoiced it';

-- Who is meant by the number on a document.
create index tax_connections_number on tax_connections (mode, tax_id_normal) where status = 'connected';
