-- Invoices that are made again and again, by a rule of the calendar.
create table recurring_schedules (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  status text not null,
  recurrence jsonb not null,
  catch_up text not null,
  -- Who the invoices are made for: the person or key that wrote the schedule.
  made_by jsonb not null,
  -- The next period: its number in the rule, its day, and when that day begins. Null after the last one.
  next_number integer not null,
  next_on date,
  next_at timestamptz,
  version integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, id),
  constraint recurring_schedules_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint recurring_schedules_mode_check check (mode in ('sandbox', 'live')),
  constraint recurring_schedules_status_check check (status in ('active', 'paused', 'ended')),
  constraint recurring_schedules_catch_up_check check (catch_up in ('all', 'latest', 'none'))
);
comment on table recurring_schedules is 'tenant: rules by which invoices are made again and again';
create index recurring_schedules_due on recurring_schedules (next_at, organisation_id, mode) where status = 'active' and next_at is not null;

-- What is made, from a day on. The row with the latest day that is not after the period counts.
create table recurring_contents (
  organisation_id uuid not null,
  mode text not null,
  schedule_id uuid not null,
  from_day date not null,
  template jsonb not null,
  policy text not null,
  due_in_days integer,
  primary key (organisation_id, mode, schedule_id, from_day),
  constraint recurring_contents_schedule_fkey foreign key (organisation_id, mode, schedule_id) references recurring_schedules(organisation_id, mode, id),
  constraint recurring_contents_policy_check check (policy in ('draft', 'finalise', 'submit', 'send'))
);
comment on table recurring_contents is 'tenant: the contents of recurring invoices, and from which day they count';

-- What came of each period. The key allows one row, and so one invoice, for each schedule and day.
--
-- why: a draft that was made can be deleted, so there is no reference to invoices.
create table recurring_runs (
  organisation_id uuid not null,
  mode text not null,
  schedule_id uuid not null,
  day date not null,
  number integer not null,
  outcome text not null,
  invoice_id uuid,
  invoice_number text,
  refusal text,
  message text,
  details jsonb not null,
  ran_at timestamptz not null,
  primary key (organisation_id, mode, schedule_id, day),
  constraint recurring_runs_schedule_fkey foreign key (organisation_id, mode, schedule_id) references recurring_schedules(organisation_id, mode, id),
  constraint recurring_runs_outcome_check check (outcome in ('made', 'failed', 'skipped', 'missed')),
  constraint recurring_runs_made_check check ((outcome = 'made') = (invoice_id is not null))
);
comment on table recurring_runs is 'tenant: what came of each period of a recurring schedule';
