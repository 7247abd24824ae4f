-- The schema of version 1.0.0. Later versions change it by migrations of their own; this file never changes.
-- Tables stand under the module that writes them. `npm run schema:write` draws what all migrations make: db/schema.sql.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Functions that indexes and generated columns use

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

-- Where a month begins among ids, which begin with their time in milliseconds.
create function first_id_at(instant timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Running transactions are looked at from the oldest on, one by one, until one is not known to belong to another database. Put as a join, what came first was the
-- planner's choice, and events of the older ones were passed over. A prepared transaction has no process, and belongs to whoever asks.
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

-- Keys that have sealed or signed something in this database, to notice a key file that belongs to another one.
create table secret_keys (
  key_id text not null,
  fingerprint text not null,
  first_seen_at timestamptz default now() not null,
  primary key (key_id)
);
comment on table secret_keys is 'machinery: fingerprints of the key file''s keys';

-- ---------------------------------------------------------------- operations

-- What we set out to ask an outside party. A row left behind by a dead process is settled by a sweep.
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
comment on table exchanges is 'machinery: questions to outside parties, and for 30 days what became of them';
create index exchanges_abandoned on exchanges (abandoned_after) where (settled_at is null);
create index exchanges_settled on exchanges (settled_at) where (settled_at is not null);

-- The first answer to each Idempotency-Key. A row without an answer belongs to an exchange that is still under way.
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
  -- What a sweep settled in place of a dead process, for whoever repeats the request.
  sealed_output text,
  -- Answers of hot statements are kept by reference to the words that most of them have: 0.9 KB where Snappy needed 1.6. Nodes of versions before do not know
  -- the column: after half a minute they ask whoever repeats a request to come again. What those keep (`compressed`, `kept`) is read on.
  answer bytea,
  primary key (organisation_id, mode, key, target)
) with (toast_tuple_target=8160, autovacuum_vacuum_insert_threshold=-1);
comment on table idempotency_keys is 'tenant: the first answer to each Idempotency-Key, for 24 hours';
alter table only idempotency_keys alter column sealed_body set storage external;
alter table only idempotency_keys alter column said set statistics 0;
alter table only idempotency_keys alter column answer set statistics 0;
alter table only idempotency_keys alter column answer set storage external;
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_open on idempotency_keys (exchange_id) where (status is null);

-- ---------------------------------------------------------------- events

-- The audit log tells exact totals without counting all that happened: how many events there are of each type and by each actor, on each
-- day and in each month. `id_month` is the partition that they are in, with which they go. Between `first_id` and `last_id` they all
-- lie, so that other months are not looked at.
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

-- Which era it is. The column's default says the same; both change together when a dump was loaded.
create table event_era (
  only_row boolean default true not null,
  era smallint not null,
  primary key (only_row),
  constraint event_era_only_row_check check (only_row)
);
comment on table event_era is 'machinery: which cluster''s count of transactions orders the events that are written now';

