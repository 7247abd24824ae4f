-- The audit log tells exact totals without counting all that happened: how many events there are of each type and by each actor, on each
-- day and in each month. `id_month` is the partition that they are in, with which they go. Between `first_id` and `last_id` they all
-- lie, so that other months are not looked at.
create table event_counts (
  organisation_id uuid not null,
  span            text not null check (span in ('day', 'month')),
  since           date not null,
  type            text not null,
  -- zeros for nobody in particular
  actor_id        uuid not null,
  id_month        date not null,
  n               bigint not null,
  first_id        uuid not null,
  last_id         uuid not null,
  primary key (organisation_id, span, since, type, actor_id, id_month)
) with (fillfactor = 70);
create index event_counts_of_partition on event_counts (id_month);
comment on table event_counts is 'organisation: how many events there are, for totals of the audit log';

-- Counted from the oldest event on. Whoever reads a total before that is done counts the rest.
insert into event_places (consumer, era, xid, seq, from_id) values ('event-counts', 0, '0', 0, first_id_at('epoch'));

-- Each filter of the log in the order of its pages.
create index events_of_type on events (organisation_id, type, id);
create index events_by_actor on events (organisation_id, actor_id, id) where actor_id is not null;
create index events_about_object on events (organisation_id, object_id, id);

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
