-- What the platform keeps for itself. A table's comment begins with its scope; a structure test holds it to that:
--   machinery     rows of the platform, no business data of one organisation in particular
--   global        people and lists that belong to no organisation
--   organisation  leads its primary key with organisation_id
--   tenant        leads its primary key with organisation_id, mode

-- Keys that have sealed or signed something in this database, to notice a key file that belongs to another one.
create table secret_keys (
  key_id        text primary key,
  fingerprint   text not null,
  first_seen_at timestamptz not null default now()
);
comment on table secret_keys is 'machinery: fingerprints of the key file''s keys';

-- Background work, asked for in the transaction that needs it; rows leave when the relay has carried them to the queue.
create table outbox (
  seq        bigint generated always as identity primary key,
  job        text not null,
  payload    jsonb not null,
  run_at     timestamptz,
  job_key    text,
  created_at timestamptz not null
);
comment on table outbox is 'machinery: jobs on their way to the queue';

-- The first answer to each Idempotency-Key. A row without an answer belongs to an exchange that is still under way.
create table idempotency_keys (
  organisation_id uuid not null,
  mode            text not null check (mode in ('sandbox', 'live')),
  key             text not null,
  target          text not null,
  body_hash       text not null,
  exchange_id     uuid,
  status          smallint,
  headers         jsonb,
  body            text,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  primary key (organisation_id, mode, key, target)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_open on idempotency_keys (exchange_id) where status is null;
comment on table idempotency_keys is 'tenant: the first answer to each Idempotency-Key, for 24 hours';

-- What we set out to ask an outside party. A row left behind by a dead process is settled by a sweep.
create table exchanges (
  id              uuid primary key,
  name            text not null,
  organisation_id uuid,
  mode            text check (mode in ('sandbox', 'live')),
  caller          jsonb not null,
  intent          jsonb not null,
  started_at      timestamptz not null default now(),
  abandoned_after timestamptz not null
);
create index exchanges_abandoned on exchanges (abandoned_after);
comment on table exchanges is 'machinery: questions to outside parties that have not been settled yet';

-- Whose tokens changed. Nodes follow this log; `xid` lets them follow it without missing a late commit.
create table auth_changes (
  seq        bigint generated always as identity primary key,
  subject    text not null,
  xid        xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index auth_changes_by_xid on auth_changes (xid);
comment on table auth_changes is 'machinery: whose tokens must be looked at anew';

-- How much of a limit was handed out to nodes in one window of time.
create table rate_windows (
  subject    text not null,
  window_end timestamptz not null,
  used       integer not null,
  primary key (subject, window_end)
);
create index rate_windows_past on rate_windows (window_end);
comment on table rate_windows is 'machinery: requests counted per subject and window';

-- Everything that happened, written in the transaction that made it happen. The same rows are what webhooks tell of and
-- what the audit log shows, so neither can know of something that the other does not.
create table events (
  organisation_id uuid not null,
  id              uuid not null,
  seq             bigint generated always as identity,
  mode            text check (mode in ('sandbox', 'live')),
  type            text not null,
  object_id       text not null,
  data            jsonb not null,
  actor_kind      text not null check (actor_kind in ('user', 'api_key', 'service', 'system')),
  actor_id        uuid,
  actor_name      text not null,
  address         text not null,
  user_agent      text not null,
  request_id      text not null,
  created_at      timestamptz not null,
  relayed_at      timestamptz,
  primary key (organisation_id, id)
);
create index events_waiting on events (seq) where relayed_at is null;
comment on table events is 'organisation: everything that happened, for webhooks and the audit log';

-- What happened cannot be changed afterwards; only the relay's note may be added.
create function refuse_to_rewrite_events() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;
create trigger events_are_append_only
  before delete or update of organisation_id, id, mode, type, object_id, data, actor_kind, actor_id, actor_name, address,
    user_agent, request_id, created_at on events
  for each row execute function refuse_to_rewrite_events();
create trigger events_are_not_emptied before truncate on events
  for each statement execute function refuse_to_rewrite_events();
