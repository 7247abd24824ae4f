-- The schema of version 1.0.0. Later versions change the schema by migrations of their own; this file never changes. Tables are listed under the
-- module that writes them. `npm run schema:write` writes the result of all migrations to db/schema.sql.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Functions that indexes and generated columns use

-- All runs of three letters in a text, and the first two letters of each word after a `^`.
create function search_pieces(search text) returns text[] language sql immutable parallel safe as $$
  select array_agg(piece) from (
    select letter || lead(letter) over (order by place) || lead(letter, 2) over (order by place)
      from unnest(string_to_array(search, null)) with ordinality as letters (letter, place)
    union
    select '^' || pair[1] from regexp_matches(search, '\m\w\w', 'g') as pair
  ) as pieces (piece) where piece is not null
$$;

-- The same as numbers that differ for each tenant. An index over these numbers finds a word of one tenant without reading other rows of the tenant or
-- of other tenants.
create function search_keys(organisation_id uuid, mode text, pieces text[]) returns integer[] language sql immutable parallel safe as $$
  select coalesce(array_agg((hashtextextended(piece, uuid_hash_extended(organisation_id, (mode = 'live')::integer)) >> 33)::integer), '{}')
    from unnest(pieces) as piece
$$;

-- The first id of a month: ids begin with their time in milliseconds.
create function first_id_at(instant timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- The oldest running transaction that may write to this database. The check goes from the oldest to the newest, one by one, until a transaction does
-- not belong to another database. A join would let the planner choose the order, and events of older transactions would be skipped. A prepared
-- transaction has no process, so it counts as one of this database.
create function settled_before() returns xid8 language sql stable parallel restricted as $$
  select coalesce(
    (select running.xid from (select xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid) order by xid offset 0) as running
      where not (select exists (
        select from pg_locks l cross join lateral pg_stat_get_activity(l.pid) as a
         where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock' and l.transactionid = running.xid::xid
           and a.pid = l.pid and a.datid <> (select oid from pg_database where datname = current_database())))
      order by running.xid limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$$;


-- ---------------------------------------------------------------- secrets

-- Keys that sealed or signed something in this database. They reveal a key file that belongs to another database.
create table secret_keys (
  key_id text not null,
  fingerprint text not null,
  first_seen_at timestamptz default now() not null,
  primary key (key_id)
);
comment on table secret_keys is 'machinery: fingerprints of the key file''s keys';

-- ---------------------------------------------------------------- operations

-- Intents to call an outside party. A sweep settles the row of a dead process.
create table exchanges (
  id uuid not null,
  name text not null,
  organisation_id uuid,
  mode text,
  caller jsonb not null,
  intent jsonb not null,
  started_at timestamptz default now() not null,
  abandoned_after timestamptz not null,
  settled_at timestamptz,
  outcome text,
  reason text,
  late_at timestamptz,
  primary key (id),
  constraint exchanges_check check ((settled_at is null) = (outcome is null)),
  constraint exchanges_mode_check check (mode in ('sandbox', 'live')),
  constraint exchanges_outcome_check check (outcome in ('answered', 'unknown'))
);
comment on table exchanges is 'machinery: calls to outside parties, and their outcomes for 30 days';
create index exchanges_abandoned on exchanges (abandoned_after) where (settled_at is null);
create index exchanges_settled on exchanges (settled_at) where (settled_at is not null);

-- The first reply to each Idempotency-Key. A row without a reply belongs to an exchange that is still running.
create table idempotency_keys (
  organisation_id uuid not null,
  mode text not null,
  key text not null,
  target text not null,
  body_mac text not null,
  exchange_id uuid,
  status smallint,
  headers jsonb,
  sealed_body text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  said jsonb,
  -- The outcome that a sweep settled in place of a dead process, for a repeated request.
  sealed_output text,
  -- The reply of a hot statement, stored as references to a list of common words: about 0.9 KB.
  answer bytea,
  primary key (organisation_id, mode, key, target)
) with (toast_tuple_target=8160, autovacuum_vacuum_insert_threshold=-1);
comment on table idempotency_keys is 'tenant: the first reply to each Idempotency-Key, for 24 hours';
alter table only idempotency_keys alter column sealed_body set storage external;
alter table only idempotency_keys alter column said set statistics 0;
alter table only idempotency_keys alter column answer set statistics 0;
alter table only idempotency_keys alter column answer set storage external;
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_open on idempotency_keys (exchange_id) where (status is null);

-- ---------------------------------------------------------------- events

-- Exact totals for the audit log without counting all events: the number of events by type, by actor, by day and by month. `id_month` is the
-- partition of the events; the row is deleted together with that partition. All counted events lie between `first_id` and `last_id`, so other months
-- are not read.
create table event_counts (
  organisation_id uuid not null,
  span text not null,
  since date not null,
  type text not null,
  actor_id uuid not null,
  id_month date not null,
  n bigint not null,
  first_id uuid not null,
  last_id uuid not null,
  primary key (organisation_id, span, since, type, actor_id, id_month),
  constraint event_counts_span_check check (span in ('day', 'month'))
) with (fillfactor=70);
comment on table event_counts is 'organisation: how many events there are, for totals of the audit log';
create index event_counts_of_partition on event_counts (id_month);

-- The current era. The default of `events.era` has the same value; both change together after a dump was loaded.
create table event_era (
  only_row boolean default true not null,
  era smallint not null,
  primary key (only_row),
  constraint event_era_only_row_check check (only_row)
);
comment on table event_era is 'machinery: the current era; transaction ids order the events within an era';

-- The cursor of each consumer. `from_id` excludes months that the consumer has read completely. A failing event stays here until it succeeds or an
-- operator skips it.
create table event_cursors (
  consumer text not null,
  era smallint not null,
  xid xid8 not null,
  seq bigint not null,
  from_id uuid not null,
  failures integer default 0 not null,
  failing_event uuid,
  reason text,
  retry_at timestamptz,
  moved_at timestamptz default now() not null,
  follows text[],
  follows_seen_at timestamptz,
  primary key (consumer)
);
comment on table event_cursors is 'machinery: the cursor of each consumer in the event log';

-- Events are never changed.
create function refuse_to_rewrite_events() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;

-- The event log. Each event is written in the transaction that made it true. Webhooks and the audit log read the same rows, so neither can know an
-- event that the other lacks.
create sequence events_seq;
create table events (
  organisation_id uuid not null,
  id uuid not null,
  era smallint default 1 not null,
  xid xid8 default pg_current_xact_id() not null,
  seq bigint default nextval('events_seq') not null,
  mode text,
  type text not null,
  version smallint default 1 not null,
  object_id text not null,
  object_version bigint,
  data jsonb not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  address text not null,
  user_agent text not null,
  request_id text not null,
  created_at timestamptz not null,
  primary key (organisation_id, id)
) partition by range (id);
alter sequence events_seq owned by events.seq;
comment on table events is 'organisation: the event log, for webhooks and the audit log';
comment on column events.version is 'version of the payload''s shape, for each type';
comment on column events.object_version is 'version of the object that the event describes; null if objects of its kind have no versions';
create index events_in_order on events (era, xid, seq);
create index events_by_actor on events (organisation_id, actor_id, id) where (actor_id is not null);
create index events_of_organisation_in_order on events (organisation_id, era, xid, seq);
create index events_about_object on events (organisation_id, object_id, id);
-- One index for each filter of the audit log, in the order of its pages.
create index events_of_type on events (organisation_id, type, id);
-- Events are never changed.
create trigger events_are_append_only before delete or update on events for each row execute function refuse_to_rewrite_events();

-- Events that a consumer failed on, set aside so that the later events continue. Workers retry them at intervals.
create table set_aside_events (
  consumer text not null,
  event_id uuid not null,
  organisation_id uuid not null,
  reason text not null,
  tries integer not null,
  set_aside_at timestamptz default now() not null,
  retry_at timestamptz not null,
  primary key (consumer, event_id)
);
comment on table set_aside_events is 'machinery: events that a consumer failed on, to be retried';
create index set_aside_events_of_organisation on set_aside_events (organisation_id, consumer);

-- Events that an operator made a consumer skip.
create table skipped_events (
  consumer text not null,
  event_id uuid not null,
  organisation_id uuid not null,
  reason text not null,
  failure text,
  skipped_at timestamptz default now() not null,
  primary key (consumer, event_id)
);
comment on table skipped_events is 'machinery: events that an operator made a consumer skip, and why';

-- Events whose month has no partition.
create table events_elsewhen partition of events default;
create trigger events_are_not_emptied before truncate on events_elsewhen for each statement execute function refuse_to_rewrite_events();

-- Called before the first read after a dump was loaded. If new transaction ids would be lower than those of the dump, a new era begins.
CREATE FUNCTION begin_event_era_if_needed() RETURNS smallint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
  latest record;
begin
  select e.era, e.xid into latest from events e order by e.era desc, e.xid desc limit 1;
  if latest.era is null or latest.era < (select era from event_era) or latest.xid < pg_current_xact_id() then
    return (select era from event_era);
  end if;
  update event_era set era = latest.era + 1;
  execute format('alter table events alter column era set default %s', latest.era + 1);
  return latest.era + 1;
end $$;
revoke execute on function begin_event_era_if_needed from public;

-- Drops one month of events and its counts. The last two months are always kept.
create function drop_event_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '5s' as $$
declare
  starts date := date_trunc('month', month);
begin
  if starts + interval '3 months' > date_trunc('month', now()) then
    raise exception 'events of two months are kept at least';
  end if;
  -- why: drops only months older than the retention time, with their counts
  execute format('drop table if exists public.%I', 'events_' || to_char(starts, 'YYYY_MM'));
  delete from public.event_counts where id_month = starts;
end $$;
revoke execute on function drop_event_month from public;

-- Months with events in the default partition for which a partition can be made.
create function event_months_elsewhen() returns setof date
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct date_trunc('month', at at time zone 'UTC')::date
    from public.events_elsewhen
   cross join lateral (select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as at) as made
   where at between now() - interval '1199 months' and now() + interval '23 months'
$$;
revoke execute on function event_months_elsewhen from public;

-- A caller of this function can drop months of events. So the function checks the limits: at least two months stay, and at most two years ahead are
-- made.
create function keep_event_partitions(first_month date, months_ahead integer, kept_months integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  starts  date := date_trunc('month', first_month);
  name    text;
  dropped integer := 0;
begin
  if kept_months < 2 or months_ahead not between 0 and 24 or first_month < now() - interval '1200 months' then
    raise exception 'events of two months are kept at least, and months are made for two years ahead at most';
  end if;
  while starts <= date_trunc('month', now()) + make_interval(months => months_ahead) loop
    name := 'events_' || to_char(starts, 'YYYY_MM');
    if to_regclass('public.' || name) is null then
      execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name,
        public.first_id_at(starts::timestamp at time zone 'UTC'), public.first_id_at((starts + interval '1 month') at time zone 'UTC'));
      execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
    end if;
    starts := starts + interval '1 month';
  end loop;
  -- why: drops only months older than the retention time, with their counts
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.events'::regclass and c.relname ~ '^events_\d{4}_\d{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= date_trunc('month', now()) - make_interval(months => kept_months)
  loop
    execute format('drop table public.%I', name);
    delete from public.event_counts where id_month = to_date(right(name, 7), 'YYYY_MM');
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function keep_event_partitions from public;

-- Makes the partition of one month and moves the month's events out of the default partition. One transaction does both, so that no reader misses an
-- event. Returns how many events were moved; null if the partition existed.
create function make_event_month(month date) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '5s' as $$
declare
  starts    date := date_trunc('month', month);
  name      text := 'events_' || to_char(starts, 'YYYY_MM');
  first_id  uuid := public.first_id_at(starts::timestamp at time zone 'UTC');
  behind_id uuid := public.first_id_at((starts + interval '1 month') at time zone 'UTC');
  moved     bigint := 0;
begin
  if starts not between now() - interval '1200 months' and now() + interval '24 months' then
    raise exception 'months are made for two years ahead at most';
  end if;
  if to_regclass('public.' || name) is not null then
    return null;
  end if;
  if exists (select from public.events_elsewhen where id >= first_id and id < behind_id) then
    lock table public.events_elsewhen in access exclusive mode;
    execute format('create table public.%I (like public.events including defaults including constraints)', name);
    alter table public.events_elsewhen disable trigger events_are_append_only;
    execute format(
      'with moved as (delete from public.events_elsewhen where id >= %L and id < %L returning *) insert into public.%I select * from moved',
      first_id, behind_id, name);
    get diagnostics moved = row_count;
    alter table public.events_elsewhen enable trigger events_are_append_only;
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', name, first_id, behind_id);
  else
    execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name, first_id, behind_id);
  end if;
  execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
  return moved;
end $$;
revoke execute on function make_event_month from public;

select keep_event_partitions(now()::date, 3, 1200);
insert into event_era (era) values (1);

-- ---------------------------------------------------------------- work

-- Items that a background job fails on, so that one failing item never stops the others: which item, why, how often and since when.
create table failing_items (
  problem text not null,
  item text not null,
  organisation_id uuid,
  mode text,
  reason text not null,
  failures integer default 1 not null,
  first_at timestamptz default now() not null,
  last_at timestamptz default now() not null,
  primary key (problem, item),
  constraint failing_items_mode_check check (mode in ('sandbox', 'live'))
);
comment on table failing_items is 'machinery: items that background jobs fail on at present';
create index failing_items_by_time on failing_items (last_at);

-- Jobs, enqueued in the transaction that needs them. Queues do not wait for each other, and organisations take turns. A row is deleted when its job
-- is done. `due_at` is also the end of a worker's lease, so a dead worker's job becomes due again by itself. The organisation is all zeros for jobs
-- that belong to none.
create table jobs (
  id uuid not null,
  queue text not null,
  organisation_id uuid not null,
  job text not null,
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  attempts smallint default 0 not null,
  taken_by uuid,
  is_wanted_again boolean default false not null,
  given_up_at timestamptz,
  reason text,
  created_at timestamptz default now() not null,
  primary key (id)
);
comment on table jobs is 'machinery: jobs that wait or run';
create index jobs_due on jobs (queue, organisation_id, due_at) where (given_up_at is null);
create unique index jobs_keys on jobs (job, key) where (key is not null and given_up_at is null);

-- ---------------------------------------------------------------- callers

-- Subjects whose tokens changed. Nodes follow this log; with `xid` they do not miss a transaction that commits late.
create table auth_changes (
  seq bigint generated always as identity,
  subject text not null,
  xid xid8 default pg_current_xact_id() not null,
  changed_at timestamptz default now() not null,
  primary key (seq)
);
comment on table auth_changes is 'machinery: subjects whose tokens every node must check again';
create index auth_changes_by_xid on auth_changes (xid);

-- ---------------------------------------------------------------- limits

-- How much of a rate limit was handed out to nodes in one window of time.
create table rate_windows (
  subject text not null,
  window_end timestamptz not null,
  used integer not null,
  primary key (subject, window_end)
);
comment on table rate_windows is 'machinery: requests counted per subject and window';
create index rate_windows_past on rate_windows (window_end);

-- ---------------------------------------------------------------- messages

-- The built-in mailbox, used if no mail server is configured.
create table mailbox (
  id uuid not null,
  channel text not null,
  recipient text not null,
  created_at timestamptz not null,
  sealed_body text not null,
  primary key (id),
  constraint mailbox_channel_check check (channel in ('email', 'sms'))
);
comment on table mailbox is 'global: mails that would have been sent if a mail server were configured';
create index mailbox_by_recipient on mailbox (lower(recipient), created_at desc);

-- Mails and text messages. The body may contain a code, so the body is sealed, and deleted once the message was handed over.
create table messages (
  id uuid not null,
  cause text not null,
  channel text not null,
  recipient text not null,
  sealed_body text,
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint messages_cause_key unique (cause),
  primary key (id),
  constraint messages_channel_check check (channel in ('email', 'sms')),
  constraint messages_check check ((sealed_body is null) = (sent_at is not null))
);
comment on table messages is 'global: mails and text messages to people, one per cause';
create index messages_waiting on messages (created_at) where (sent_at is null);

-- ---------------------------------------------------------------- reference

-- Code lists in addition to those in the software: imported by hand, or read from the authority. The newest list that is already in force wins. Older
-- lists stay, so that a bad one can be withdrawn.
create table code_lists (
  country text not null,
  type text not null,
  version text not null,
  source text not null,
  effective_from date not null,
  entries jsonb not null,
  loaded_at timestamptz not null,
  primary key (country, type, version),
  constraint code_lists_source_check check (source in ('import', 'authority'))
);
comment on table code_lists is 'global: code lists that are newer than the software';

-- ---------------------------------------------------------------- people

-- Wrong guesses at passwords, second factors and codes. `purpose` is what is guessed. `network` is the network of the caller; the empty network
-- counts all networks together that the account has never signed in from. `lockouts` counts the lockouts in a row: each wait is longer than the last.
create table attempt_counters (
  purpose text not null,
  account_mac text not null,
  network text not null,
  wrong integer not null,
  began_at timestamptz not null,
  lockouts smallint not null,
  locked_until timestamptz,
  primary key (purpose, account_mac, network)
);
comment on table attempt_counters is 'global: wrong guesses at passwords and codes, by account, purpose and network';
create index attempt_counters_past on attempt_counters (began_at);

create table users (
  id uuid not null,
  email text not null,
  email_verified_at timestamptz,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  phone_verified_at timestamptz,
  totp_secret text,
  totp_pending text,
  totp_enabled_at timestamptz,
  totp_last_step bigint default 0 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id),
  constraint users_check check ((totp_secret is null) = (totp_enabled_at is null))
);
comment on table users is 'global: people, by email address';
create unique index users_email on users (lower(email));

-- Devices that a person has signed in from, as keyed fingerprints. A sign-in from a new device causes a mail.
create table known_devices (
  user_id uuid not null,
  device_mac text not null,
  first_seen_at timestamptz not null,
  -- The network of the last sign-in from this device, as a keyed fingerprint; empty if unknown.
  network_mac text default '' not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_mac),
  constraint known_devices_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table known_devices is 'global: devices that a person has signed in from';

-- Codes that were sent by mail or text message. Only a keyed fingerprint is stored. `attempts_left` counts down with every wrong guess.
create table one_time_codes (
  id uuid not null,
  user_id uuid not null,
  purpose text not null,
  code_mac text not null,
  attempts_left smallint not null,
  claims jsonb default '{}'::jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- One open code for each person, purpose and subject. The subject is the registration that the code was mailed for, or empty. Guesses from the
  -- network that requested the code are counted apart from guesses from elsewhere, so that neither uses up the other's.
  subject text default '' not null,
  network_mac text default '' not null,
  attempts_left_elsewhere smallint default 5 not null,
  primary key (id),
  constraint one_time_codes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint one_time_codes_attempts_left_check check (attempts_left >= 0),
  constraint one_time_codes_attempts_left_elsewhere_check check (attempts_left_elsewhere >= 0),
  constraint one_time_codes_purpose_check check (purpose in ('verify_email', 'reset_password', 'verify_phone', 'verify_organisation_phone'))
);
comment on table one_time_codes is 'global: codes that prove an address, each usable once';
create unique index one_time_codes_open on one_time_codes (user_id, purpose, subject) where (used_at is null);

create table recovery_codes (
  user_id uuid not null,
  "position" smallint not null,
  code_mac text not null,
  used_at timestamptz,
  primary key (user_id, "position"),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table recovery_codes is 'global: codes that replace the second factor, each usable once';

-- ---------------------------------------------------------------- organisations

create table organisations (
  id uuid not null,
  parent_id uuid,
  name text not null,
  country text not null,
  contact_email text,
  website text,
  address jsonb,
  tax_number text,
  phone text,
  phone_verified_at timestamptz,
  onboarded_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the authority confirmed the tax number; onboarding needs that.
  tax_number_verified_at timestamptz,
  parted_from uuid,
  parted_at timestamptz,
  -- The person who created the organisation; null if that person is not known any longer.
  founded_by uuid,
  primary key (id),
  constraint organisations_founded_by_fkey foreign key (founded_by) references users(id),
  constraint organisations_parent_id_fkey foreign key (parent_id) references organisations(id),
  constraint organisations_parted_from_fkey foreign key (parted_from) references organisations(id),
  constraint organisations_check check (parent_id <> id),
  constraint organisations_country_check check (country ~ '^[A-Z]{2}$'),
  constraint organisations_parted check (((parted_from is null) = (parted_at is null)) and (parent_id is null or parted_from is null))
);
comment on table organisations is 'global: the businesses that signed up';
create index organisations_by_parent on organisations (parent_id, created_at) where (parent_id is not null);

-- Changes to a person that one organisation requested. If the person belongs to other organisations too, the change waits for the person's consent.
create table requested_changes (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  asked_by uuid not null,
  what text not null,
  change jsonb not null,
  code_mac text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, id),
  constraint requested_changes_asked_by_fkey foreign key (asked_by) references users(id),
  constraint requested_changes_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint requested_changes_user_id_fkey foreign key (user_id) references users(id),
  constraint requested_changes_what_check check (what in ('name', 'phone', 'second_factor'))
);
comment on table requested_changes is 'organisation: changes of a person that wait for that person to confirm them';
create index requested_changes_of_person on requested_changes (user_id, created_at);
create unique index requested_changes_open on requested_changes (organisation_id, user_id, what) where (ended_at is null);

-- Who pays when a child organisation runs out of credits.
create table credit_pool_configs (
  organisation_id uuid not null,
  primary_covers_secondary boolean not null,
  fallback_to_primary boolean not null,
  minimum_reserve bigint not null,
  updated_at timestamptz not null,
  primary key (organisation_id),
  constraint credit_pool_configs_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint credit_pool_configs_minimum_reserve_check check (minimum_reserve >= 0)
);
comment on table credit_pool_configs is 'organisation: whether a parent pays for its children';

-- Logos on documents, one row for each picture of an organisation, by the SHA-256 of its bytes. An issued invoice refers to the logo that it shows.
-- `replaced_at` is when the logo was replaced; the row is then deleted unless an issued document refers to it.
create table logos (
  organisation_id uuid not null,
  hash text not null,
  content_type text not null,
  bytes bytea not null,
  replaced_at timestamptz,
  primary key (organisation_id, hash),
  constraint logos_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table logos is 'organisation: logos on its documents, by hash';
alter table only logos alter column bytes set storage external;
create index logos_replaced on logos (replaced_at) where (replaced_at is not null);

-- Roles that an organisation defined. Built-in roles have fixed ids and no rows. `epoch` rises when the capabilities change; tokens of all holders of
-- the role carry the epoch.
create table roles (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  display_name text not null,
  description text not null,
  capabilities text[] not null,
  epoch integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organisation_id, id),
  constraint roles_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table roles is 'organisation: roles that it defined';
create unique index roles_name on roles (organisation_id, name) where (deleted_at is null);

-- The code is stored twice: a keyed fingerprint finds the row, and a slow hash proves the code.
create table invitations (
  organisation_id uuid not null,
  id uuid not null,
  email text not null,
  full_name text not null,
  role_id uuid not null,
  custom_role_id uuid generated always as (
case
    when ((role_id)::text ~~ '00000000-%') then null::uuid
    else role_id
end) stored,
  extra_capabilities text[] default '{}'::text[] not null,
  message text,
  code_mac text not null,
  code_hash text not null,
  status text default 'pending' not null,
  invited_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, id),
  constraint invitations_invited_by_fkey foreign key (invited_by) references users(id),
  constraint invitations_organisation_id_custom_role_id_fkey foreign key (organisation_id, custom_role_id) references roles(organisation_id, id),
  constraint invitations_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint invitations_status_check check (status in ('pending', 'accepted', 'withdrawn', 'expired'))
);
comment on table invitations is 'organisation: offers to become a member';
create index invitations_by_code on invitations (lower(email), code_mac) where (status = 'pending');
create index invitations_expiring on invitations (expires_at) where (status = 'pending');
create unique index invitations_one_pending on invitations (organisation_id, lower(email)) where (status = 'pending');

-- The logo on documents, and the bank account in which the organisation wants to be paid.
create table letterheads (
  organisation_id uuid not null,
  bank jsonb,
  updated_at timestamptz not null,
  logo_hash text,
  primary key (organisation_id),
  constraint letterheads_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint letterheads_organisation_id_logo_hash_fkey foreign key (organisation_id, logo_hash) references logos(organisation_id, hash)
);
comment on table letterheads is 'organisation: logo and bank details on its documents';

-- `epoch` rises with every change of the member's rights; tokens carry the epoch of their issue. `custom_role_id` is set if the role is one that the
-- organisation defined: its foreign key keeps a role from deletion while a member has it.
create table memberships (
  organisation_id uuid not null,
  user_id uuid not null,
  role_id uuid not null,
  custom_role_id uuid generated always as (
case
    when ((role_id)::text ~~ '00000000-%') then null::uuid
    else role_id
end) stored,
  extra_capabilities text[] default '{}'::text[] not null,
  status text default 'active' not null,
  status_reason text,
  epoch integer default 1 not null,
  joined_at timestamptz not null,
  primary key (organisation_id, user_id),
  constraint memberships_organisation_id_custom_role_id_fkey foreign key (organisation_id, custom_role_id) references roles(organisation_id, id),
  constraint memberships_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint memberships_user_id_fkey foreign key (user_id) references users(id),
  constraint memberships_status_check check (status in ('active', 'suspended', 'deactivated'))
);
comment on table memberships is 'organisation: its members and their roles';
create index memberships_by_custom_role on memberships (organisation_id, custom_role_id) where (custom_role_id is not null);
create index memberships_by_user on memberships (user_id, joined_at);

-- ---------------------------------------------------------------- identity

-- Registrations for an email address that is not verified yet. A registration takes effect only with the code that was mailed for it. The first one
-- that is verified ends the others.
create table registrations (
  id uuid not null,
  user_id uuid not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  organisation_name text not null,
  country text not null,
  address text not null,
  user_agent text not null,
  network_mac text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (id),
  constraint registrations_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint registrations_country_check check (country ~ '^[A-Z]{2}$')
);
comment on table registrations is 'global: registrations for an address that is not verified yet';
create index registrations_open on registrations (user_id, created_at) where (ended_at is null);
create index registrations_past on registrations (expires_at);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  -- null for a person who belongs to no organisation at the moment
  organisation_id uuid,
  mode text not null,
  epoch integer default 1 not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (id),
  constraint sessions_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint sessions_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint sessions_mode_check check (mode in ('sandbox', 'live'))
);
comment on table sessions is 'global: sign-ins of people';
create index sessions_by_user on sessions (user_id, last_used_at desc) where (ended_at is null);

