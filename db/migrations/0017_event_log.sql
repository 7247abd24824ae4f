-- Events become a log that nobody touches again: each reader keeps its own place in it.

alter table events rename to events_before;
alter table events_before rename constraint events_pkey to events_before_pkey;

-- Where a month begins among ids, which begin with their time in milliseconds.
create function first_id_at(instant timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Everything that happened, written in the transaction that made it happen. The same rows are what webhooks tell of and
-- what the audit log shows, so neither can know of something that the other does not.
-- `era`, `xid` and `seq` are the order in which it is read. Sequence numbers alone would let a reader walk past a transaction that
-- took its number early and committed late; what was written by transactions below the oldest one still running stays as it is. Eras
-- part what clusters wrote whose transactions were counted apart: a dump may be loaded where the count is lower.
create sequence events_seq as bigint;
create table events (
  organisation_id uuid not null,
  id              uuid not null,
  era             smallint not null default 1,
  xid             xid8 not null default pg_current_xact_id(),
  seq             bigint not null default nextval('events_seq'),
  mode            text,
  type            text not null,
  -- the version of what the type promises of `data`
  version         smallint not null default 1,
  object_id       text not null,
  -- the version of the object that it tells of, where objects of its kind count theirs
  object_version  integer,
  data            jsonb not null,
  actor_kind      text not null,
  actor_id        uuid,
  actor_name      text not null,
  address         text not null,
  user_agent      text not null,
  request_id      text not null,
  created_at      timestamptz not null,
  primary key (organisation_id, id)
) partition by range (id);
alter sequence events_seq owned by events.seq;
create index events_in_order on events (era, xid, seq);
create index events_of_organisation_in_order on events (organisation_id, era, xid, seq);
comment on table events is 'organisation: everything that happened, for webhooks and the audit log';

-- What happened cannot be changed afterwards.
create trigger events_are_append_only before delete or update on events
  for each row execute function refuse_to_rewrite_events();

-- Which era it is. The column's default says the same; both change together when a dump was loaded.
create table event_era (
  only_row boolean primary key default true check (only_row),
  era      smallint not null
);
insert into event_era (era) values (1);
comment on table event_era is 'machinery: which cluster''s count of transactions orders the events that are written now';

-- Called before anything reads after a dump was loaded: transactions that would be counted below those of the dump begin an era.
create function begin_event_era_if_needed() returns smallint language plpgsql as $$
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

-- Transactions below this one stay as they are: none of them still runs, except in other databases, where nobody writes our events. Transactions
-- are counted over all databases of a cluster, and what runs for hours in another must not hold us up. One of which it cannot be said where it
-- runs counts as ours.
create function settled_before() returns xid8 language sql stable parallel restricted as $$
  select coalesce(min(running.xid), pg_snapshot_xmax(pg_current_snapshot()))
    from pg_snapshot_xip(pg_current_snapshot()) as running (xid)
   where not exists (
     select from pg_locks l cross join lateral pg_stat_get_activity(l.pid) as a
      where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock' and l.transactionid = running.xid::xid
        and a.datid <> (select oid from pg_database where datname = current_database()))
$$;

-- One partition a month, made ahead; what is older than is kept goes as a whole. It runs with the rights of its owner, so that the
-- service itself needs none to make or drop tables.
create table events_elsewhen partition of events default;
create trigger events_are_not_emptied before truncate on events_elsewhen
  for each statement execute function refuse_to_rewrite_events();
create function keep_event_partitions(first_month date, months_ahead integer, kept_months integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  starts  date := date_trunc('month', first_month);
  name    text;
  dropped integer := 0;
begin
  while starts <= date_trunc('month', now()) + make_interval(months => months_ahead) loop
    name := 'events_' || to_char(starts, 'YYYY_MM');
    if to_regclass('public.' || name) is null then
      execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name,
        public.first_id_at(starts::timestamp at time zone 'UTC'), public.first_id_at((starts + interval '1 month') at time zone 'UTC'));
      execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
    end if;
    starts := starts + interval '1 month';
  end loop;
  -- why: only what is older than is kept goes
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.events'::regclass and c.relname ~ '^events_\d{4}_\d{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= date_trunc('month', now()) - make_interval(months => kept_months)
  loop
    execute format('drop table public.%I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function keep_event_partitions from public;
select keep_event_partitions(coalesce((select min(created_at) from events_before), now())::date, 3, 1200);

-- Rows that the relay had carried come first, those that it had not come last: readers begin between them.
insert into events (organisation_id, id, era, xid, seq, mode, type, object_id, data, actor_kind, actor_id, actor_name, address, user_agent,
                    request_id, created_at)
select organisation_id, id, 0, case when relayed_at is null then '2' else '1' end::xid8, seq, mode, type, object_id, data, actor_kind, actor_id,
       actor_name, address, user_agent, request_id, created_at
  from events_before;
select setval('events_seq', coalesce((select max(seq) from events_before), 0) + 1, false);

-- How far each reader has come. `from_id` leaves out months that it cannot need any more; what fails is kept until it is mended or skipped.
create table event_places (
  consumer      text primary key,
  era           smallint not null,
  xid           xid8 not null,
  seq           bigint not null,
  from_id       uuid not null,
  failures      integer not null default 0,
  failing_event uuid,
  reason        text,
  retry_at      timestamptz,
  moved_at      timestamptz not null default now()
);
comment on table event_places is 'machinery: how far each consumer has read the events';
insert into event_places (consumer, era, xid, seq, from_id)
select consumer, 0, '1', 9223372036854775807, '00000000-0000-0000-0000-000000000000'
  from unnest(array['open-billing-account', 'tell-low-balance', 'follow-profile', 'mail-invoice']) as consumer;
-- Lists begin at the first event of an invoice that they had not taken up.
insert into event_places (consumer, era, xid, seq, from_id)
select 'invoice-lists', 0, '1',
       coalesce((select min(e.seq) - 1 from events_before e join invoice_changes c on e.object_id = c.invoice_id::text), 9223372036854775807),
       '00000000-0000-0000-0000-000000000000';

-- What a person told a reader to leave out.
create table skipped_events (
  consumer        text not null,
  event_id        uuid not null,
  organisation_id uuid not null,
  reason          text not null,
  failure         text,
  skipped_at      timestamptz not null default now(),
  primary key (consumer, event_id)
);
comment on table skipped_events is 'machinery: events that a consumer was told to skip, and why';

-- why: every row stands in the new table now
drop table events_before;
-- why: lists follow the events themselves
drop table invoice_changes;
