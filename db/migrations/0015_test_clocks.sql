-- The time of sandboxes that were moved forward. Without a row, a sandbox has the real time.
create table test_clocks (
  organisation_id uuid not null,
  offset_ms bigint not null,
  -- Business time is never before this moment.
  reached_at timestamptz not null,
  -- From `next_from` on, by the real time, the next offset counts. All nodes know it by then.
  next_offset_ms bigint,
  next_reached_at timestamptz,
  next_from timestamptz,
  -- How far a move that is under way has come: the business time of background work.
  moment timestamptz,
  primary key (organisation_id),
  constraint test_clocks_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint test_clocks_forward_check check (offset_ms >= 0 and coalesce(next_offset_ms, offset_ms) >= offset_ms),
  constraint test_clocks_next_check check (num_nulls(next_offset_ms, next_reached_at, next_from) in (0, 3))
);
comment on table test_clocks is 'organisation: how far its sandbox is ahead of the real time';

create table test_clock_moves (
  organisation_id uuid not null,
  id uuid not null,
  status text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  reached_at timestamptz not null,
  -- Moments at which something was due.
  steps integer not null,
  -- How many events of each type happened, up to this position of the event log.
  happened jsonb not null,
  counted_to bigint not null,
  moved_by jsonb not null,
  -- By the real time.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (organisation_id, id),
  constraint test_clock_moves_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint test_clock_moves_status_check check (status in ('advancing', 'ready', 'stopped')),
  constraint test_clock_moves_forward_check check (from_at <= reached_at and reached_at <= to_at),
  constraint test_clock_moves_end_check check ((status = 'advancing') = (ended_at is null))
);
comment on table test_clock_moves is 'organisation: moves of the time of its sandbox';
create unique index test_clock_moves_under_way on test_clock_moves (organisation_id) where status = 'advancing';
create index test_clock_moves_ended on test_clock_moves (ended_at) where ended_at is not null;