-- Every refresh token that a session ever had: a token that is used a second time reveals a theft.
create table refresh_tokens (
  token_hash text not null,
  session_id uuid not null,
  issued_at timestamptz not null,
  used_at timestamptz,
  primary key (token_hash),
  constraint refresh_tokens_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade
);
comment on table refresh_tokens is 'global: refresh tokens by hash, each usable once';
create index refresh_tokens_by_session on refresh_tokens (session_id);

-- ---------------------------------------------------------------- api-keys

-- Finds a key by its hash before the organisation is known. One unique index over the keys of all organisations is more than one shard could hold, so
-- this table stands beside every shard. The key's own row decides whether the key works. Neither row is ever deleted.
create table api_key_hashes (
  key_hash text not null,
  organisation_id uuid not null,
  key_id uuid not null,
  primary key (key_hash)
);
comment on table api_key_hashes is 'global: the key and organisation of each key hash';

-- Only a hash of the key is stored. A key has the listed capabilities, or those of its role. `epoch` rises when the key's rights change; tokens of
-- the key carry the epoch of their issue. `stops_at` is set when the key is rotated: the old secret works until then.
create table api_keys (
  organisation_id uuid not null,
  id uuid not null,
  mode text not null,
  name text not null,
  key_hash text not null,
  hint text not null,
  preset text,
  capabilities text[] not null,
  role_id uuid,
  custom_role_id uuid generated always as (
case
    when ((role_id)::text ~~ '00000000-%') then null::uuid
    else role_id
end) stored,
  requests_per_minute integer,
  daily_quota integer,
  epoch integer default 1 not null,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  stops_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  end_announced_at timestamptz,
  primary key (organisation_id, id),
  constraint api_keys_created_by_fkey foreign key (created_by) references users(id),
  constraint api_keys_organisation_id_custom_role_id_fkey foreign key (organisation_id, custom_role_id) references roles(organisation_id, id),
  constraint api_keys_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint api_keys_daily_quota_check check (daily_quota > 0),
  constraint api_keys_mode_check check (mode in ('sandbox', 'live')),
  constraint api_keys_requests_per_minute_check check (requests_per_minute > 0)
);
comment on table api_keys is 'organisation: API keys, by hash';
create index api_keys_by_custom_role on api_keys (organisation_id, custom_role_id) where (custom_role_id is not null);
create index api_keys_ending on api_keys (least(expires_at, stops_at)) where (revoked_at is null and end_announced_at is null);