-- How far each reader has come. `from_id` leaves out months that it cannot need any more; what fails is kept until it is mended or skipped.
create table event_places (
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
comment on table event_places is 'machinery: how far each consumer has read the events';

-- What happened cannot be changed afterwards; only the relay's note may be added.
create function refuse_to_rewrite_events() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;

-- Everything that happened, written in the transaction that made it happen. The same rows are what webhooks tell of and
-- what the audit log shows, so neither can know of something that the other does not.
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
comment on table events is 'organisation: everything that happened, for webhooks and the audit log';
comment on column events.version is 'of the form of data, by type';
comment on column events.object_version is 'which version of the object it tells of; null where objects of its kind have none, and before this was told';
create index events_in_order on events (era, xid, seq);
create index events_by_actor on events (organisation_id, actor_id, id) where (actor_id is not null);
create index events_of_organisation_in_order on events (organisation_id, era, xid, seq);
create index events_about_object on events (organisation_id, object_id, id);
-- Each filter of the log in the order of its pages.
create index events_of_type on events (organisation_id, type, id);
-- What happened cannot be changed afterwards.
create trigger events_are_append_only before delete or update on events for each row execute function refuse_to_rewrite_events();

-- Events that a consumer could not take, set aside so that the events behind them go on. Workers try them again from time to time.
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
comment on table set_aside_events is 'machinery: events that a consumer could not take, to be tried again';
create index set_aside_events_of_organisation on set_aside_events (organisation_id, consumer);

-- What a person told a reader to leave out.
create table skipped_events (
  consumer text not null,
  event_id uuid not null,
  organisation_id uuid not null,
  reason text not null,
  failure text,
  skipped_at timestamptz default now() not null,
  primary key (consumer, event_id)
);
comment on table skipped_events is 'machinery: events that a consumer was told to skip, and why';

-- Events whose id names no month that has a partition.
create table events_elsewhen partition of events default;
create trigger events_are_not_emptied before truncate on events_elsewhen for each statement execute function refuse_to_rewrite_events();

-- Called before anything reads after a dump was loaded: transactions that would be counted below those of the dump begin an era.
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

-- Drops one month of events, and what was counted of it. Two months are kept at least.
create function drop_event_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '5s' as $$
declare
  starts date := date_trunc('month', month);
begin
  if starts + interval '3 months' > date_trunc('month', now()) then
    raise exception 'events of two months are kept at least';
  end if;
  -- why: only what is older than is kept goes, and what was counted of it
  execute format('drop table if exists public.%I', 'events_' || to_char(starts, 'YYYY_MM'));
  delete from public.event_counts where id_month = starts;
end $$;
revoke execute on function drop_event_month from public;

-- Months whose events stand in the default partition, as far as a partition can be made for them.
create function event_months_elsewhen() returns setof date
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct date_trunc('month', at at time zone 'UTC')::date
    from public.events_elsewhen
   cross join lateral (select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as at) as made
   where at between now() - interval '1199 months' and now() + interval '23 months'
$$;
revoke execute on function event_months_elsewhen from public;

-- Whoever may call it can drop months of events. What no installation keeps is all that it drops, and what it is asked to make has a bound.
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
  -- why: only what is older than is kept goes, and what was counted of it
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

-- Makes the partition of one month, with the events of that month which the default partition took while it was missing. In one transaction, so that
-- nobody who reads misses an event. Gives how many events were moved; null where the month had its partition already.
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

-- Items that background work could not do, so that one failing item never stops the others: which, why, how often and since when.
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
comment on table failing_items is 'machinery: items that background work fails on at present';
create index failing_items_by_time on failing_items (last_at);

-- Background work, asked for in the transaction that needs it and claimed from here: one table, lanes that do not wait for each
-- other, and organisations that take turns. A row leaves when its work is done. `due_at` is also how long whoever took it may take: work
-- of a process that died falls due by itself. The organisation is all zeros for work that belongs to none.
create table work (
  id uuid not null,
  lane text not null,
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
comment on table work is 'machinery: background work that waits or is being done';
create index work_due on work (lane, organisation_id, due_at) where (given_up_at is null);
create unique index work_keys on work (job, key) where (key is not null and given_up_at is null);

-- ---------------------------------------------------------------- callers

-- Whose tokens changed. Nodes follow this log; `xid` lets them follow it without missing a late commit.
create table auth_changes (
  seq bigint generated always as identity,
  subject text not null,
  xid xid8 default pg_current_xact_id() not null,
  changed_at timestamptz default now() not null,
  primary key (seq)
);
comment on table auth_changes is 'machinery: whose tokens must be looked at anew';
create index auth_changes_by_xid on auth_changes (xid);

-- ---------------------------------------------------------------- limits

-- How much of a limit was handed out to nodes in one window of time.
create table rate_windows (
  subject text not null,
  window_end timestamptz not null,
  used integer not null,
  primary key (subject, window_end)
);
comment on table rate_windows is 'machinery: requests counted per subject and window';
create index rate_windows_past on rate_windows (window_end);

-- ---------------------------------------------------------------- messages

-- The built-in mailbox, used where no mail server is configured.
create table mailbox (
  id uuid not null,
  channel text not null,
  recipient text not null,
  created_at timestamptz not null,
  sealed_body text not null,
  primary key (id),
  constraint mailbox_channel_check check (channel in ('email', 'sms'))
);
comment on table mailbox is 'global: what would have been sent, where no mail server is configured';
create index mailbox_by_recipient on mailbox (lower(recipient), created_at desc);

-- Mails and texts. The body may hold a code, so it is sealed, and dropped once it has been handed over.
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
comment on table messages is 'global: mails and texts to people, one per cause';
create index messages_waiting on messages (created_at) where (sent_at is null);

-- ---------------------------------------------------------------- reference

-- Code lists that were loaded beside those that come with the software: imported by hand, or read from the authority.
-- The newest that counts already wins; older ones stay, so that a bad one can be taken back.
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

-- Wrong tries at what can be guessed: passwords, second factors, codes. A door is one purpose of one account; a lane is the
-- network that knocks, or empty for all networks together that the account has never signed in from. `closings` says how often
-- in a row the lane was closed: each wait is longer than the one before.
create table doors (
  purpose text not null,
  account_mac text not null,
  lane text not null,
  wrong integer not null,
  began_at timestamptz not null,
  closings smallint not null,
  closed_until timestamptz,
  primary key (purpose, account_mac, lane)
);
comment on table doors is 'global: wrong tries at passwords and codes, per account, purpose and lane';
create index doors_past on doors (began_at);

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

-- Devices a person has signed in from, as keyed fingerprints, to tell them of a new one.
create table known_devices (
  user_id uuid not null,
  device_mac text not null,
  first_seen_at timestamptz not null,
  -- Which networks a person signs in from; what was seen before this was kept is known again with the next sign-in.
  network_mac text default '' not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_mac),
  constraint known_devices_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table known_devices is 'global: devices a person has signed in from';

-- Codes sent by mail or text. Only a keyed fingerprint is kept; `attempts_left` counts down with every wrong try.
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
  -- One open code per person, purpose and subject (the registration that a code was mailed for; empty where the purpose says it
  -- all). Tries from the network that asked for the code and tries from elsewhere are counted apart, so that neither uses up
  -- the other's.
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
comment on table recovery_codes is 'global: ways in without the second factor, each usable once';

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
  -- Onboarding asks for a tax number that the authority has confirmed.
  tax_number_verified_at timestamptz,
  parted_from uuid,
  parted_at timestamptz,
  -- Who made it. Empty where that is not known any more.
  founded_by uuid,
  primary key (id),
  constraint organisations_founded_by_fkey foreign key (founded_by) references users(id),
  constraint organisations_parent_id_fkey foreign key (parent_id) references organisations(id),
  constraint organisations_parted_from_fkey foreign key (parted_from) references organisations(id),
  constraint organisations_check check (parent_id <> id),
  constraint organisations_country_check check (country ~ '^[A-Z]{2}$'),
  constraint organisations_parted check (((parted_from is null) = (parted_at is null)) and (parent_id is null or parted_from is null))
);
comment on table organisations is 'global: the businesses themselves';
create index organisations_by_parent on organisations (parent_id, created_at) where (parent_id is not null);

-- What somebody of an organisation wants to change about a person who belongs to others too: it waits for that person's word.
create table asked_changes (
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
  constraint asked_changes_asked_by_fkey foreign key (asked_by) references users(id),
  constraint asked_changes_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint asked_changes_user_id_fkey foreign key (user_id) references users(id),
  constraint asked_changes_what_check check (what in ('name', 'phone', 'second_factor'))
);
comment on table asked_changes is 'organisation: changes of a person that wait for that person to confirm them';
create index asked_changes_of_person on asked_changes (user_id, created_at);
create unique index asked_changes_open on asked_changes (organisation_id, user_id, what) where (ended_at is null);

-- Who pays when a child's credits run short.
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

-- Pictures on documents, each once for an organisation, under the SHA-256 of its bytes: an invoice that is issued names the one that it
-- shows. `replaced_at` is when it stopped being the logo of today; it is then dropped unless a document that was issued holds it.
create table logos (
  organisation_id uuid not null,
  hash text not null,
  content_type text not null,
  bytes bytea not null,
  replaced_at timestamptz,
  primary key (organisation_id, hash),
  constraint logos_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table logos is 'organisation: pictures on its documents, by what they are';
alter table only logos alter column bytes set storage external;
create index logos_replaced on logos (replaced_at) where (replaced_at is not null);

-- Roles that an organisation made itself. Those of the system have fixed ids and are not rows.
-- `epoch` rises when the capabilities change; tokens of everyone who holds the role carry it.
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
comment on table roles is 'organisation: capability sets it has named itself';
create unique index roles_name on roles (organisation_id, name) where (deleted_at is null);

-- The code is kept twice: as a keyed fingerprint, by which it is found, and as a slow hash, which is what counts.
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
comment on table invitations is 'organisation: who was asked to join';
create index invitations_by_code on invitations (lower(email), code_mac) where (status = 'pending');
create index invitations_expiring on invitations (expires_at) where (status = 'pending');
create unique index invitations_one_pending on invitations (organisation_id, lower(email)) where (status = 'pending');

-- How documents look, and where the organisation wants to be paid.
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

-- `epoch` rises with every change of what the member may do; tokens carry the epoch they were issued in.
-- `custom_role_id` is the role when it is one of the organisation's own, so that it cannot vanish while it is held.
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
comment on table memberships is 'organisation: who belongs to it, and as what';
create index memberships_by_custom_role on memberships (organisation_id, custom_role_id) where (custom_role_id is not null);
create index memberships_by_user on memberships (user_id, joined_at);

-- ---------------------------------------------------------------- identity

-- Everyone who asked for an address that is not verified yet. What they chose takes effect with the code mailed for it, and
-- that code alone; the first that is verified ends the others.
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
comment on table registrations is 'global: who asked for an address that nobody has verified yet';
create index registrations_open on registrations (user_id, created_at) where (ended_at is null);
create index registrations_past on registrations (expires_at);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  -- empty for a person who belongs to no organisation at the moment
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
comment on table sessions is 'global: where a person is signed in';
create index sessions_by_user on sessions (user_id, last_used_at desc) where (ended_at is null);

-- Every refresh token a session ever had: the one that comes back a second time tells of a theft.
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

-- A key is asked for before we know whose it is. A unique index over the keys of all organisations is more than one shard could hold, so which key a hash
-- names stands in a table of its own, beside every shard. It only says where to look: whether the key works is told by the key's own row. That row stays
-- for good, and so does this.
create table api_key_hashes (
  key_hash text not null,
  organisation_id uuid not null,
  key_id uuid not null,
  primary key (key_hash)
);
comment on table api_key_hashes is 'global: which key a hash names, asked before we know whose it is';

-- Only a hash of the key is kept. A key holds the capabilities listed, or what its role holds.
-- `epoch` rises when what the key may do changes; tokens issued to it carry the epoch they were issued in.
-- `stops_at` is set when the key is rotated: it works until then.
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
comment on table api_keys is 'organisation: keys of programs, by hash';
create index api_keys_by_custom_role on api_keys (organisation_id, custom_role_id) where (custom_role_id is not null);
create index api_keys_ending on api_keys (least(expires_at, stops_at)) where (revoked_at is null and end_announced_at is null);

-- ---------------------------------------------------------------- credits

-- The books of credits. Every credit that was ever issued to a tenant is in exactly one place: available, held while an
-- outside party is asked, spent, or lent to a child organisation. `owed` counts credits that were taken back (a refund, a
-- charge-back) after they had been spent; what is issued later settles it first. The table itself refuses books that do
-- not balance, and a balance below zero, under any concurrency.
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
comment on table credit_balances is 'tenant: where every credit is';

create function refuse_to_rewrite_credit_moves() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of credits is append-only';
end $$;

-- Each move from one place to another, once per cause, in order of `seq`, which has no gaps within a tenant.
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
comment on table credit_moves is 'tenant: every move of credits, append-only';
create index credit_moves_by_time on credit_moves (organisation_id, mode, created_at);
create unique index credit_moves_cause on credit_moves (organisation_id, mode, type, cause);
create trigger credit_moves_are_append_only before delete or update on credit_moves for each row execute function refuse_to_rewrite_credit_moves();

-- ---------------------------------------------------------------- billing

-- Also what every change of subscriptions and payments of an organisation locks first, so that they take turns.
create table billing_accounts (
  organisation_id uuid not null,
  id uuid not null,
  opened_at timestamptz not null,
  primary key (organisation_id),
  constraint billing_accounts_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table billing_accounts is 'organisation: that it has books, and under which id they are asked for';

-- The live credits of the free plan are given once to a person, for the first organisation they make, and once to a business,
-- known by the tax number that the authority has confirmed. `claim` is `person:<id>` or `tax-number:<country>:<number>`.
create table free_credit_claims (
  claim text not null,
  organisation_id uuid not null,
  claimed_at timestamptz not null,
  primary key (claim),
  constraint free_credit_claims_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table free_credit_claims is 'global: persons and businesses that have had the credits of the free plan';

-- What payment providers told us, once per id of theirs. It proves nothing by itself: it says when to look.
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
comment on table provider_notifications is 'global: what payment providers told us, before we know whom it concerns';
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
comment on table subscriptions is 'organisation: the plans it has taken';
create index subscriptions_allocating on subscriptions (next_allocation_at) where (next_allocation_at is not null);
create index subscriptions_due on subscriptions (next_step_at) where (next_step_at is not null);
create unique index subscriptions_one_current on subscriptions (organisation_id) where (status <> 'expired');

-- `credits` is what the payment has bought so far, `granted_credits` what the ledger shows for it: both follow the money.
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
comment on table payments is 'organisation: what it was asked to pay, and what became of it; the money is live money';
create index payments_by_handle on payments (handle) where (handle is not null);
create index payments_by_reference on payments (((id)::text));
create index payments_newest on payments (organisation_id, created_at desc, id desc);
create index payments_of_subscription on payments (organisation_id, subscription_id, period) where (subscription_id is not null);
create index payments_to_look_at on payments (look_at) where (look_at is not null);

-- One row for each month that was granted; its key is why a month is granted once, whatever is restarted when.
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
comment on table subscription_allocations is 'organisation: the months of credits that subscriptions have brought';

-- The billing periods of a subscription, and the payment that each was paid with.
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

-- The seller of a business is the same in both modes; whether its number was checked is not (tax_number_checks).
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
comment on table sellers is 'organisation: in whose name it invoices';
create unique index sellers_primary on sellers (organisation_id) where is_primary;
create index sellers_search on sellers using gin (organisation_id, search gin_trgm_ops) with (fastupdate=off);
create unique index sellers_tax_id on sellers (organisation_id, tax_id_normal) where (tax_id_normal is not null);

-- ---------------------------------------------------------------- buyers

-- `tax_id` is what was typed, `tax_id_normal` the one spelling by which two are compared, `search` what is searched in.
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
  constraint buyers_tax_id_type_check check (tax_id_type in ('tin', 'rn', 'foreign', 'none'))
);
comment on table buyers is 'tenant: whom it invoices';
-- A draft is found by the name of its buyer today, also when nobody invoices that buyer any more.
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
comment on table items is 'tenant: goods and services it sells again and again';
create index items_by_last_use on items (organisation_id, mode, last_used_at desc nulls last, id) where (archived_at is null);
create index items_by_name on items (organisation_id, mode, lower(name), id) where (archived_at is null);
create index items_by_use on items (organisation_id, mode, use_count desc, id) where (archived_at is null);
create index items_search on items using gin (search_keys) with (fastupdate=off);
create unique index items_sku on items (organisation_id, mode, sku) where (archived_at is null and sku is not null);

-- ---------------------------------------------------------------- tax-identities

-- Whether the authority's network reaches a number is the same for everybody who asks in one mode.
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
-- Whether the network reaches a number was kept for ever. It is purged by age.
create index network_lookups_by_age on network_lookups (checked_at);

-- Questions to the authority about a tax number: one open question for each party at a time.
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
comment on table tax_number_checks is 'tenant: what the authority said about tax numbers';
create index tax_number_checks_newest on tax_number_checks (organisation_id, mode, party, party_id, started_at desc);
create unique index tax_number_checks_open on tax_number_checks (organisation_id, mode, party, party_id) where (status = 'pending');

-- ---------------------------------------------------------------- tax-connection

-- A tenant's link to the tax authority: by what the authority knows the business, and what it gave to it.
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
  -- A document keeps the number that it was reported under, also when its business has another service id since then: the ids that were
  -- replaced lead to it as the present one does.
  former_service_ids text[] default '{}'::text[] not null,
  primary key (organisation_id, mode),
  constraint tax_connections_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_connections_check check (((sealed_key_file is null) = (key_file_fingerprint is null)) and ((sealed_key_file is null) = (key_file_at is null))),
  constraint tax_connections_check1 check ((consent_version is null) = (consented_at is null)),
  constraint tax_connections_check2 check ((status = 'revoked') = (revoked_at is not null)),
  constraint tax_connections_mode_check check (mode in ('sandbox', 'live')),
  constraint tax_connections_status_check check (status in ('pending', 'connected', 'revoked'))
);
comment on table tax_connections is 'tenant: its link to the tax authority';
create index tax_connections_former_service on tax_connections using gin (former_service_ids);
-- Who is meant by the number on a document.
create index tax_connections_number on tax_connections (mode, tax_id_normal) where (status = 'connected');
-- Whoever holds a document asks whether it was reported: the service id in its number leads to whoever reports under it.
create index tax_connections_service on tax_connections (service_id);

-- What a key file is encrypted to on its way to us; made before there is a connection.
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
comment on table tax_transport_keys is 'tenant: the key pair that its key file comes under';

-- ---------------------------------------------------------------- invoices

create table invoice_codes (
  organisation_id uuid not null,
  mode text not null,
  type text not null,
  code text not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  description text,
  -- Entries of the listing stand for several lines since 0058. Software from before takes each for one, and would leave too many uses behind for ever when such a
  -- document is changed or deleted. It does not say this, and so cannot count codes any more; what it leaves is taken up by whoever does.
  reads_runs boolean not null,
  primary key (organisation_id, mode, type, code),
  constraint invoice_codes_type_check check (type in ('goods', 'service'))
) with (fillfactor=70);
comment on table invoice_codes is 'tenant: codes that invoice lines name, and how often';
comment on column invoice_codes.reads_runs is 'said by whoever counts: that an entry of the listing may stand for several lines';

-- How many rows of the listing have what is named by kind and key, in each week of creation for some kinds and in all (week 0) for
-- the others. Changed in the transaction that changes the listing.
create table invoice_counts (
  organisation_id uuid not null,
  mode text not null,
  kind text not null,
  key text not null collate "C",
  week integer not null,
  n bigint not null,
  primary key (organisation_id, mode, kind, key, week)
) with (fillfactor=70);
comment on table invoice_counts is 'tenant: how many invoices lists have of each kind';

-- What lists of invoices are found, ordered and counted by. A job brings it up to date from `invoice_changes`; whoever reads a
-- list adds what the job has not taken up yet. `facets` packs what has few values into one number, so that one index and one set of
-- counts serve every filter over them and every combination of these. `party_id` is the buyer of a draft, and stands for the name
-- and tax number on what was issued.
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
  irn_key text collate "C",
  codes text[] not null,
  -- Statistics are answered from sums that are kept with the listing: what is listed of an invoice says what it adds to them.
  net_minor bigint not null,
  paid_minor bigint not null,
  -- What is still to be paid, by the day on which it falls due: kept with the sums, so that it is told for a million documents as fast as for a few.
  -- What is listed of a document says what it adds to them.
  due_minor bigint not null,
  primary key (organisation_id, mode, id)
);
comment on table invoice_listing is 'tenant: what lists of invoices are found by, following behind the invoices';
create index invoice_listing_buyer on invoice_listing (organisation_id, mode, buyer_id, created_at, id) with (deduplicate_items=off) where (buyer_id is not null);
create index invoice_listing_created on invoice_listing (organisation_id, mode, created_at, id) include (facets, issue_date, due_date, payable_minor) with (deduplicate_items=off);
create index invoice_listing_creator on invoice_listing (organisation_id, mode, created_by, created_at, id) with (deduplicate_items=off) where (created_by is not null);
create index invoice_listing_due_issued on invoice_listing (organisation_id, mode, due_date, issue_date, created_at, id) with (deduplicate_items=off);
create index invoice_listing_facets on invoice_listing (organisation_id, mode, facets, created_at, id) include (due_date) with (deduplicate_items=off);
create index invoice_listing_irn on invoice_listing (organisation_id, mode, irn_key, created_at, id) with (deduplicate_items=off) where (irn_key is not null);
create index invoice_listing_issued on invoice_listing (organisation_id, mode, issue_date, created_at, id) with (deduplicate_items=off);
create index invoice_listing_number on invoice_listing (organisation_id, mode, number_key, created_at, id) with (deduplicate_items=off);
create index invoice_listing_party on invoice_listing (organisation_id, mode, party_id, created_at, id) with (deduplicate_items=off) where (party_id is not null);
create index invoice_listing_payable on invoice_listing (organisation_id, mode, payable_minor, created_at, id) with (deduplicate_items=off);
create index invoice_listing_seller on invoice_listing (organisation_id, mode, seller_id, created_at, id) with (deduplicate_items=off) where (seller_id is not null);
create index invoice_listing_tax on invoice_listing (organisation_id, mode, tax_minor, created_at, id) with (deduplicate_items=off);

-- Every number that a document ever had, as the authority reads it: letters and digits in capitals. A row stays when its
-- draft is deleted, so that no number is given twice.
create table invoice_numbers (
  organisation_id uuid not null,
  mode text not null,
  reading text not null,
  invoice_id uuid not null,
  primary key (organisation_id, mode, reading)
);
comment on table invoice_numbers is 'tenant: numbers that documents have or had, each given once and for ever';

-- The names and tax numbers on issued documents, each once: a word is looked for here and not in every invoice.
create table invoice_parties (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  search text not null,
  search_keys integer[] generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored not null,
  primary key (organisation_id, mode, id)
);
comment on table invoice_parties is 'tenant: buyers as issued invoices name them';
create index invoice_parties_search on invoice_parties using gin (search_keys) with (fastupdate=off);

-- Links are asked for before we know whose they are, as keys are (0066): which link a token opens stands beside every shard. What it opens is told by the link's
-- own row, and the two go together.
create table invoice_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  primary key (token_hash),
  constraint invoice_share_tokens_mode_check check (mode in ('sandbox', 'live'))
);
comment on table invoice_share_tokens is 'global: which public link a token opens, asked before we know whose it is';

