create table sessions (
  id              uuid primary key,
  user_id         uuid not null references users (id) on delete cascade,
  -- empty for a person who belongs to no organisation at the moment
  organisation_id uuid references organisations (id),
  mode            text not null check (mode in ('sandbox', 'live')),
  epoch           integer not null default 1,
  address         text not null,
  user_agent      text not null,
  created_at      timestamptz not null,
  last_used_at    timestamptz not null,
  expires_at      timestamptz not null,
  ended_at        timestamptz
);
create index sessions_by_user on sessions (user_id, last_used_at desc) where ended_at is null;
comment on table sessions is 'global: where a person is signed in';

-- Every refresh token a session ever had: the one that comes back a second time tells of a theft.
create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at  timestamptz not null,
  used_at    timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
comment on table refresh_tokens is 'global: refresh tokens by hash, each usable once';
