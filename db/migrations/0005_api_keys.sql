-- Only a hash of the key is kept. `epoch` rises when what the key may do changes; tokens issued to it carry the epoch.
create table api_keys (
  organisation_id uuid not null references organisations (id),
  id              uuid not null unique,
  mode            text not null check (mode in ('sandbox', 'live')),
  name            text not null,
  key_hash        text not null unique,
  hint            text not null,
  capabilities    text[] not null,
  epoch           integer not null default 1,
  created_by      uuid references users (id),
  created_at      timestamptz not null,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  primary key (organisation_id, id)
);
comment on table api_keys is 'organisation: keys of programs, by hash';