-- By day and by month of issue, so that any range takes the whole months in it and the days at its ends. `facets` are those of the
-- listing, with status, type and currency only.
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
comment on table invoice_sums is 'tenant: what the invoices that lists have come to, by day and month of issue; and what is left to pay, by the day it is due';

-- The same as two triggers with long conditions refused before. A condition is read and prepared anew for each statement that changes an invoice, which cost
-- more than the change; a function is prepared once for each connection.
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

-- What was issued is a legal document: whatever the code above it does, its contents stay as they were.
create function refuse_to_rewrite_issued() returns trigger language plpgsql as $$
begin
  raise exception 'an issued document cannot be changed';
end $$;

-- Invoices, prepayments, credit notes and debit notes. Lines stand in the row, as they were written: a document is written,
-- read and frozen as a whole. `seller_copy` and `buyer_copy` are taken when it is finalised. An issued document holds its parties
-- (issued_parties); a draft names them and holds nobody. That the organisation exists is proven by the charge in the same transaction.
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
  irn text,
  qr_text text,
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
  -- Bank details and logo as they were when the document was issued: `{ "bank", "logo" }`, the logo by its hash. What was issued before
  -- this gets those of today, as it showed them until now.
  letterhead_copy jsonb,
  -- The day on which goods or services were supplied, where it is not the day of issue: the law of 2026 wants it on every VAT invoice.
  -- What was issued before says nothing of it, and was supplied on the day of issue.
  supply_date date,
  report_due_at timestamptz,
  reported_at timestamptz,
  report_told_at timestamptz,
  -- Which codes the lines of a new document name, for the lists that follow: taking the lines apart once more costs more than everything else that they read of
  -- it. Documents from before have none, and their lines are read.
  codes_at_creation json,
  primary key (organisation_id, mode, id),
  constraint invoices_organisation_id_mode_original_id_fkey foreign key (organisation_id, mode, original_id) references invoices(organisation_id, mode, id)
) with (toast_tuple_target=8160);
comment on table invoices is 'tenant: invoices and notes, with their lines';
create index invoices_of_original on invoices (organisation_id, mode, original_id) where (original_id is not null);
create index invoices_report_due on invoices (report_due_at) where (report_due_at is not null and reported_at is null);
-- Few documents have a deadline, and of these only those stand here that are not reported yet: one for lists, one for whoever tells.
create index invoices_to_report on invoices (organisation_id, mode, report_due_at) where (report_due_at is not null and reported_at is null);
-- Sweeps that give registered documents their QR code look for those that have none.
create index invoices_without_qr_code on invoices (organisation_id, mode, id) where (irn is not null and qr_text is null);
create trigger invoices_stay_right before update on invoices for each row execute function keep_documents_right();
create trigger issued_invoices_stay before delete on invoices for each row when ((old.status <> 'draft')) execute function refuse_to_rewrite_issued();

