-- Who wants to be told of events, and where. One that was deleted stays for its deliveries, which are a log.
create table webhook_endpoints (
  organisation_id        uuid not null references organisations (id),
  mode                   text not null check (mode in ('sandbox', 'live')),
  id                     uuid not null,
  -- how it is spoken to: the one that it was made in
  dialect                text not null,
  url                    text not null check (length(url) <= 2048),
  description            text,
  patterns               text[] not null check (cardinality(patterns) between 1 and 100),
  -- what whoever last chose the patterns or the address may read of: more is not delivered
  capabilities           text[] not null,
  -- how often it is tried, where it is not as usual
  plan                   jsonb,
  -- the highest version of event types that it was made for
  event_versions         smallint not null default 1,
  sealed_secret          text not null,
  -- signs too until then
  sealed_previous_secret text,
  previous_secret_until  timestamptz,
  failures_in_row        integer not null default 0,
  disabled_at            timestamptz,
  disabled_cause         text check (disabled_cause in ('manual', 'failures', 'gone')),
  created_by             uuid,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  deleted_at             timestamptz,
  primary key (organisation_id, mode, id),
  check ((disabled_at is null) = (disabled_cause is null)),
  check ((sealed_previous_secret is null) = (previous_secret_until is null))
);
comment on table webhook_endpoints is 'tenant: addresses that are told of events';

-- One row for each event and endpoint, and one index: its id is made of both, so that it is told once, and begins with the time of the
-- event. What waits is in the queue and not in an index of this table, so that noting how an attempt ended touches no index.
create table webhook_deliveries (
  organisation_id uuid not null,
  mode            text not null,
  id              uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  type            text not null,
  is_test         boolean not null default false,
  -- the bytes that are sent, however often
  body            text not null,
  status          text not null check (status in ('pending', 'delivering', 'retrying', 'delivered', 'failed')),
  -- asked for by hand: tried once, also where the endpoint is disabled
  is_manual       boolean not null default false,
  -- begun; each stands in the log once it has ended
  attempts        smallint not null default 0,
  -- failed since it was last asked for
  failed          smallint not null default 0,
  begun_at        timestamptz,
  next_attempt_at timestamptz,
  log             jsonb not null default '[]',
  reason          text,
  created_at      timestamptz not null,
  closed_at       timestamptz,
  primary key (organisation_id, mode, id)
) with (fillfactor = 80);
comment on table webhook_deliveries is 'tenant: what was or is to be sent to endpoints, with the log of every attempt';

-- Deliveries that wait for an attempt. `due_at` is also how long whoever took one may take.
create table webhook_queue (
  id              uuid primary key,
  organisation_id uuid not null,
  mode            text not null,
  endpoint_id     uuid not null,
  due_at          timestamptz not null,
  taken_by        uuid
);
create index webhook_queue_due on webhook_queue (endpoint_id, due_at);
comment on table webhook_queue is 'machinery: deliveries that wait for an attempt, or are being attempted again';

-- Deliveries that a process sends right after it has written them: one row for all of them, gone when the last has ended. One whose time is
-- over belongs to a process that died; what is left of it goes to the queue.
create table webhook_batches (
  id         uuid primary key,
  taken_by   uuid not null,
  due_at     timestamptz not null,
  deliveries jsonb not null
);
comment on table webhook_batches is 'machinery: deliveries that a process is sending for the first time';
