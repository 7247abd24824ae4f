-- Each organisation has its own numbered event log (ADR 43). Its head is the last position that was given.
create table event_heads (
  organisation_id uuid primary key,
  position bigint not null
) with (fillfactor = 50);
comment on table event_heads is 'organisation: the last position in its event log';

-- Writers of events wait until this migration ends.
lock table events in share row exclusive mode;
lock table event_cursors in access exclusive mode;

alter table events add column position bigint;
comment on column events.position is 'place in the log of its organisation: 1, 2, 3 without gaps';
alter table events disable trigger events_are_append_only;
update events e set position = n.position
  from (select organisation_id, id, row_number() over (partition by organisation_id order by era, xid, seq) as position from events) as n
 where e.organisation_id = n.organisation_id and e.id = n.id;
alter table events enable trigger events_are_append_only;
insert into event_heads select organisation_id, max(position) from events group by organisation_id;
alter table events alter column position set not null;

create table consumers (
  consumer text primary key,
  follows text[],
  follows_seen_at timestamptz
);
comment on table consumers is 'machinery: consumers of the event log, with the event types that their workers follow';
insert into consumers select consumer, follows, follows_seen_at from event_cursors;

create table consumer_cursors (
  consumer text not null,
  organisation_id uuid not null,
  position bigint not null,
  failures integer not null default 0,
  failing_event uuid,
  reason text,
  retry_at timestamptz,
  primary key (organisation_id, consumer)
) with (fillfactor = 70);
comment on table consumer_cursors is 'organisation: the cursor of each consumer in the event log of each organisation; 0 without a row';
create index consumer_cursors_failing on consumer_cursors (consumer) where failures > 0;

-- A consumer has taken everything of an organisation, except for the events behind its cursor.
insert into consumer_cursors (consumer, organisation_id, position)
select c.consumer, h.organisation_id, h.position - coalesce(u.unread, 0)
  from event_cursors c cross join event_heads h
  left join (
    select c.consumer, e.organisation_id, count(*) as unread
      from event_cursors c join events e on (e.era, e.xid, e.seq) > (c.era, c.xid, c.seq)
     group by c.consumer, e.organisation_id) as u on u.consumer = c.consumer and u.organisation_id = h.organisation_id
 where h.position > coalesce(u.unread, 0);
insert into consumer_cursors (consumer, organisation_id, position, failures, failing_event, reason, retry_at)
select c.consumer, e.organisation_id, 0, c.failures, c.failing_event, c.reason, c.retry_at
  from event_cursors c join events e on e.id = c.failing_event where c.failures > 0
on conflict (organisation_id, consumer) do update
   set failures = excluded.failures, failing_event = excluded.failing_event, reason = excluded.reason, retry_at = excluded.retry_at;

drop index events_in_order, events_of_organisation_in_order;
create index events_of_organisation_by_position on events (organisation_id, position);
create index events_as_written on events (seq);
-- Consumers look for new events behind the highest number. Rows that were loaded by hand leave the sequence behind them.
select setval('events_seq', greatest((select max(seq) from events), (select last_value from events_seq)), (select is_called from events_seq) or exists (select from events));

-- Numbers events that a node of the previous version appends.
create function number_event() returns trigger language plpgsql set search_path to 'pg_catalog', 'public', 'pg_temp' as $$
begin
  if new.position is null then
    insert into public.event_heads as h (organisation_id, position) values (new.organisation_id, 1)
    on conflict (organisation_id) do update set position = h.position + 1 returning h.position into new.position;
  end if;
  return new;
end $$;
create trigger events_are_numbered before insert on events for each row execute function number_event();

-- Nodes of 1.0.0 that still run go on writing, and read lists from the old columns, functions and cursors, which the next version removes.
-- Their workers must not move a consumer any more: they leave it to workers that follow more types.
update event_cursors set follows = coalesce(follows, '{}') || array['(by position)'], follows_seen_at = 'infinity';