-- The next number of each series. Taken in the transaction of the document that gets it, so that there are no gaps.
create table number_series (
  organisation_id uuid not null,
  mode text not null,
  series text not null,
  next_number bigint not null,
  primary key (organisation_id, mode, series),
  constraint number_series_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table number_series is 'tenant: the next number of each series of documents';

-- Which saved items lines were made from: an item that a line names cannot be deleted.
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

-- A draft that was issued once and reopened takes its reversed payments with it when it is deleted.
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
  -- A payment that came by bank transfer is taken back where it came from, and not by hand.
  received_payment_id uuid,
  -- Payments of an invoice that were made out of a buyer's credit by the service itself: they go back to the credit when the invoice is reopened.
  from_credit boolean default false not null,
  primary key (organisation_id, mode, id),
  constraint invoice_payments_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id) on delete cascade,
  constraint invoice_payments_amount_minor_check check (amount_minor > 0)
);
comment on table invoice_payments is 'tenant: payments of invoices that were recorded, reversed ones included';
create index invoice_payments_by_invoice on invoice_payments (organisation_id, mode, invoice_id, recorded_at);

-- Links to public pages. The page is found by the hash of the token; the token itself is sealed, so that the link can be shown
-- again to those who shared it.
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
comment on table invoice_shares is 'tenant: public links to invoices';

