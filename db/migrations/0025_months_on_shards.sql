-- On Citus, a trigger of a shard that is a partition has the name of its parent's shard. Citus looked for another name, so events of a month without a
-- partition could not be moved. All triggers of the default partition are named instead: while it is locked, nobody else writes there.
create or replace function make_event_month(month date) returns bigint
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
  if exists (select 1 from public.events_elsewhen where id >= first_id and id < behind_id) then
    lock table public.events_elsewhen in access exclusive mode;
    execute format('create table public.%I (like public.events including defaults including constraints)', name);
    alter table public.events_elsewhen disable trigger user;
    execute format(
      'with moved as (delete from public.events_elsewhen where id >= %L and id < %L returning *) insert into public.%I select * from moved',
      first_id, behind_id, name);
    get diagnostics moved = row_count;
    alter table public.events_elsewhen enable trigger user;
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', name, first_id, behind_id);
  else
    execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name, first_id, behind_id);
  end if;
  execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
  return moved;
end
$$;

-- Citus locks a month before the whole log, and PostgreSQL the other way around. So two workers that drop months would wait for each other.
create or replace function drop_event_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '5s' as $$
declare
  starts date := date_trunc('month', month);
begin
  if starts + interval '3 months' > date_trunc('month', now()) then
    raise exception 'events of two months are kept at least';
  end if;
  lock table only public.events in access exclusive mode;
  -- why: drops only months older than the retention time, with their counts
  execute format('drop table if exists public.%I', 'events_' || to_char(starts, 'YYYY_MM'));
  delete from public.event_counts where id_month = starts;
end
$$;
