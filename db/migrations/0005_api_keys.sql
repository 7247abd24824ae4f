-- Only a hash of the key is kept. A key holds the capabilities listed, or what its role holds.
-- `epoch` rises when what the key may do changes; tokens issued to it carry the epoch they were issued in.
-- `stops_at` is set when the key is rotated: it works until then.
create table api_keys (
  organisation_id     uuid not null references organisations (id),
  id                  uuid not null unique,
  mode                text not null check (mode in ('sandbox', 'live')),
  name                text not null,
  key_hash            text not null unique,
  hint                text not null,
  preset              text,
  capabilities        text[] not null,
  role_id             uuid,
  custom_role_id      uuid generated always as (case when role_id::text like '00000000-%' then null else role_id end) stored,
  requests_per_minute integer check (requests_per_minute > 0),
  daily_quota         integer check (daily_quota > 0),
  epoch               integer not null default 1,
  created_by          uuid references users (id),
  created_at          timestamptz not null,
  expires_at          timestamptz,
  stops_at            timestamptz,
  revoked_at          timestamptz,
  last_used_at        timestamptz,
  end_announced_at    timestamptz,
  primary key (organisation_id, id),
  foreign key (organisation_id, custom_role_id) references roles (organisation_id, id)
);
create index api_keys_by_custom_role on api_keys (organisation_id, custom_role_id) where custom_role_id is not null;
create index api_keys_ending on api_keys (least(expires_at, stops_at)) where revoked_at is null and end_announced_at is null;
comment on table api_keys is 'organisation: keys of programs, by hash';