-- ---------------------------------------------------------------- credits

-- The balances of credits. Every credit that was ever issued to a tenant is in exactly one balance: available, held during a call to an outside
-- party, spent, or lent to a child organisation. `owed` counts credits that were taken back (refund, charge-back) after they had been spent; later
-- credits pay it off first. The table itself refuses balances that do not add up or are below zero, under any concurrency.
create table credit_balances (
  organisation_id uuid not null,
  mode text not null,
  available bigint default 0 not null,
  held bigint default 0 not null,
  spent bigint default 0 not null,
  lent bigint default 0 not null,
  owed bigint default 0 not null,
  issued bigint default 0 not null,
  version bigint default 0 not null,
  opened_at timestamptz not null,
  low_balance_threshold bigint default 0 not null,
  primary key (organisation_id, mode),
  constraint credit_balances_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint credit_books_balance check (((((available + held) + spent) + lent) = (issued + owed)) and (least(available, held, spent, lent, owed) >= 0))
) with (fillfactor=50);
comment on table credit_balances is 'tenant: the balances of its credits';

create function refuse_to_rewrite_credit_moves() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of credits is append-only';
end $$;

-- The ledger: each move from one balance to another, once per cause. `seq` has no gaps within a tenant.
create table credit_moves (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  seq bigint not null,
  type text not null,
  from_place text not null,
  to_place text not null,
  amount bigint not null,
  action text,
  cause text not null,
  available_after bigint not null,
  created_at timestamptz not null,
  primary key (organisation_id, mode, seq)
);
comment on table credit_moves is 'tenant: the ledger of credits, append-only';
create index credit_moves_by_time on credit_moves (organisation_id, mode, created_at);
create unique index credit_moves_cause on credit_moves (organisation_id, mode, type, cause);
create trigger credit_moves_are_append_only before delete or update on credit_moves for each row execute function refuse_to_rewrite_credit_moves();

-- ---------------------------------------------------------------- billing

