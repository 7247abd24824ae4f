-- What somebody of an organisation wants to change about a person who belongs to others too: it waits for that person's word.
create table asked_changes (
  organisation_id uuid not null references organisations (id),
  id              uuid not null,
  user_id         uuid not null references users (id),
  asked_by        uuid not null references users (id),
  what            text not null check (what in ('name', 'phone', 'second_factor')),
  change          jsonb not null,
  code_mac        text not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  ended_at        timestamptz,
  primary key (organisation_id, id)
);
create unique index asked_changes_open on asked_changes (organisation_id, user_id, what) where ended_at is null;
create index asked_changes_of_person on asked_changes (user_id, created_at);
comment on table asked_changes is 'organisation: changes of a person that wait for that person to confirm them';