-- Whom issued documents name: these parties cannot be deleted any more. A draft has no row here.
create table issued_parties (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  buyer_id uuid,
  seller_id uuid,
  -- A document that is issued holds its logo as it holds its parties.
  logo_hash text,
  primary key (organisation_id, mode, invoice_id),
  constraint issued_parties_organisation_id_logo_hash_fkey foreign key (organisation_id, logo_hash) references logos(organisation_id, hash),
  constraint issued_parties_organisation_id_mode_buyer_id_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id),
  constraint issued_parties_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id),
  constraint issued_parties_organisation_id_seller_id_fkey foreign key (organisation_id, seller_id) references sellers(organisation_id, id)
);
comment on table issued_parties is 'tenant: whom issued invoices name, and therefore hold';
create index issued_parties_by_buyer on issued_parties (organisation_id, mode, buyer_id) where (buyer_id is not null);
create index issued_parties_by_logo on issued_parties (organisation_id, logo_hash) where (logo_hash is not null);
create index issued_parties_by_seller on issued_parties (organisation_id, seller_id) where (seller_id is not null);

-- Of a table that was never looked at, the planner takes any index for as good as the right one. Later looks come by themselves; the
-- first is its owner's to take.
create function look_at_new_lists() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from pg_class where oid = 'public.invoice_listing'::regclass and reltuples <= 0) then
    analyze public.invoice_listing, public.invoice_counts;
  end if;
