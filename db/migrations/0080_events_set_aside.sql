-- Events that a consumer could not take, set aside so that the events behind them go on. Workers try them again from time to time.
create table set_aside_events (
  consumer        text not null,
  event_id        uuid not null,
  organisation_id uuid not null,
  -- the kind of failure; the log says the rest
  reason          text not null,
  tries           integer not null,
  set_aside_at    timestamptz not null default now(),
  retry_at        timestamptz not null,
  primary key (consumer, event_id)
);
create index set_aside_events_of_organisation on set_aside_events (organisation_id, consumer);
comment on table set_aside_events is 'machinery: events that a consumer could not take, to be tried again';

-- Which types the newest workers of a consumer follow. Workers of an older version, which know fewer, leave the consumer to them.
alter table event_places
  add column follows text[],
  add column follows_seen_at timestamptz;

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
comment on function make_event_month is 'makes the partition of a month of events';

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
