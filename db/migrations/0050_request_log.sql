-- What was asked of the API, for those who write programs against it. Nothing points here and nothing is pointed at: rows come in batches behind
-- the requests, and a batch that cannot be written is let go. The one index is enough: ids grow with time.
create table request_log (
  organisation_id uuid not null,
  mode            text not null check (mode in ('sandbox', 'live')),
  id              uuid not null,
  answered_at     timestamptz not null,
  method          text not null,
  route           text,
  path            text not null,
  status          smallint not null,
  reason          text,
  error           text,
  duration_ms     real not null,
  actor_type      text not null check (actor_type in ('user', 'api_key')),
  actor_id        uuid not null,
  actor_name      text not null,
  request_id      text not null,
  address         text not null,
  user_agent      text not null,
  primary key (organisation_id, mode, id)
);
comment on table request_log is 'tenant: requests of the last days, as they came and were answered, without bodies';