end $$;
revoke execute on function look_at_new_lists from public;

-- ---------------------------------------------------------------- submissions

-- Whether an authority as a whole can be reached; written by those who work, read by everybody.
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

-- Documents on their way to the authority, each with the exact bytes that go there. A document that was refused, mended and submitted
-- again has a row for each time; all of them bear the same reference, by which the authority knows it.
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
  -- the document that a full credit note takes back
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
  -- What the authority was last told of a document's payment; nothing as long as what the document itself says holds.
  payment_told text,
  -- What was set aside for each: whoever takes it need not look it up in a ledger that may be long.
  held_credits bigint not null,
  delivered_at timestamptz,
  follow_up_at timestamptz,
  follow_up_cause text,
  -- Which of several submissions of a document is the last is told by its number: the clocks of two nodes need not agree. Nodes of versions before
  -- write 1.
  ordinal integer default 1 not null,
  -- What the bytes of a document say of payment. Null in rows of versions before, until a sweep has read their bytes.
  payment_said text not null,
  primary key (organisation_id, mode, id),
  constraint submissions_organisation_id_mode_cancels_invoice_id_fkey foreign key (organisation_id, mode, cancels_invoice_id) references invoices(organisation_id, mode, id),
  constraint submissions_organisation_id_mode_invoice_id_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id),
  constraint submissions_check check (due_at is null or (failed_at is null and (state not in ('accepted', 'rejected')))),
  constraint submissions_follow_up_cause_check check (follow_up_cause = 'notified'),
  constraint submissions_state_check check (state in ('queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected'))
);
comment on table submissions is 'tenant: documents on their way to the tax authority, with the bytes that go there';
comment on column submissions.follow_up_at is 'when the authority is asked beside the steps of the road: early where it called, later and later where the buyer''s side is silent';
comment on column submissions.ordinal is 'the how-many-eth time that the document was submitted, from 1';
comment on column submissions.payment_said is 'the payment status in the document itself: pending or paid';
create index submissions_by_invoice on submissions (organisation_id, mode, invoice_id, created_at);
-- What was refused may be sent again under its reference; whatever else bears it is the one.
create unique index submissions_by_reference on submissions (organisation_id, mode, reference) where (state <> 'rejected');
create index submissions_due on submissions (country, mode, organisation_id, due_at) where (due_at is not null);
-- What was given up and is not decided, for figures.
create index submissions_failed on submissions (country, mode) where (failed_at is not null);
-- What was given up and is not decided, of one organisation.
create index submissions_given_up on submissions (organisation_id, mode) where (failed_at is not null);
create index submissions_to_follow_up on submissions (organisation_id, mode, follow_up_at) where (follow_up_at is not null);
-- A callback names nothing but a reference.
create index submissions_undelivered on submissions (country, mode, reference) where (goes_to_buyer and delivered_at is null and state in ('unknown', 'signed', 'transmitted', 'accepted'));

-- Everything that was ever asked of the authority about them. A row is written before the first byte leaves.
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
comment on table submission_attempts is 'tenant: what the tax authority was asked about a document, and what it answered';

-- ---------------------------------------------------------------- tax-reports

-- What was declared to the authority about the tax on an invoice, and what it answered. An invoice that is reopened may go, and what was
-- declared stays: so nothing here points at it.
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
comment on table tax_reports is 'tenant: declarations of tax, and how they ended';

-- ---------------------------------------------------------------- received-invoices

-- Documents that were fetched for a tenant and wait to be looked up, judged and kept.
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
comment on table received_arrivals is 'tenant: fetched documents that are not kept yet';
create index received_arrivals_due on received_arrivals (due_at);
create index received_arrivals_problems on received_arrivals (mode) where (problem is not null);

-- What other businesses send over the authority's network. A feed is what one pair of keys may see: those of this installation, or
-- those of an organisation that has its own.
create table received_feeds (
  country text not null,
  mode text not null,
  access text not null,
  polled_at timestamptz,
  tried_at timestamptz,
  error text,
  -- somebody has just joined it: the next look goes back so far
  reach_back_to timestamptz,
  primary key (country, mode, access),
  constraint received_feeds_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_feeds is 'machinery: where each feed of received invoices stands';

-- What received invoices come to, counted as they are kept, so that a page of a list and the figures do not go through all of them. What
-- is kept never changes, so nothing has to be taken back here. Due and claimable days stand apart: both end by themselves.
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
comment on table received_figures is 'tenant: what received invoices come to';

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
  -- the payment status is asked for again, less and less often; null when it is not asked for any more
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
comment on table received_invoices is 'tenant: what other businesses have invoiced it';
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

-- What a feed has named, each once: whether it was looked into, and for whom it was.
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
  -- Why a document was set aside; null where nothing is wrong with it.
  problem text,
  primary key (country, mode, access, reference),
  constraint received_references_mode_check check (mode in ('sandbox', 'live'))
);
comment on table received_references is 'machinery: what the feeds have named';
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
comment on table received_suppliers is 'tenant: who has sent something, in which currency';

