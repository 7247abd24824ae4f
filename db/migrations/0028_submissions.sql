-- Documents on their way to the authority, each with the exact bytes that go there. A document that was refused, mended and submitted
-- again has a row for each time; all of them bear the same reference, by which the authority knows it.
create table submissions (
  organisation_id    uuid not null,
  mode               text not null,
  id                 uuid not null,
  invoice_id         uuid not null,
  country            text not null,
  reference          text not null,
  -- what is sent, and sent again: never made anew
  payload            bytea not null,
  sha256             text not null,
  goes_to_buyer      boolean not null,
  -- the document that a full credit note takes back
  cancels_invoice_id uuid,
  state              text not null check (state in ('queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected')),
  -- when the automatic attempts were given up; where it stands, it stands still
  failed_at          timestamptz,
  -- when the next attempt is due, and while one is under way, when its lease ends; nothing where there is nothing more to do
  due_at             timestamptz,
  -- grows with every attempt: a worker that lost its lease is known by an older one
  fence              integer not null default 0,
  -- how often it left, or may have left, under this reference
  sends              integer not null default 0,
  last_sent_at       timestamptz,
  -- since when lookups say that it is not there, all of them after it was last sent
  absent_at          timestamptz,
  -- the authority's words to the last sending, as long as nobody has looked whether it is there all the same
  refused            text[],
  -- attempts in a row that led nowhere, and since when
  tries              integer not null default 0,
  tried_since        timestamptz,
  retries            integer not null default 0,
  -- how often somebody asked the authority about it themselves
  queries            integer not null default 0,
  -- who asked for it last, and what they did that the next attempt follows from
  asked_by           jsonb not null,
  next_cause         text not null default 'submitted',
  created_at         timestamptz not null,
  primary key (organisation_id, mode, id),
  foreign key (organisation_id, mode, invoice_id) references invoices (organisation_id, mode, id),
  foreign key (organisation_id, mode, cancels_invoice_id) references invoices (organisation_id, mode, id),
  check (due_at is null or (failed_at is null and state not in ('accepted', 'rejected')))
);
-- What was refused may be sent again under its reference; whatever else bears it is the one.
create unique index submissions_by_reference on submissions (organisation_id, mode, reference) where state <> 'rejected';
create index submissions_by_invoice on submissions (organisation_id, mode, invoice_id, created_at);
create index submissions_due on submissions (country, mode, organisation_id, due_at) where due_at is not null;
comment on table submissions is 'tenant: documents on their way to the tax authority, with the bytes that go there';

-- Everything that was ever asked of the authority about them. A row is written before the first byte leaves.
create table submission_attempts (
  organisation_id uuid not null,
  mode            text not null,
  submission_id   uuid not null,
  -- the fence of the attempt; below zero where somebody asked who held nothing
  number          integer not null,
  step            text not null,
  sha256          text,
  cause           text not null,
  asked_by        jsonb,
  begun_at        timestamptz not null,
  ended_at        timestamptz,
  -- nothing where whoever asked died before it was noted
  answer          text,
  why             text,
  told            text[] not null default '{}',
  -- it came from a worker that had lost its lease meanwhile
  is_late         boolean not null default false,
  primary key (organisation_id, mode, submission_id, number),
  foreign key (organisation_id, mode, submission_id) references submissions (organisation_id, mode, id)
);
comment on table submission_attempts is 'tenant: what the tax authority was asked about a document, and what it answered';

-- Whether an authority as a whole can be reached; written by those who work, read by everybody.
create table authority_links (
  country    text not null,
  mode       text not null,
  state      text not null check (state in ('closed', 'open', 'half_open')),
  reason     text,
  since      timestamptz not null,
  primary key (country, mode)
);
comment on table authority_links is 'machinery: whether each tax authority can be reached';