-- Every change of an organisation's billing subscriptions and payments locks this row first, so that the changes run one after the other.
create table billing_accounts (
  organisation_id uuid not null,
  id uuid not null,
  opened_at timestamptz not null,
  primary key (organisation_id),
  constraint billing_accounts_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table billing_accounts is 'organisation: its billing account and the account''s public id';

-- Live credits of the free plan are given once to a person, for the first organisation that the person creates. They are given once to a business,
-- known by its confirmed tax number. `claim` is `person:<id>` or `tax-number:<country>:<number>`.
create table free_credit_claims (
  claim text not null,
  organisation_id uuid not null,
  claimed_at timestamptz not null,
  primary key (claim),
  constraint free_credit_claims_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table free_credit_claims is 'global: persons and businesses that have received the credits of the free plan';

-- Notifications of payment providers, once for each id of the provider. A notification proves nothing: it is a hint to ask the provider.
create table provider_notifications (
  provider text not null,
  id text not null,
  type text not null,
  subject text,
  received_at timestamptz not null,
  settled_at timestamptz,
  outcome text,
  primary key (provider, id)
);
comment on table provider_notifications is 'global: notifications of payment providers, before their organisation is known';
create index provider_notifications_by_time on provider_notifications (received_at);

-- `anchor_at` is the moment from which periods and allocations are counted, so that the 31st stays the 31st.
create table subscriptions (
  organisation_id uuid not null,
  id uuid not null,
  plan_code text not null,
  "interval" text not null,
  currency text not null,
  amount_minor bigint not null,
  monthly_credits bigint not null,
  status text not null,
  end_reason text,
  cancel_at_period_end boolean default false not null,
  cancel_reason text,
  anchor_at timestamptz,
  period integer default 0 not null,
  next_step_at timestamptz,
  next_allocation_at timestamptz,
  attempts integer default 0 not null,
  provider text,
  sealed_authorisation text,
  created_by uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, id),
  constraint subscriptions_created_by_fkey foreign key (created_by) references users(id),
  constraint subscriptions_organisation_id_fkey foreign key (organisation_id) references billing_accounts(organisation_id),
  constraint subscriptions_amount_minor_check check (amount_minor > 0),
  constraint subscriptions_check check ((status = 'expired') = (ended_at is not null)),
  constraint subscriptions_check1 check ((status in ('active', 'past_due')) <= (anchor_at is not null)),
  constraint subscriptions_end_reason_check check (end_reason in ('not_paid', 'cancelled', 'overdue', 'money_returned')),
  constraint subscriptions_interval_check check ("interval" in ('monthly', 'yearly')),
  constraint subscriptions_monthly_credits_check check (monthly_credits >= 0),
  constraint subscriptions_status_check check (status in ('pending_payment', 'active', 'past_due', 'expired'))
);
comment on table subscriptions is 'organisation: its billing subscriptions';
create index subscriptions_allocating on subscriptions (next_allocation_at) where (next_allocation_at is not null);
create index subscriptions_due on subscriptions (next_step_at) where (next_step_at is not null);
create unique index subscriptions_one_current on subscriptions (organisation_id) where (status <> 'expired');

-- `credits` is what the payment has bought so far, `granted_credits` what the ledger shows for it. Both follow the money.
create table payments (
  organisation_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null,
  provider text not null,
  handle text,
  amount_minor bigint not null,
  currency text not null,
  refunded_minor bigint default 0 not null,
  description text not null,
  email text not null,
  package_id text,
  subscription_id uuid,
  period integer,
  credits bigint default 0 not null,
  granted_credits bigint default 0 not null,
  checkout_url text,
  expires_at timestamptz not null,
  look_at timestamptz,
  looks integer default 0 not null,
  version integer default 1 not null,
  created_by uuid,
  created_at timestamptz not null,
  paid_at timestamptz,
  ended_at timestamptz,
  primary key (organisation_id, id),
  constraint payments_created_by_fkey foreign key (created_by) references users(id),
  constraint payments_organisation_id_fkey foreign key (organisation_id) references billing_accounts(organisation_id),
  constraint payments_organisation_id_subscription_id_fkey foreign key (organisation_id, subscription_id) references subscriptions(organisation_id, id),
  constraint payments_amount_minor_check check (amount_minor > 0),
  constraint payments_check check (refunded_minor >= 0 and refunded_minor <= amount_minor),
  constraint payments_check1 check (granted_credits <= credits),
  constraint payments_check2 check ((kind = 'credit_purchase') = (subscription_id is null)),
  constraint payments_credits_check check (credits >= 0),
  constraint payments_granted_credits_check check (granted_credits >= 0),
  constraint payments_kind_check check (kind in ('credit_purchase', 'subscription', 'renewal')),
  constraint payments_status_check check (status in ('pending', 'succeeded', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed', 'charged_back'))
);
comment on table payments is 'organisation: payments that it was asked to make, and their outcomes; always live money';
create index payments_by_handle on payments (handle) where (handle is not null);
create index payments_by_reference on payments (((id)::text));
create index payments_newest on payments (organisation_id, created_at desc, id desc);
create index payments_of_subscription on payments (organisation_id, subscription_id, period) where (subscription_id is not null);
create index payments_to_look_at on payments (look_at) where (look_at is not null);

-- One row for each month of credits. The key prevents a second allocation for a month, whatever process restarts when.
create table subscription_allocations (
  organisation_id uuid not null,
  subscription_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  credits bigint not null,
  payment_id uuid not null,
  granted_at timestamptz not null,
  primary key (organisation_id, subscription_id, starts_at),
  constraint subscription_allocations_organisation_id_payment_id_fkey foreign key (organisation_id, payment_id) references payments(organisation_id, id),
  constraint subscription_allocations_organisation_id_subscription_id_fkey foreign key (organisation_id, subscription_id) references subscriptions(organisation_id, id)
);
comment on table subscription_allocations is 'organisation: the monthly credits of its billing subscriptions';

-- The billing periods of a billing subscription, and the payment of each.
create table subscription_periods (
  organisation_id uuid not null,
  subscription_id uuid not null,
  number integer not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  amount_minor bigint not null,
  currency text not null,
  payment_id uuid,
  paid_at timestamptz,
  primary key (organisation_id, subscription_id, number),
  constraint subscription_periods_organisation_id_payment_id_fkey foreign key (organisation_id, payment_id) references payments(organisation_id, id),
  constraint subscription_periods_organisation_id_subscription_id_fkey foreign key (organisation_id, subscription_id) references subscriptions(organisation_id, id),
  constraint subscription_periods_check check ((payment_id is null) = (paid_at is null)),
  constraint subscription_periods_number_check check (number > 0)
);
comment on table subscription_periods is 'organisation: billing periods and how each was paid';

-- ---------------------------------------------------------------- sellers

-- A seller is the same in both modes; whether its tax number was checked is not (tax_number_checks).
create table sellers (
  organisation_id uuid not null,
  id uuid not null,
  is_primary boolean default false not null,
  name text not null,
  trading_name text,
  party_type text not null,
  tax_id text,
  tax_id_normal text,
  vat_number text,
  registration_number text,
  email text,
  phone text,
  website text,
  address jsonb,
  notes text,
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, id),
  constraint sellers_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint sellers_check check ((tax_id is null) = (tax_id_normal is null)),
  constraint sellers_party_type_check check (party_type in ('individual', 'company', 'partnership', 'non_profit', 'government'))
);
comment on table sellers is 'organisation: the businesses in whose names it invoices';
create unique index sellers_primary on sellers (organisation_id) where is_primary;
create index sellers_search on sellers using gin (organisation_id, search gin_trgm_ops) with (fastupdate=off);
create unique index sellers_tax_id on sellers (organisation_id, tax_id_normal) where (tax_id_normal is not null);

-- ---------------------------------------------------------------- buyers

-- `tax_id` is the number as typed, `tax_id_normal` the one spelling for comparisons, `search` the text for searches.
create table buyers (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  legal_name text,
  trading_name text,
  party_type text not null,
  tax_id text,
  tax_id_normal text,
  tax_id_type text not null,
  tax_id_status text default 'unverified' not null,
  vat_number text,
  registration_number text,
  email text,
  phone text,
  website text,
  address jsonb,
  business_description text,
  reference text,
  notes text,
  search text not null,
  search_keys integer[] generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored not null,
  version integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint buyers_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint buyers_check check ((tax_id is null) = (tax_id_normal is null)),
  constraint buyers_mode_check check (mode in ('sandbox', 'live')),
  constraint buyers_party_type_check check (party_type in ('individual', 'company', 'partnership', 'non_profit', 'government')),
  constraint buyers_tax_id_status_check check (tax_id_status in ('unverified', 'pending', 'verified', 'not_found', 'name_mismatch', 'unavailable', 'valid_off_network', 'checking')),
  constraint buyers_tax_id_type_check check (tax_id_type in ('national', 'registration', 'foreign', 'none'))
);
comment on table buyers is 'tenant: the customers on its invoices';
-- A search finds a draft by the present name of its buyer, archived buyers included.
create index buyers_archived on buyers (organisation_id, mode) where (archived_at is not null);
create index buyers_by_name on buyers (organisation_id, mode, "left"(search, 200) collate "C", id) where (archived_at is null);
create index buyers_live on buyers (organisation_id, mode, id) where (archived_at is null);
create index buyers_search on buyers using gin (search_keys) with (fastupdate=off) where (archived_at is null);
create unique index buyers_tax_id on buyers (organisation_id, mode, tax_id_normal) where (archived_at is null and tax_id_normal is not null);

-- ---------------------------------------------------------------- items

create table items (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  description text,
  item_type text not null,
  hsn_code text,
  service_code text,
  product_category text not null,
  unit_code text not null,
  unit_price_minor numeric(18,2) not null,
  currency text not null,
  tax_category text not null,
  sku text,
  search text not null,
  search_keys integer[] generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored not null,
  use_count bigint default 0 not null,
  last_used_at timestamptz,
  version integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint items_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint items_check check ((item_type = 'goods') = (hsn_code is not null)),
  constraint items_check1 check ((item_type = 'service') = (service_code is not null)),
  constraint items_item_type_check check (item_type in ('goods', 'service')),
  constraint items_mode_check check (mode in ('sandbox', 'live')),
  constraint items_unit_price_minor_check check (unit_price_minor >= 0 and (unit_price_minor <= ('100000000000000'::bigint)::numeric))
);
comment on table items is 'tenant: goods and services that it sells repeatedly';
create index items_by_last_use on items (organisation_id, mode, last_used_at desc nulls last, id) where (archived_at is null);
create index items_by_name on items (organisation_id, mode, lower(name), id) where (archived_at is null);
create index items_by_use on items (organisation_id, mode, use_count desc, id) where (archived_at is null);
create index items_search on items using gin (search_keys) with (fastupdate=off);
create unique index items_sku on items (organisation_id, mode, sku) where (archived_at is null and sku is not null);

-- ---------------------------------------------------------------- tax-identities

-- Whether the authority's network reaches a tax number is the same for all organisations in one mode.
create table network_lookups (
  country text not null,
  mode text not null,
  tax_id_normal text not null,
  reachable boolean not null,
  provider text,
  checked_at timestamptz not null,
  primary key (country, mode, tax_id_normal),
  constraint network_lookups_mode_check check (mode in ('sandbox', 'live'))
);
comment on table network_lookups is 'global: which tax numbers the authority''s network reaches';
-- The purge deletes lookups by age.
create index network_lookups_by_age on network_lookups (checked_at);

-- Inquiries to the authority about a tax number: one open inquiry for each party at a time.
create table tax_number_checks (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  party text not null,
  party_id uuid not null,
  tax_id text not null,
  tax_id_normal text not null,
  tax_id_type text not null,
  party_name text not null,
  status text not null,
  registered_name text,
  charged boolean default false not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint tax_number_checks_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_number_checks_check check ((status = 'pending') = (ended_at is null)),
  constraint tax_number_checks_mode_check check (mode in ('sandbox', 'live')),
  constraint tax_number_checks_party_check check (party in ('buyer', 'seller')),
  constraint tax_number_checks_status_check check (status in ('pending', 'verified', 'not_found', 'name_mismatch', 'unavailable'))
);
comment on table tax_number_checks is 'tenant: the authority''s answers about tax numbers';
create index tax_number_checks_newest on tax_number_checks (organisation_id, mode, party, party_id, started_at desc);
create unique index tax_number_checks_open on tax_number_checks (organisation_id, mode, party, party_id) where (status = 'pending');

-- ---------------------------------------------------------------- tax-connection

-- A tenant's connection to the tax authority: the ids of the business there, and what the authority issued to it.
create table tax_connections (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  status text not null,
  business_id uuid not null,
  service_id text not null,
  number_template text not null,
  business_name text,
  tax_id_normal text,
  sealed_credentials text,
  sealed_key_file text,
  key_file_fingerprint text,
  key_file_at timestamptz,
  consent_version text,
  consented_at timestamptz,
  consented_by uuid,
  problem text,
  attempt_id uuid,
  checked_at timestamptz,
  connected_at timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A document keeps the authority reference that it was reported under, even if its business gets another service id. Replaced service ids find the
  -- business like the present one.
  former_service_ids text[] default '{}'::text[] not null,
  primary key (organisation_id, mode),
  constraint tax_connections_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_connections_check check (((sealed_key_file is null) = (key_file_fingerprint is null)) and ((sealed_key_file is null) = (key_file_at is null))),
  constraint tax_connections_check1 check ((consent_version is null) = (consented_at is null)),
  constraint tax_connections_check2 check ((status = 'revoked') = (revoked_at is not null)),
  constraint tax_connections_mode_check check (mode in ('sandbox', 'live')),
  constraint tax_connections_status_check check (status in ('pending', 'connected', 'revoked'))
);
comment on table tax_connections is 'tenant: its connection to the tax authority';
create index tax_connections_former_service on tax_connections using gin (former_service_ids);
-- Finds the connected business by the tax number on a document.
create index tax_connections_number on tax_connections (mode, tax_id_normal) where (status = 'connected');
-- A holder of a document can ask whether it was reported: the service id in its reference finds the business that reports under it.
create index tax_connections_service on tax_connections (service_id);

-- The key pair to which an authority key file is encrypted on its way to us; made before there is a connection.
create table tax_transport_keys (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  key_id text not null,
  public_key_pem text not null,
  sealed_private_key text not null,
  created_at timestamptz not null,
  primary key (organisation_id, mode),
  constraint tax_transport_keys_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_transport_keys_mode_check check (mode in ('sandbox', 'live'))
);
comment on table tax_transport_keys is 'tenant: the key pair for the transport of its authority key file';

-- ---------------------------------------------------------------- invoices

create table invoice_codes (
  organisation_id uuid not null,
  mode text not null,
  type text not null,
  code text not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  description text,
  -- The writer confirms that it counts an entry of the listing that stands for several lines as several uses. The column has no default, so a writer
  -- that does not confirm fails.
  reads_runs boolean not null,
  primary key (organisation_id, mode, type, code),
  constraint invoice_codes_type_check check (type in ('goods', 'service'))
) with (fillfactor=70);
comment on table invoice_codes is 'tenant: codes that invoice lines contain, and how often';
comment on column invoice_codes.reads_runs is 'the writer''s confirmation that it counts an entry for several lines as several uses';

-- How many rows of the listing match a kind and key: in each week of creation for some kinds, and in total (week 0) for the others. Changed in the
-- transaction that changes the listing.
create table invoice_counts (
  organisation_id uuid not null,
  mode text not null,
  kind text not null,
  key text not null collate "C",
  week integer not null,
  n bigint not null,
  primary key (organisation_id, mode, kind, key, week)
) with (fillfactor=70);
comment on table invoice_counts is 'tenant: how many invoices the lists contain, by kind';

-- What lists of invoices are filtered, sorted and counted by. A consumer updates this table from `invoice_changes`; a reading of a list adds the
-- changes that are still waiting. `facets` packs all values with few choices into one number, so that one index and one set of counts serve every
-- combination of filters. `party_id` is the buyer of a draft; on an issued document it stands for the buyer's name and tax number.
create table invoice_listing (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  created_at timestamptz not null,
  facets integer not null,
  issue_date date not null,
  due_date date,
  payable_minor bigint not null,
  tax_minor bigint not null,
  buyer_id uuid,
  seller_id uuid,
  created_by uuid,
  party_id uuid,
  number_key text not null collate "C",
  reference_key text collate "C",
  codes text[] not null,
  -- Statistics come from sums that are stored with the listing. These columns are what the invoice adds to the sums.
  net_minor bigint not null,
  paid_minor bigint not null,
  -- The unpaid amount, summed by due date, so that a total over a million documents is as fast as over a few. This column is what the document adds
  -- to the sums.
  due_minor bigint not null,
  primary key (organisation_id, mode, id)
);
comment on table invoice_listing is 'tenant: filter, sort and search values of invoices, updated after the invoices';
create index invoice_listing_buyer on invoice_listing (organisation_id, mode, buyer_id, created_at, id) with (deduplicate_items=off) where (buyer_id is not null);
create index invoice_listing_created on invoice_listing (organisation_id, mode, created_at, id) include (facets, issue_date, due_date, payable_minor) with (deduplicate_items=off);
create index invoice_listing_creator on invoice_listing (organisation_id, mode, created_by, created_at, id) with (deduplicate_items=off) where (created_by is not null);
create index invoice_listing_due_issued on invoice_listing (organisation_id, mode, due_date, issue_date, created_at, id) with (deduplicate_items=off);
create index invoice_listing_facets on invoice_listing (organisation_id, mode, facets, created_at, id) include (due_date) with (deduplicate_items=off);
create index invoice_listing_reference on invoice_listing (organisation_id, mode, reference_key, created_at, id) with (deduplicate_items=off) where (reference_key is not null);
create index invoice_listing_issued on invoice_listing (organisation_id, mode, issue_date, created_at, id) with (deduplicate_items=off);
create index invoice_listing_number on invoice_listing (organisation_id, mode, number_key, created_at, id) with (deduplicate_items=off);
create index invoice_listing_party on invoice_listing (organisation_id, mode, party_id, created_at, id) with (deduplicate_items=off) where (party_id is not null);
create index invoice_listing_payable on invoice_listing (organisation_id, mode, payable_minor, created_at, id) with (deduplicate_items=off);
create index invoice_listing_seller on invoice_listing (organisation_id, mode, seller_id, created_at, id) with (deduplicate_items=off) where (seller_id is not null);
create index invoice_listing_tax on invoice_listing (organisation_id, mode, tax_minor, created_at, id) with (deduplicate_items=off);

-- Every number that a document ever had, as the authority reads it: letters and digits in capitals. The row stays when its draft is deleted, so that
-- no number is used twice.
create table invoice_numbers (
  organisation_id uuid not null,
  mode text not null,
  reading text not null,
  invoice_id uuid not null,
  primary key (organisation_id, mode, reading)
);
comment on table invoice_numbers is 'tenant: numbers that documents have or had, each used once';

-- The names and tax numbers on issued documents, each once, so that a search does not read every invoice.
create table invoice_parties (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  search text not null,
  search_keys integer[] generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored not null,
  primary key (organisation_id, mode, id)
);
comment on table invoice_parties is 'tenant: buyers as issued invoices show them';
create index invoice_parties_search on invoice_parties using gin (search_keys) with (fastupdate=off);

-- Finds a link by its token before the organisation is known, like `api_key_hashes`, in a table beside every shard. The link's own row decides what
-- the token opens. Both rows are deleted together.
create table invoice_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  primary key (token_hash),
  constraint invoice_share_tokens_mode_check check (mode in ('sandbox', 'live'))
);
comment on table invoice_share_tokens is 'global: the share link and organisation of each token';

-- Sums by day and by month of issue: any range is whole months plus the days at its ends. `facets` are those of the listing, with status, type and
-- currency only.
create table invoice_sums (
  organisation_id uuid not null,
  mode text not null,
  span text not null,
  since date not null,
  facets integer not null,
  n bigint not null,
  net_minor numeric not null,
  tax_minor numeric not null,
  payable_minor numeric not null,
  paid_minor numeric not null,
  primary key (organisation_id, mode, span, since, facets),
  constraint invoice_sums_span_check check (span in ('day', 'month', 'due'))
) with (fillfactor=70);
comment on table invoice_sums is 'tenant: sums of listed invoices by day and month of issue, and unpaid amounts by due date';

-- One function instead of triggers with long conditions. PostgreSQL prepares a condition again for each statement that changes an invoice, which cost
-- more than the change. A function is prepared once for each connection.
create function keep_documents_right() returns trigger language plpgsql as $$
begin
  if not (
    new.payable_minor = new.net_minor - new.allowance_minor + new.charge_minor + new.tax_minor + new.rounding_minor
    and least(new.payable_minor, new.allowance_minor, new.charge_minor, new.paid_minor, new.credited_minor,
              new.payable_minor - new.credited_minor) >= 0
    and (new.status = 'draft') = (new.finalised_at is null)
    and (new.type in ('credit_note', 'debit_note')) = (new.original_id is not null)
    and (new.due_date is null or new.due_date >= new.issue_date)) then
    raise exception 'a document that does not add up cannot be saved';
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    if (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.supply_date, old.currency,
        old.lines::text, old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor,
        old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost,
        old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
       is distinct from
       (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.supply_date, new.currency,
        new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
        new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost,
        new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at) then
      raise exception 'an issued document cannot be changed';
    end if;
  end if;
  return new;
end $$;

-- An issued document is a legal document. Its contents stay unchanged, even if the code above has a bug.
create function refuse_to_rewrite_issued() returns trigger language plpgsql as $$
begin
  raise exception 'an issued document cannot be changed';
end $$;

-- Invoices, prepayments, credit notes and debit notes. Lines stand in the row, because a document is written, read and frozen as a whole.
-- `seller_copy` and `buyer_copy` are copied at finalisation. An issued document keeps its parties from deletion (issued_parties); a draft does not.
-- The charge in the same transaction proves that the organisation exists.
create table invoices (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  number text not null,
  type text not null,
  kind text not null,
  status text default 'draft' not null,
  seller_id uuid,
  buyer_id uuid,
  issue_date date not null,
  issue_time time(0) without time zone,
  due_date date,
  currency text not null,
  lines json not null,
  tax_groups json not null,
  net_minor bigint not null,
  allowance_minor bigint not null,
  charge_minor bigint not null,
  tax_minor bigint not null,
  rounding_minor bigint default 0 not null,
  payable_minor bigint not null,
  paid_minor bigint default 0 not null,
  credited_minor bigint default 0 not null,
  declared_payment_status text,
  payment_terms text,
  notes text,
  purchase_order_reference text,
  buyer_reference text,
  accounting_cost text,
  original_id uuid,
  reason text,
  seller_copy jsonb,
  buyer_copy jsonb,
  authority_reference text,
  stamp text,
  delivery text default 'none' not null,
  finalised_at timestamptz,
  submitted_at timestamptz,
  sent_at timestamptz,
  shared_at timestamptz,
  created_by_type text not null,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer default 1 not null,
  -- Bank details and logo at the time of issue: `{ "bank", "logo" }`, the logo by its hash.
  letterhead_copy jsonb,
  -- The day of supply of the goods or services, if it is not the day of issue. The law of 2026 requires it on every VAT invoice.
  supply_date date,
  report_due_at timestamptz,
  reported_at timestamptz,
  report_told_at timestamptz,
  -- The codes on the lines of a new document, for the listing: parsing the lines again costs more than all other reads of the listing. If null, the
  -- listing parses the lines.
  codes_at_creation json,
  primary key (organisation_id, mode, id),
  constraint invoices_organisation_id_mode_original_id_fkey foreign key (organisation_id, mode, original_id) references invoices(organisation_id, mode, id)
) with (toast_tuple_target=8160);
comment on table invoices is 'tenant: invoices, credit notes and debit notes, with their lines';
create index invoices_of_original on invoices (organisation_id, mode, original_id) where (original_id is not null);
create index invoices_report_due on invoices (report_due_at) where (report_due_at is not null and reported_at is null);
-- Few documents have a deadline, and only those that are not reported yet are indexed: one index for lists, one for the notification job.
create index invoices_to_report on invoices (organisation_id, mode, report_due_at) where (report_due_at is not null and reported_at is null);
-- For the sweep that gives registered documents their missing QR code.
create index invoices_without_stamp on invoices (organisation_id, mode, id) where (authority_reference is not null and stamp is null);
create trigger invoices_stay_right before update on invoices for each row execute function keep_documents_right();
create trigger issued_invoices_stay before delete on invoices for each row when ((old.status <> 'draft')) execute function refuse_to_rewrite_issued();

-- The next number of each series, taken in the transaction of its document, so that there are no gaps.
create table number_series (
  organisation_id uuid not null,
  mode text not null,
  series text not null,
  next_number bigint not null,
  primary key (organisation_id, mode, series),
  constraint number_series_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table number_series is 'tenant: the next number of each series of documents';

-- The saved items that lines were made from: an item on a line cannot be deleted.
create table invoice_items (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  item_id uuid not null,
  primary key (organisation_id, mode, invoice_id, item_id),
  constraint invoice_items_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id) on delete cascade,
  constraint invoice_items_organisation_id_mode_item_id_fkey foreign key (organisation_id, mode, item_id) references items(organisation_id, mode, id)
);
comment on table invoice_items is 'tenant: saved items that invoice lines were made from';
create index invoice_items_by_item on invoice_items (organisation_id, mode, item_id);

-- Deleting a draft that was issued once and reopened also deletes its reversed payments.
create table invoice_payments (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_minor bigint not null,
  paid_on date not null,
  method text,
  reference text,
  recorded_by_type text not null,
  recorded_by uuid,
  recorded_at timestamptz not null,
  reversed_at timestamptz,
  -- The bank transfer of this payment: such a payment is reversed through collection, not by hand.
  received_payment_id uuid,
  -- The service made this payment from the buyer's credit: the money goes back to the credit when the invoice is reopened.
  from_credit boolean default false not null,
  primary key (organisation_id, mode, id),
  constraint invoice_payments_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id) on delete cascade,
  constraint invoice_payments_amount_minor_check check (amount_minor > 0)
);
comment on table invoice_payments is 'tenant: recorded payments of invoices, reversed ones included';
create index invoice_payments_by_invoice on invoice_payments (organisation_id, mode, invoice_id, recorded_at);

-- Share links. The page is found by the hash of the token. The token itself is sealed, so that the link can be shown to its creators again.
create table invoice_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  token_hash text not null,
  sealed_token text not null,
  shared_at timestamptz not null,
  constraint invoice_shares_organisation_id_mode_invoice_id_key unique (organisation_id, mode, invoice_id),
  primary key (organisation_id, mode, id),
  constraint invoice_shares_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id)
);
comment on table invoice_shares is 'tenant: share links to invoices';

