-- Files that people bring along. What a file would make is kept as the request that would make it, beside what became of it.
create table imports (
  organisation_id uuid not null references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  id              uuid not null,
  kind            text not null check (kind in ('buyers', 'items', 'invoices')),
  file_name       text not null,
  status          text not null check (status in ('checking', 'checked', 'running', 'done', 'undoing', 'undone', 'stopped')),
  columns         jsonb not null,
  asked_by        jsonb not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organisation_id, mode, id)
);
comment on table imports is 'tenant: files of buyers, items and invoices, and how far they are';
create index imports_by_age on imports (created_at);

create table import_records (
  organisation_id uuid not null,
  mode            text not null,
  import_id       uuid not null,
  row_number      int not null,
  line_rows       int[] not null,
  body            jsonb not null,
  label           text not null,
  status          text not null check (status in ('unchecked', 'ready', 'faulty', 'made', 'undone', 'kept')),
  object_id       uuid,
  faults          jsonb not null,
  primary key (organisation_id, mode, import_id, row_number),
  foreign key (organisation_id, mode, import_id) references imports on delete cascade
);
comment on table import_records is 'tenant: what an import makes, one by one, and what is wrong with it';