-- ---------------------------------------------------------------- collection

create table collection_feeds (
  provider text not null,
  mode text not null,
  swept_to timestamptz,
  reconciled_at timestamptz,
  primary key (provider, mode)
);
comment on table collection_feeds is 'machinery: how far each provider''s statement was read';

-- What collection providers told us, once per id of theirs; the table is the queue, too. It proves nothing by itself: it says when to look.
create table collection_notifications (
  provider text not null,
  mode text not null,
  id text not null,
  subject text not null,
  received_at timestamptz default now() not null,
  due_at timestamptz default now(),
  tries integer default 0 not null,
  outcome text,
  -- What providers told us waits for its turn, and organisations take turns: whose it seems to be is noted when it is told. Nodes of versions before do
  -- not say it; theirs, and what concerns nobody that we know of, takes turns as if it were of one more organisation.
  organisation_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  -- A provider also tells of settlements. Notifications of versions before are about transfers.
  about text default 'transfer' not null,
  primary key (provider, mode, id),
  constraint collection_notifications_about_check check (about in ('transfer', 'settlement'))
);
comment on table collection_notifications is 'global: what collection providers told us, before we know whom it concerns';
create index collection_notifications_by_time on collection_notifications (received_at);
create index collection_notifications_due on collection_notifications (due_at) where (due_at is not null);
-- Beside `collection_notifications_due`, by which nodes of versions before take what is due.
create index collection_notifications_turns on collection_notifications (mode, organisation_id, due_at) where (due_at is not null);

-- One row for each day of a provider's statement that was compared with our books.
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
comment on table collection_reconciliations is 'machinery: which days of a provider''s statement were compared with our books';

-- Money that came to a provider under our keys, into an account that is none of ours: kept as the provider tells it, with what stood against it.
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
  -- when the provider is asked about it again; null where nobody asks again
  due_at timestamptz,
  -- when it was recorded as a payment after all
  taken_in_at timestamptz,
  primary key (provider, mode, reference),
  constraint collection_strays_known check (reason = 'unreadable' or (handle is not null and amount_minor is not null and currency is not null and received_at is not null)),
  constraint collection_strays_mode_check check (mode in ('sandbox', 'live')),
  constraint collection_strays_reason_check check (reason in ('unknown_account', 'other_mode', 'no_amount', 'unreadable', 'failed'))
);
comment on table collection_strays is 'machinery: transfers into accounts that are none of ours, or that could not be taken in';
create index collection_strays_due on collection_strays (due_at) where (due_at is not null);

-- Buyers pay by bank transfer into accounts that a provider keeps for us. What came is in the provider's books; ours say what it was for.
create table settlement_accounts (
  organisation_id uuid not null,
  mode text not null,
  seller_id uuid not null,
  id uuid not null,
  provider text not null,
  jurisdiction text not null,
  currency text not null,
  bank_code text not null,
  bank_nip_code text,
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
comment on table settlement_accounts is 'tenant: the bank account that a seller''s money goes to';

-- What a provider paid out to a seller at one time. A sub-account may serve several sellers with one bank account: each has a row of its own.
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
comment on table collection_settlements is 'tenant: what providers paid out to sellers';
create index collection_settlements_newest on collection_settlements (organisation_id, mode, found_at desc, id desc);

-- Money goes to the seller and never stays with whoever runs the service: each provider has a sub-account for the seller's bank account, and every
-- virtual account is split so that the sub-account takes everything.
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
  -- when virtual accounts are led to it that are not yet; null: all of them are
  accounts_due_at timestamptz,
  confirmed_at timestamptz,
  followed_at timestamptz,
  updated_at timestamptz not null,
  -- the last received payment that a provider without a list of settlements was asked about; the next run goes on behind it
  followed_to uuid,
  primary key (organisation_id, mode, seller_id, provider),
  constraint collection_sub_accounts_organisation_id_mode_seller_id_fkey foreign key (organisation_id, mode, seller_id) references settlement_accounts(organisation_id, mode, seller_id),
  constraint collection_sub_accounts_check check (state <> 'confirmed' or code is not null),
  constraint collection_sub_accounts_check1 check ((code is null) = (account_number is null)),
  constraint collection_sub_accounts_state_check check (state in ('pending', 'confirmed', 'refused'))
);
comment on table collection_sub_accounts is 'tenant: what each provider calls the bank account that a seller''s money goes to';
create index collection_sub_accounts_due on collection_sub_accounts (due_at) where (due_at is not null);
create index collection_sub_accounts_to_point on collection_sub_accounts (accounts_due_at) where (accounts_due_at is not null);

-- `opening` while the provider is being asked for it: nobody is shown it yet, but its reference is taken.
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
  -- after a failure: the provider is not told again before then
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
comment on table virtual_accounts is 'tenant: accounts that buyers pay into';
create index virtual_accounts_by_buyer on virtual_accounts (organisation_id, mode, buyer_id) where (buyer_id is not null);
create index virtual_accounts_by_callback on virtual_accounts (organisation_id, mode, callback_endpoint_id) where (callback_endpoint_id is not null);
create index virtual_accounts_by_handle on virtual_accounts (handle);
create index virtual_accounts_by_invoice on virtual_accounts (organisation_id, mode, invoice_id) where (invoice_id is not null);
create index virtual_accounts_by_seller on virtual_accounts (organisation_id, mode, seller_id, provider);
create index virtual_accounts_newest on virtual_accounts (organisation_id, mode, created_at desc, id desc);