-- The parties on issued documents: these parties can no longer be deleted. A draft has no row here.
create table issued_parties (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  buyer_id uuid,
  seller_id uuid,
  -- An issued document keeps its logo from deletion, like its parties.
  logo_hash text,
  primary key (organisation_id, mode, invoice_id),
  constraint issued_parties_organisation_id_logo_hash_fkey foreign key (organisation_id, logo_hash) references logos(organisation_id, hash),
  constraint issued_parties_organisation_id_mode_buyer_id_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id),
  constraint issued_parties_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id),
  constraint issued_parties_organisation_id_seller_id_fkey foreign key (organisation_id, seller_id) references sellers(organisation_id, id)
);
comment on table issued_parties is 'tenant: parties on issued invoices, which cannot be deleted';
create index issued_parties_by_buyer on issued_parties (organisation_id, mode, buyer_id) where (buyer_id is not null);
create index issued_parties_by_logo on issued_parties (organisation_id, logo_hash) where (logo_hash is not null);
create index issued_parties_by_seller on issued_parties (organisation_id, seller_id) where (seller_id is not null);

-- The planner has no statistics for a new table and may choose any index. Autovacuum analyses later; only the owner may do the first analysis, hence
-- this function.
create function look_at_new_lists() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from pg_class where oid = 'public.invoice_listing'::regclass and reltuples <= 0) then
    analyze public.invoice_listing, public.invoice_counts;
  end if;
