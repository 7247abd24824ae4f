-- One action on many documents, run in the background with a result for each of them.
create table bulk_jobs (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  action text not null,
  status text not null,
  -- The number of the next slice. A repeated run of an earlier slice does nothing.
  slice integer default 1 not null,
  -- Set while the job waits for the hourly limit of mails.
  continues_at timestamptz,
  asked_by jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, id),
  constraint bulk_jobs_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint bulk_jobs_mode_check check (mode in ('sandbox', 'live')),
  constraint bulk_jobs_action_check check (action in ('finalise', 'submit', 'send', 'remind', 'delete')),
  constraint bulk_jobs_status_check check (status in ('running', 'done', 'cancelled', 'stopped'))
);
comment on table bulk_jobs is 'tenant: actions on many documents, and their progress';
create index bulk_jobs_by_age on bulk_jobs (created_at);

-- why: a result stays when its document is deleted, so there is no reference to invoices.
create table bulk_job_items (
  organisation_id uuid not null,
  mode text not null,
  bulk_job_id uuid not null,
  position integer not null,
  invoice_id uuid not null,
  invoice_number text,
  outcome text not null,
  refusal text,
  message text,
  details jsonb not null,
  primary key (organisation_id, mode, bulk_job_id, position),
  constraint bulk_job_items_once unique (organisation_id, mode, bulk_job_id, invoice_id),
  constraint bulk_job_items_job_fkey foreign key (organisation_id, mode, bulk_job_id)
    references bulk_jobs(organisation_id, mode, id) on delete cascade,
  constraint bulk_job_items_outcome_check check (outcome in ('waiting', 'done', 'failed', 'skipped'))
);
comment on table bulk_job_items is 'tenant: the documents of a bulk job, with the result of each';
create index bulk_job_items_waiting on bulk_job_items (organisation_id, mode, bulk_job_id, position) where outcome = 'waiting';
