-- The service works with a role that owns no table. What changes a table while it runs is done by functions with their owner's
-- rights, which name every schema they look in and do no more than the service has a use for.
alter function begin_event_era_if_needed() security definer set search_path = pg_catalog, public, pg_temp;
revoke execute on function begin_event_era_if_needed from public;

-- Whoever may call it can drop months of events. What no installation keeps is all that it drops, and what it is asked to make has a bound.
create or replace function keep_event_partitions(first_month date, months_ahead integer, kept_months integer) returns integer
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