end $$;
revoke execute on function look_at_new_lists from public;

-- ---------------------------------------------------------------- submissions

-- Whether an authority can be reached. Workers write this, and every node reads it.
create table authority_links (
  country text not null,
  mode text not null,
  state text not null,
  reason text,
  since timestamptz not null,
  primary key (country, mode),
  constraint authority_links_state_check check (state in ('closed', 'open', 'half_open'))
);
comment on table authority_links is 'machinery: whether each tax authority can be reached';

-- Documents on their way to the authority, each with the exact bytes that are sent. A document that was rejected, corrected and submitted again has a
-- row for each time. All of these rows have the same authority reference.
create table submissions (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  country text not null,
  reference text not null,
  payload bytea not null,
  sha256 text not null,
  goes_to_buyer boolean not null,
  -- the document that a full credit note cancels
  cancels_invoice_id uuid,
  state text not null,
  failed_at timestamptz,
  due_at timestamptz,
  fence integer default 0 not null,
  sends integer default 0 not null,
  last_sent_at timestamptz,
  absent_at timestamptz,
  refused text[],
  tries integer default 0 not null,
  tried_since timestamptz,
  retries integer default 0 not null,
  queries integer default 0 not null,
  asked_by jsonb not null,
  next_cause text default 'submitted' not null,
  created_at timestamptz not null,
  -- The payment status that the authority was last sent; null while the status in the document itself holds.
  payment_told text,
  -- The credits held for this submission, so that the capture need not search a long ledger.
  held_credits bigint not null,
  delivered_at timestamptz,
  follow_up_at timestamptz,
  follow_up_cause text,
  -- The highest number is the last submission of a document: the clocks of two nodes may differ.
  ordinal integer default 1 not null,
  -- The payment status in the bytes of the document.
  payment_said text not null,
  primary key (organisation_id, mode, id),
  constraint submissions_organisation_id_mode_cancels_invoice_id_fkey foreign key (organisation_id, mode, cancels_invoice_id) references invoices(organisation_id, mode, id),
  constraint submissions_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id),
  constraint submissions_check check (due_at is null or (failed_at is null and (state not in ('accepted', 'rejected')))),
  constraint submissions_follow_up_cause_check check (follow_up_cause = 'notified'),
  constraint submissions_state_check check (state in ('queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected'))
);
comment on table submissions is 'tenant: documents on their way to the tax authority, with the bytes that are sent';
comment on column submissions.follow_up_at is 'when to ask the authority outside the steps: soon after its callback, and less and less often while the buyer''s side does not answer';
comment on column submissions.ordinal is 'how many times the document was submitted so far, from 1';
comment on column submissions.payment_said is 'the payment status in the document itself: pending or paid';
create index submissions_by_invoice on submissions (organisation_id, mode, invoice_id, created_at);
-- A rejected document may be submitted again under its reference; otherwise a reference belongs to one submission.
create unique index submissions_by_reference on submissions (organisation_id, mode, reference) where (state <> 'rejected');
create index submissions_due on submissions (country, mode, organisation_id, due_at) where (due_at is not null);
-- Failed submissions without a decision, for figures.
create index submissions_failed on submissions (country, mode) where (failed_at is not null);
-- Failed submissions without a decision, of one organisation.
create index submissions_given_up on submissions (organisation_id, mode) where (failed_at is not null);
create index submissions_to_follow_up on submissions (organisation_id, mode, follow_up_at) where (follow_up_at is not null);
-- A callback contains only a reference.
create index submissions_undelivered on submissions (country, mode, reference) where (goes_to_buyer and delivered_at is null and state in ('unknown', 'signed', 'transmitted', 'accepted'));

-- Every request to the authority about a submission. A row is written before the first byte is sent.
create table submission_attempts (
  organisation_id uuid not null,
  mode text not null,
  submission_id uuid not null,
  number integer not null,
  step text not null,
  sha256 text,
  cause text not null,
  asked_by jsonb,
  begun_at timestamptz not null,
  ended_at timestamptz,
  answer text,
  why text,
  told text[] default '{}'::text[] not null,
  is_late boolean default false not null,
  primary key (organisation_id, mode, submission_id, number),
  constraint submission_attempts_organisation_id_mode_submission_id_fkey foreign key (organisation_id, mode, submission_id) references submissions(organisation_id, mode, id)
);
comment on table submission_attempts is 'tenant: requests to the tax authority about a document, and the answers';

-- ---------------------------------------------------------------- tax-reports

-- Declarations of tax to the authority about an invoice, and the answers. A reopened invoice may be deleted, but its declaration stays: so this table
-- has no foreign key to it.
create table tax_reports (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  reference text not null,
  seller_tax_id text not null,
  buyer_tax_id text not null,
  description text not null,
  currency text not null,
  report_date date not null,
  base_minor bigint not null,
  tax_minor bigint not null,
  other_taxes_minor bigint not null,
  total_minor bigint not null,
  rate text not null,
  status text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint tax_reports_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_reports_base_minor_check check (base_minor >= 0),
  constraint tax_reports_check check (total_minor = ((base_minor + tax_minor) + other_taxes_minor)),
  constraint tax_reports_check1 check ((status = 'asked') = (ended_at is null)),
  constraint tax_reports_mode_check check (mode in ('sandbox', 'live')),
  constraint tax_reports_other_taxes_minor_check check (other_taxes_minor >= 0),
  constraint tax_reports_status_check check (status in ('asked', 'reported', 'refused', 'unknown')),
  constraint tax_reports_tax_minor_check check (tax_minor >= 0)
);
comment on table tax_reports is 'tenant: declarations of tax, and their outcomes';

-- ---------------------------------------------------------------- received-invoices