-- By the provider's reference of the transfer: a settlement may be heard of before the transfer itself is in our books.
create table collection_settled_transfers (
  organisation_id uuid not null,
  mode text not null,
  provider text not null,
  transfer_reference text not null,
  settlement_id uuid not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  -- when the provider stopped counting the transfer among those of the settlement; it then counts as not paid out
  removed_at timestamptz,
  primary key (organisation_id, mode, provider, transfer_reference, settlement_id),
  constraint collection_settled_transfers_organisation_id_mode_settleme_fkey foreign key (organisation_id, mode, settlement_id) references collection_settlements(organisation_id, mode, id),
  constraint collection_settled_transfers_amount_minor_check check (amount_minor >= 0),
  constraint collection_settled_transfers_fee_minor_check check (fee_minor >= 0)
);
comment on table collection_settled_transfers is 'tenant: which transfers a settlement paid out';

-- Every naira that came is in exactly one of four places, by a constraint. `pending` until somebody has looked what it is for.
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
comment on table received_payments is 'tenant: what came into virtual accounts, and where every naira of it is';
create index received_payments_by_status on received_payments (organisation_id, mode, reconciliation_status, received_at desc, id desc);
-- By the time at which money came: compared with settlements, over all organisations.
create index received_payments_by_time on received_payments (received_at);
create index received_payments_credit on received_payments (organisation_id, mode, buyer_id, currency, received_at, id) where (credited_minor > 0);
create index received_payments_newest on received_payments (organisation_id, mode, received_at desc, id desc);
create index received_payments_pending on received_payments (recorded_at) where (matched_at is null);

-- What the provider's statement and our books say differently, until they do not any more.
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
comment on table collection_differences is 'tenant: where a provider''s statement and our books differ';
create index collection_differences_open on collection_differences (organisation_id, mode) where (settled_at is null);

-- Written down, and its money set aside, before the provider is asked: its id is the provider's key, so that it is sent once.
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
comment on table collection_refunds is 'tenant: received money that goes back, and what became of it';
create index collection_refunds_due on collection_refunds (due_at) where (due_at is not null);
create index collection_refunds_of_payment on collection_refunds (organisation_id, mode, payment_id, asked_at);

create function refuse_to_rewrite_received_money() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of received money is append-only';
end $$;

-- Each move from one place to another, numbered within its payment without gaps.
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
  -- the payment of the invoice that it stands for
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

-- Files that people bring along. What a file would make is kept as the request that would make it, beside what became of it.
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
  -- Imports count against a quota of stored bytes of their organisation.
  stored_bytes bigint default 0 not null,
  primary key (organisation_id, mode, id),
  constraint imports_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint imports_kind_check check (kind in ('buyers', 'items', 'invoices')),
  constraint imports_mode_check check (mode in ('sandbox', 'live')),
  constraint imports_status_check check (status in ('checking', 'checked', 'running', 'done', 'undoing', 'undone', 'stopped'))
);
comment on table imports is 'tenant: files of buyers, items and invoices, and how far they are';
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
comment on table import_records is 'tenant: what an import makes, one by one, and what is wrong with it';

-- ---------------------------------------------------------------- webhooks

-- Deliveries that a process sends right after it has written them: one row for all of them, gone when the last has ended. One whose time is
-- over belongs to a process that died; what is left of it goes to the queue.
create table webhook_batches (
  id uuid not null,
  taken_by uuid not null,
  due_at timestamptz not null,
  deliveries jsonb not null,
  primary key (id)
);
comment on table webhook_batches is 'machinery: deliveries that a process is sending for the first time';
alter table only webhook_batches alter column deliveries set storage external;

-- One row for each event and endpoint, and one index: its id is made of both, so that it is told once, and begins with the time of the
-- event. What waits is in the queue and not in an index of this table, so that noting how an attempt ended touches no index.
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
comment on table webhook_deliveries is 'tenant: what was or is to be sent to endpoints, with the log of every attempt';
create index webhook_deliveries_failed on webhook_deliveries (organisation_id, mode, id) where (reason is not null);
-- The log of one endpoint, and of what failed, without going through all that was ever sent. Neither index is touched when a delivery ends well: the
-- columns of the first never change, and of what succeeds `reason` stays empty.
create index webhook_deliveries_of_endpoint on webhook_deliveries (organisation_id, mode, endpoint_id, id);
-- The deliveries of one type, without going through all that was ever sent. Its columns never change, so the end of a delivery does not touch it.
create index webhook_deliveries_of_type on webhook_deliveries (organisation_id, mode, type, id);

-- Who wants to be told of events, and where. One that was deleted stays for its deliveries, which are a log.
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
  -- signs too until then
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  failures_in_row integer default 0 not null,
  disabled_at timestamptz,
  disabled_cause text,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Who last chose where an endpoint goes to, or what it is told of: when they leave, the owners hear of it.
  aimed_by uuid,
  -- An address that an account was opened with, for what happens to that account: an endpoint like any other, and told of nothing else.
  is_callback boolean default false not null,
  -- When the first of an endpoint's failures in a row was: an endpoint is disabled only after a day without a success. For endpoints that are failing
  -- now, the day starts with this migration.
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
comment on table webhook_endpoints is 'tenant: addresses that are told of events';

-- Deliveries that wait for an attempt. `due_at` is also how long whoever took one may take.
create table webhook_queue (
  id uuid not null,
  organisation_id uuid not null,
  mode text not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  taken_by uuid,
  primary key (id)
);
comment on table webhook_queue is 'machinery: deliveries that wait for an attempt, or are being attempted again';
create index webhook_queue_due on webhook_queue (endpoint_id, due_at);

-- ---------------------------------------------------------------- request-log

-- What was asked of the API, for those who write programs against it. Nothing points here and nothing is pointed at: rows come in batches behind
-- the requests, and a batch that cannot be written is let go. The one index is enough: ids grow with time.
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
comment on table request_log is 'tenant: requests of the last days, as they came and were answered, without bodies';

-- ---------------------------------------------------------------- references to tables above that stand below

alter table virtual_accounts add constraint virtual_accounts_organisation_id_mode_callback_endpoint_id_fkey foreign key (organisation_id, mode, callback_endpoint_id) references webhook_endpoints(organisation_id, mode, id);