-- Documents that were fetched for a tenant and wait for lookup, checks and storage.
create table received_arrivals (
  organisation_id uuid not null,
  mode text not null,
  reference text not null,
  document text not null,
  tries integer default 0 not null,
  due_at timestamptz not null,
  problem text,
  primary key (organisation_id, mode, reference),
  constraint received_arrivals_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint received_arrivals_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_arrivals is 'tenant: fetched documents that are not stored yet';
create index received_arrivals_due on received_arrivals (due_at);
create index received_arrivals_problems on received_arrivals (mode) where (problem is not null);

-- Invoices that other businesses send over the authority's network. A feed is what one pair of keys can see: the keys of this installation, or an
-- organisation's own.
create table received_feeds (
  country text not null,
  mode text not null,
  access text not null,
  polled_at timestamptz,
  tried_at timestamptz,
  error text,
  -- a tenant has just joined the feed: the next read goes back to this time
  reach_back_to timestamptz,
  primary key (country, mode, access),
  constraint received_feeds_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_feeds is 'machinery: the state of each feed of received invoices';

-- Totals of received invoices, counted when an invoice is stored, so that lists and figures need not read all of them. A received invoice never
-- changes, so no count is ever reversed. Due days and claimable days are separate rows, because both pass by themselves.
create table received_figures (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  payment_status text not null,
  due_date date not null,
  claim_until date not null,
  count bigint not null,
  credit_notes bigint not null,
  faulty bigint not null,
  net_minor numeric not null,
  tax_minor numeric not null,
  payable_minor numeric not null,
  claimable_minor numeric default 0 not null,
  primary key (organisation_id, mode, currency, payment_status, due_date, claim_until),
  constraint received_figures_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint received_figures_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_figures is 'tenant: totals of received invoices';

create table received_invoices (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  reference text not null,
  repeated_as text[] default '{}'::text[] not null,
  type text not null,
  type_code text not null,
  kind text,
  number text not null,
  issue_date date not null,
  due_date date,
  currency text not null,
  seller_name text,
  seller_tax_id text,
  seller_tax_id_plain text not null,
  seller_search text not null,
  seller_email text,
  seller_phone text,
  seller_city text,
  seller_country text,
  buyer_name text,
  buyer_tax_id text,
  buyer_tax_id_normal text not null,
  corrects text[] not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  payable_minor bigint not null,
  payment_status text not null,
  access_point text,
  faults jsonb not null,
  is_claimable boolean not null,
  claim_rule text not null,
  claim_message text not null,
  claim_until date,
  document text not null,
  search text not null,
  search_keys integer[] generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored not null,
  received_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledge_tries integer default 0 not null,
  acknowledge_at timestamptz not null,
  input_tax_minor bigint default 0 not null,
  claimable_minor bigint default 0 not null,
  -- references of other documents of the same supplier with the same number and type, and another day of issue
  possible_duplicates text[] default '{}'::text[] not null,
  -- when to ask for the payment status again, less and less often; null if no further check is planned
  payment_checks integer default 0 not null,
  payment_checked_at timestamptz,
  payment_check_at timestamptz,
  constraint received_invoices_organisation_id_mode_reference_key unique (organisation_id, mode, reference),
  primary key (organisation_id, mode, id),
  constraint received_invoices_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint received_invoices_claimable_minor_check check (claimable_minor >= 0),
  constraint received_invoices_mode_check check (mode in ('sandbox', 'live')),
  constraint received_invoices_payment_status_check check (payment_status in ('unpaid', 'partial', 'paid', 'rejected'))
);
comment on table received_invoices is 'tenant: invoices that suppliers sent to it';
create index received_invoices_amount on received_invoices (organisation_id, mode, payable_minor, id);
create index received_invoices_buyer on received_invoices (organisation_id, mode, buyer_tax_id_normal);
create index received_invoices_corrects on received_invoices using gin (corrects) with (fastupdate=off) where (corrects <> '{}'::text[]);
create index received_invoices_issued on received_invoices (organisation_id, mode, issue_date, id);
create index received_invoices_named on received_invoices (mode, reference);
create index received_invoices_number on received_invoices (organisation_id, mode, number);
create unique index received_invoices_once_a_day on received_invoices (organisation_id, mode, seller_tax_id_plain, number, type, issue_date) where (seller_tax_id_plain <> '');
create index received_invoices_payment_due on received_invoices (payment_check_at) where (payment_check_at is not null);
create index received_invoices_payment_of on received_invoices (organisation_id, mode, payment_check_at) where (payment_check_at is not null);
create index received_invoices_received on received_invoices (organisation_id, mode, received_at, id);
create index received_invoices_repeated on received_invoices using gin (repeated_as) with (fastupdate=off) where (repeated_as <> '{}'::text[]);
create index received_invoices_search on received_invoices using gin (search_keys) with (fastupdate=off);
create index received_invoices_unacknowledged on received_invoices (acknowledge_at) where (acknowledged_at is null);

-- Every document that a feed has listed, once: whether it was fetched, and for which tenant.
create table received_references (
  country text not null,
  mode text not null,
  access text not null,
  reference text not null,
  buyer_tax_id_normal text,
  is_open boolean default true not null,
  tries integer default 0 not null,
  due_at timestamptz not null,
  seen_at timestamptz not null,
  -- Why the document was set aside; null if it has no problem.
  problem text,
  primary key (country, mode, access, reference),
  constraint received_references_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_references is 'machinery: the documents that the feeds have listed';
create index received_references_buyer on received_references (country, mode, access, buyer_tax_id_normal);
create index received_references_due on received_references (country, mode, access, due_at) where is_open;
create index received_references_problems on received_references (country, mode) where (is_open and problem is not null);

create table received_suppliers (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  seller_tax_id_plain text not null,
  primary key (organisation_id, mode, currency, seller_tax_id_plain),
  constraint received_suppliers_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint received_suppliers_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_suppliers is 'tenant: suppliers that have sent invoices, by currency';

-- ---------------------------------------------------------------- collection

create table collection_feeds (
  provider text not null,
  mode text not null,
  swept_to timestamptz,
  reconciled_at timestamptz,
  primary key (provider, mode)
);
comment on table collection_feeds is 'machinery: how far each provider''s list of transfers was read';

-- Notifications of collection providers, once for each id of the provider. The table is also the queue. A notification proves nothing: it is a hint
-- to ask the provider.
create table collection_notifications (
  provider text not null,
  mode text not null,
  id text not null,
  subject text not null,
  received_at timestamptz default now() not null,
  due_at timestamptz default now(),
  tries integer default 0 not null,
  outcome text,
  -- The organisation that the notification seems to concern, because organisations take turns. Notifications without a known organisation share the
  -- turn of the id with all zeros.
  organisation_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  -- Providers notify about transfers and settlements.
  about text default 'transfer' not null,
  primary key (provider, mode, id),
  constraint collection_notifications_about_check check (about in ('transfer', 'settlement'))
);
comment on table collection_notifications is 'global: notifications of collection providers, before their organisation is known';
create index collection_notifications_by_time on collection_notifications (received_at);
create index collection_notifications_due on collection_notifications (due_at) where (due_at is not null);
-- For fair turns between organisations.
create index collection_notifications_turns on collection_notifications (mode, organisation_id, due_at) where (due_at is not null);

-- One row for each day of a provider's list of transfers that was compared with our records.
create table collection_reconciliations (
  provider text not null,
  mode text not null,
  day date not null,
  checked_at timestamptz not null,
  is_whole boolean not null,
  transfers integer not null,
  problem text,
  primary key (provider, mode, day),
  constraint collection_reconciliations_mode_check check (mode in ('sandbox', 'live'))
);
comment on table collection_reconciliations is 'machinery: days on which a provider''s list of transfers was compared with our records';

-- Strays: transfers under our provider keys that cannot be assigned to an account of ours. Stored as the provider reports them, with the reason.
create table collection_strays (
  provider text not null,
  mode text not null,
  reference text not null,
  handle text,
  reason text not null,
  amount_minor bigint,
  currency text,
  sender_name text,
  narration text,
  received_at timestamptz,
  found_at timestamptz not null,
  detail text,
  entry text,
  tries integer default 0 not null,
  -- when to ask the provider again; null if there is no further inquiry
  due_at timestamptz,
  -- when it was recorded as a received payment after all
  taken_in_at timestamptz,
  primary key (provider, mode, reference),
  constraint collection_strays_known check (reason = 'unreadable' or (handle is not null and amount_minor is not null and currency is not null and received_at is not null)),
  constraint collection_strays_mode_check check (mode in ('sandbox', 'live')),
  constraint collection_strays_reason_check check (reason in ('unknown_account', 'other_mode', 'no_amount', 'unreadable', 'failed'))
);
comment on table collection_strays is 'machinery: transfers that cannot be assigned to an account of ours, or could not be recorded';
create index collection_strays_due on collection_strays (due_at) where (due_at is not null);

-- Buyers pay by bank transfer into accounts that a provider keeps for us. The provider's books hold the money; ours say what it was for.
create table settlement_accounts (
  organisation_id uuid not null,
  mode text not null,
  seller_id uuid not null,
  id uuid not null,
  provider text not null,
  jurisdiction text not null,
  currency text not null,
  bank_code text not null,
  bank_network_code text,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  seller_name text not null,
  seller_type text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, seller_id),
  constraint settlement_accounts_organisation_id_seller_id_fkey foreign key (organisation_id, seller_id) references sellers(organisation_id, id),
  constraint settlement_accounts_mode_check check (mode in ('sandbox', 'live'))
);
comment on table settlement_accounts is 'tenant: the seller''s bank account that collected money goes to';

-- One payout of a provider to a seller. A sub-account may serve several sellers with one bank account: each seller has a row.
create table collection_settlements (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  seller_id uuid not null,
  provider text not null,
  provider_reference text not null,
  status text not null,
  currency text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  payment_count integer not null,
  settled_at timestamptz,
  found_at timestamptz not null,
  updated_at timestamptz not null,
  constraint collection_settlements_organisation_id_mode_provider_provid_key unique (organisation_id, mode, provider, provider_reference, seller_id),
  primary key (organisation_id, mode, id),
  constraint collection_settlements_organisation_id_mode_seller_id_fkey foreign key (organisation_id, mode, seller_id) references settlement_accounts(organisation_id, mode, seller_id),
  constraint collection_settlements_amount_minor_check check (amount_minor >= 0),
  constraint collection_settlements_fee_minor_check check (fee_minor >= 0),
  constraint collection_settlements_payment_count_check check (payment_count > 0),
  constraint collection_settlements_status_check check (status in ('pending', 'settled', 'failed'))
);
comment on table collection_settlements is 'tenant: payouts of providers to sellers';
create index collection_settlements_newest on collection_settlements (organisation_id, mode, found_at desc, id desc);

-- Money goes to the seller and never stays with the operator. Each provider has a sub-account for the seller's bank account, and every virtual
-- account is split so that the sub-account takes everything.
create table collection_sub_accounts (
  organisation_id uuid not null,
  mode text not null,
  seller_id uuid not null,
  provider text not null,
  state text not null,
  reason text,
  code text,
  bank_code text,
  account_number text,
  former_codes text[] default '{}'::text[] not null,
  tries integer default 0 not null,
  due_at timestamptz,
  -- when to assign the remaining virtual accounts to it; null if all are assigned
  accounts_due_at timestamptz,
  confirmed_at timestamptz,
  followed_at timestamptz,
  updated_at timestamptz not null,
  -- the last received payment that was looked up at a provider without a list of settlements; the next run continues after it
  followed_to uuid,
  primary key (organisation_id, mode, seller_id, provider),
  constraint collection_sub_accounts_organisation_id_mode_seller_id_fkey foreign key (organisation_id, mode, seller_id) references settlement_accounts(organisation_id, mode, seller_id),
  constraint collection_sub_accounts_check check (state <> 'confirmed' or code is not null),
  constraint collection_sub_accounts_check1 check ((code is null) = (account_number is null)),
  constraint collection_sub_accounts_state_check check (state in ('pending', 'confirmed', 'refused'))
);
comment on table collection_sub_accounts is 'tenant: each provider''s code for a seller''s settlement account';
create index collection_sub_accounts_due on collection_sub_accounts (due_at) where (due_at is not null);
create index collection_sub_accounts_to_point on collection_sub_accounts (accounts_due_at) where (accounts_due_at is not null);

-- `opening` during the request to the provider: the account is not shown yet, but its reference is taken.
create table virtual_accounts (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  reference text not null,
  fingerprint text not null,
  kind text not null,
  state text not null,
  provider text not null,
  jurisdiction text not null,
  currency text not null,
  seller_id uuid not null,
  buyer_id uuid,
  invoice_id uuid,
  customer jsonb not null,
  account_reference text,
  method text,
  amount_minor bigint,
  limit_minor bigint,
  expires_at timestamptz,
  handle text not null,
  account_number text,
  account_name text,
  bank_code text,
  bank_name text,
  created_by_type text not null,
  created_by uuid,
  created_at timestamptz not null,
  deactivated_at timestamptz,
  deactivation_reason text,
  callback_url text,
  callback_endpoint_id uuid,
  sub_account_code text,
  -- after a failure: the earliest next request to the provider
  split_due_at timestamptz,
  split_tries integer default 0 not null,
  split_failure text,
  constraint virtual_accounts_organisation_id_mode_reference_key unique (organisation_id, mode, reference),
  primary key (organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_buyer_id_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id) on delete set null (invoice_id),
  constraint virtual_accounts_organisation_id_mode_seller_id_fkey foreign key (organisation_id, mode, seller_id) references settlement_accounts(organisation_id, mode, seller_id),
  constraint virtual_accounts_amount_minor_check check (amount_minor > 0),
  constraint virtual_accounts_callback_url_check check (length(callback_url) <= 2048),
  constraint virtual_accounts_check check (state = 'opening' or account_number is not null),
  constraint virtual_accounts_check1 check ((state = 'deactivated') = (deactivated_at is not null)),
  constraint virtual_accounts_check2 check (callback_endpoint_id is null or callback_url is not null),
  constraint virtual_accounts_kind_check check (kind in ('persistent', 'dynamic')),
  constraint virtual_accounts_limit_minor_check check (limit_minor > 0),
  constraint virtual_accounts_state_check check (state in ('opening', 'active', 'deactivated'))
);
comment on table virtual_accounts is 'tenant: bank accounts into which buyers pay';
create index virtual_accounts_by_buyer on virtual_accounts (organisation_id, mode, buyer_id) where (buyer_id is not null);
create index virtual_accounts_by_callback on virtual_accounts (organisation_id, mode, callback_endpoint_id) where (callback_endpoint_id is not null);
create index virtual_accounts_by_handle on virtual_accounts (handle);
create index virtual_accounts_by_invoice on virtual_accounts (organisation_id, mode, invoice_id) where (invoice_id is not null);
create index virtual_accounts_by_seller on virtual_accounts (organisation_id, mode, seller_id, provider);
create index virtual_accounts_newest on virtual_accounts (organisation_id, mode, created_at desc, id desc);

-- By the provider's reference of the transfer: a settlement may arrive before the transfer itself is recorded.
create table collection_settled_transfers (
  organisation_id uuid not null,
  mode text not null,
  provider text not null,
  transfer_reference text not null,
  settlement_id uuid not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  -- when the provider removed the transfer from the settlement; the transfer then counts as not paid out
  removed_at timestamptz,
  primary key (organisation_id, mode, provider, transfer_reference, settlement_id),
  constraint collection_settled_transfers_organisation_id_mode_settleme_fkey foreign key (organisation_id, mode, settlement_id) references collection_settlements(organisation_id, mode, id),
  constraint collection_settled_transfers_amount_minor_check check (amount_minor >= 0),
  constraint collection_settled_transfers_fee_minor_check check (fee_minor >= 0)
);
comment on table collection_settled_transfers is 'tenant: the transfers that a settlement paid out';

-- A constraint puts every naira received into exactly one of four balances. `pending` until a job has matched the payment.
create table received_payments (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  account_id uuid not null,
  provider text not null,
  provider_reference text not null,
  buyer_id uuid,
  currency text not null,
  amount_minor bigint not null,
  unmatched_minor bigint not null,
  credited_minor bigint default 0 not null,
  applied_minor bigint default 0 not null,
  refunded_minor bigint default 0 not null,
  matched_at timestamptz,
  reconciliation_status text generated always as (
case
    when (matched_at is null) then 'pending'
    when (unmatched_minor > 0) then 'unmatched'
    when (credited_minor > 0) then 'overpaid'
    else 'applied'
end) stored not null,
  sender_name text,
  narration text,
  received_at timestamptz not null,
  recorded_at timestamptz not null,
  reversed_at timestamptz,
  version integer default 1 not null,
  constraint received_payments_organisation_id_mode_provider_provider_re_key unique (organisation_id, mode, provider, provider_reference),
  primary key (organisation_id, mode, id),
  constraint received_payments_organisation_id_mode_account_id_fkey foreign key (organisation_id, mode, account_id) references virtual_accounts(organisation_id, mode, id),
  constraint received_payments_organisation_id_mode_buyer_id_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id),
  constraint received_money_is_somewhere check (((((unmatched_minor + credited_minor) + applied_minor) + refunded_minor) = amount_minor) and (least(unmatched_minor, credited_minor, applied_minor, refunded_minor) >= 0)),
  constraint received_payments_amount_minor_check check (amount_minor > 0),
  constraint received_payments_check check (credited_minor = 0 or buyer_id is not null)
);
comment on table received_payments is 'tenant: transfers into virtual accounts, and the four balances of each';
create index received_payments_by_status on received_payments (organisation_id, mode, reconciliation_status, received_at desc, id desc);
-- By the time of receipt, over all organisations, for the comparison with settlements.
create index received_payments_by_time on received_payments (received_at);
create index received_payments_credit on received_payments (organisation_id, mode, buyer_id, currency, received_at, id) where (credited_minor > 0);
create index received_payments_newest on received_payments (organisation_id, mode, received_at desc, id desc);
create index received_payments_pending on received_payments (recorded_at) where (matched_at is null);

-- Differences between the provider's list of transfers and our records, until they are resolved.
create table collection_differences (
  organisation_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  kind text not null,
  ours_minor bigint,
  theirs_minor bigint,
  found_at timestamptz not null,
  settled_at timestamptz,
  primary key (organisation_id, mode, payment_id, kind),
  constraint collection_differences_organisation_id_mode_payment_id_fkey foreign key (organisation_id, mode, payment_id) references received_payments(organisation_id, mode, id),
  constraint collection_differences_kind_check check (kind in ('missing_here', 'missing_there', 'amount', 'currency', 'refunded', 'not_settled', 'settled_amount', 'settled_reversed'))
);
comment on table collection_differences is 'tenant: differences between a provider''s list of transfers and our records';
create index collection_differences_open on collection_differences (organisation_id, mode) where (settled_at is null);

-- The refund is recorded and its money set aside before the request to the provider. Its id is the provider's idempotency key, so the provider pays
-- once.
create table collection_refunds (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  state text not null,
  amount_minor bigint not null,
  credited_minor bigint default 0 not null,
  reason text,
  failure text,
  tries integer default 0 not null,
  due_at timestamptz,
  asked_at timestamptz not null,
  settled_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint collection_refunds_organisation_id_mode_payment_id_fkey foreign key (organisation_id, mode, payment_id) references received_payments(organisation_id, mode, id),
  constraint collection_refunds_amount_minor_check check (amount_minor > 0),
  constraint collection_refunds_check check ((state = 'pending') = (settled_at is null)),
  constraint collection_refunds_credited_minor_check check (credited_minor >= 0),
  constraint collection_refunds_state_check check (state in ('pending', 'sent', 'failed'))
);
comment on table collection_refunds is 'tenant: refunds of received money, and their outcomes';
create index collection_refunds_due on collection_refunds (due_at) where (due_at is not null);
create index collection_refunds_of_payment on collection_refunds (organisation_id, mode, payment_id, asked_at);

create function refuse_to_rewrite_received_money() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of received money is append-only';
end $$;

-- Each move from one balance to another, numbered within its payment without gaps.
create table received_payment_moves (
  organisation_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  seq integer not null,
  type text not null,
  from_place text not null,
  to_place text not null,
  amount_minor bigint not null,
  invoice_id uuid,
  -- the payment of the invoice that this move made
  invoice_payment_id uuid,
  refund_id uuid,
  actor_kind text not null,
  actor_id uuid,
  moved_at timestamptz not null,
  primary key (organisation_id, mode, payment_id, seq),
  constraint received_payment_moves_organisation_id_mode_payment_id_fkey foreign key (organisation_id, mode, payment_id) references received_payments(organisation_id, mode, id),
  constraint received_payment_moves_amount_minor_check check (amount_minor > 0)
);
comment on table received_payment_moves is 'tenant: every move of received money, append-only';
create trigger received_payment_moves_are_append_only before delete or update on received_payment_moves for each row execute function refuse_to_rewrite_received_money();

-- ---------------------------------------------------------------- imports

-- Files that people upload. Each record is stored as the request that would create it, with its outcome.
create table imports (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  status text not null,
  columns jsonb not null,
  asked_by jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Imports count against their organisation's quota of stored bytes.
  stored_bytes bigint default 0 not null,
  primary key (organisation_id, mode, id),
  constraint imports_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint imports_kind_check check (kind in ('buyers', 'items', 'invoices')),
  constraint imports_mode_check check (mode in ('sandbox', 'live')),
  constraint imports_status_check check (status in ('checking', 'checked', 'running', 'done', 'undoing', 'undone', 'stopped'))
);
comment on table imports is 'tenant: files of buyers, items and invoices, and their progress';
create index imports_by_age on imports (created_at);

create table import_records (
  organisation_id uuid not null,
  mode text not null,
  import_id uuid not null,
  row_number integer not null,
  line_rows integer[] not null,
  body jsonb not null,
  label text not null,
  status text not null,
  object_id uuid,
  faults jsonb not null,
  primary key (organisation_id, mode, import_id, row_number),
  constraint import_records_organisation_id_mode_import_id_fkey foreign key (organisation_id, mode, import_id) references imports(organisation_id, mode, id) on delete cascade,
  constraint import_records_status_check check (status in ('unchecked', 'ready', 'faulty', 'made', 'undone', 'kept'))
);
comment on table import_records is 'tenant: the records of an import, with their problems';

-- ---------------------------------------------------------------- webhooks

-- Deliveries that a process sends right after it has written them. One row stands for all of them and is deleted when the last one ends. A row whose
-- lease has expired belongs to a dead process; its remaining deliveries go to the queue.
create table webhook_batches (
  id uuid not null,
  taken_by uuid not null,
  due_at timestamptz not null,
  deliveries jsonb not null,
  primary key (id)
);
comment on table webhook_batches is 'machinery: deliveries that a process is sending for the first time';
alter table only webhook_batches alter column deliveries set storage external;

-- One row for each event and endpoint, and one index. The id is derived from both, so an event is delivered once, and begins with the time of the
-- event. Waiting deliveries are in the queue instead of an index of this table, so that recording the result of an attempt touches no index.
create table webhook_deliveries (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  is_test boolean default false not null,
  body text not null,
  status text not null,
  is_manual boolean default false not null,
  attempts smallint default 0 not null,
  failed smallint default 0 not null,
  begun_at timestamptz,
  next_attempt_at timestamptz,
  log jsonb default '[]'::jsonb not null,
  reason text,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (organisation_id, mode, id),
  constraint webhook_deliveries_status_check check (status in ('pending', 'delivering', 'retrying', 'delivered', 'failed'))
) with (fillfactor=40);
comment on table webhook_deliveries is 'tenant: deliveries to endpoints, with the log of every attempt';
create index webhook_deliveries_failed on webhook_deliveries (organisation_id, mode, id) where (reason is not null);
-- For the log of one endpoint, and for failed deliveries, without reading all deliveries. A successful delivery touches neither index: the columns of
-- the first never change, and `reason` stays null.
create index webhook_deliveries_of_endpoint on webhook_deliveries (organisation_id, mode, endpoint_id, id);
-- For the deliveries of one type, without reading all deliveries. Its columns never change, so the end of a delivery does not touch it.
create index webhook_deliveries_of_type on webhook_deliveries (organisation_id, mode, type, id);

-- Webhook endpoints. A deleted endpoint stays for the log of its deliveries.
create table webhook_endpoints (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  dialect text not null,
  url text not null,
  description text,
  patterns text[] not null,
  capabilities text[] not null,
  plan jsonb,
  event_versions smallint default 1 not null,
  sealed_secret text not null,
  -- the previous secret also signs until `previous_secret_until`
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  failures_in_row integer default 0 not null,
  disabled_at timestamptz,
  disabled_cause text,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- The person who last changed the endpoint's address or subscription. When this person leaves, the owners are notified.
  aimed_by uuid,
  -- The address that a virtual account was opened with: an endpoint that receives only the events of that account.
  is_callback boolean default false not null,
  -- The first failure of the present series: an endpoint is disabled only after a day without a success.
  failing_since timestamptz,
  primary key (organisation_id, mode, id),
  constraint webhook_endpoints_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint webhook_endpoints_check check ((disabled_at is null) = (disabled_cause is null)),
  constraint webhook_endpoints_check1 check ((sealed_previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_disabled_cause_check check (disabled_cause in ('manual', 'failures', 'gone')),
  constraint webhook_endpoints_mode_check check (mode in ('sandbox', 'live')),
  constraint webhook_endpoints_patterns_check check ((cardinality(patterns) >= 1) and (cardinality(patterns) <= 100)),
  constraint webhook_endpoints_url_check check (length(url) <= 2048)
);
comment on table webhook_endpoints is 'tenant: endpoints that receive events';

-- Deliveries that wait for an attempt. `due_at` is also the end of a dispatcher's lease.
create table webhook_queue (
  id uuid not null,
  organisation_id uuid not null,
  mode text not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  taken_by uuid,
  primary key (id)
);
comment on table webhook_queue is 'machinery: deliveries that wait for an attempt or are being retried';
create index webhook_queue_due on webhook_queue (endpoint_id, due_at);

-- ---------------------------------------------------------------- request-log

-- Requests to the API, for developers of client programs. No foreign key goes in or out. Rows are written in batches after the requests, and a batch
-- that cannot be written is dropped. Ids grow with time, so one index is enough.
create table request_log (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  answered_at timestamptz not null,
  method text not null,
  route text,
  path text not null,
  status smallint not null,
  reason text,
  error text,
  duration_ms real not null,
  actor_type text not null,
  actor_id uuid not null,
  actor_name text not null,
  request_id text not null,
  address text not null,
  user_agent text not null,
  primary key (organisation_id, mode, id),
  constraint request_log_actor_type_check check (actor_type in ('user', 'api_key')),
  constraint request_log_mode_check check (mode in ('sandbox', 'live'))
);
comment on table request_log is 'tenant: requests of the last days with their replies, without bodies';

-- ---------------------------------------------------------------- foreign keys to tables further down

alter table virtual_accounts add constraint virtual_accounts_organisation_id_mode_callback_endpoint_id_fkey foreign key (organisation_id, mode, callback_endpoint_id) references webhook_endpoints(organisation_id, mode, id);

