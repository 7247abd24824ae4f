create table organisations (
  id                uuid primary key,
  parent_id         uuid references organisations (id),
  name              text not null,
  country           text not null check (country ~ '^[A-Z]{2}$'),
  contact_email     text,
  website           text,
  address           jsonb,
  tax_number        text,
  phone             text,
  phone_verified_at timestamptz,
  onboarded_at      timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  check (parent_id <> id)
);
create index organisations_by_parent on organisations (parent_id, created_at) where parent_id is not null;
comment on table organisations is 'global: the businesses themselves';

-- Who pays when a child's credits run short.
create table credit_pool_configs (
  organisation_id          uuid primary key references organisations (id),
  primary_covers_secondary boolean not null,
  fallback_to_primary      boolean not null,
  minimum_reserve          bigint not null check (minimum_reserve >= 0),
  updated_at               timestamptz not null
);
comment on table credit_pool_configs is 'organisation: whether a parent pays for its children';

-- Roles that an organisation made itself. Those of the system have fixed ids and are not rows.
-- `epoch` rises when the capabilities change; tokens of everyone who holds the role carry it.
create table roles (
  organisation_id uuid not null references organisations (id),
  id              uuid not null,
  name            text not null,
  display_name    text not null,
  description     text not null,
  capabilities    text[] not null,
  epoch           integer not null default 1,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  -- A deleted role stays for what once held it: revoked keys, invitations that have ended.
  deleted_at      timestamptz,
  primary key (organisation_id, id)
);
create unique index roles_name on roles (organisation_id, name) where deleted_at is null;
comment on table roles is 'organisation: capability sets it has named itself';

-- `epoch` rises with every change of what the member may do; tokens carry the epoch they were issued in.
-- `custom_role_id` is the role when it is one of the organisation's own, so that it cannot vanish while it is held.
create table memberships (
  organisation_id    uuid not null references organisations (id),
  user_id            uuid not null references users (id),
  role_id            uuid not null,
  custom_role_id     uuid generated always as (case when role_id::text like '00000000-%' then null else role_id end) stored,
  extra_capabilities text[] not null default '{}',
  status             text not null default 'active' check (status in ('active', 'suspended', 'deactivated')),
  status_reason      text,
  epoch              integer not null default 1,
  joined_at          timestamptz not null,
  primary key (organisation_id, user_id),
  foreign key (organisation_id, custom_role_id) references roles (organisation_id, id)
);
create index memberships_by_user on memberships (user_id, joined_at);
create index memberships_by_custom_role on memberships (organisation_id, custom_role_id) where custom_role_id is not null;
comment on table memberships is 'organisation: who belongs to it, and as what';

-- The code is kept twice: as a keyed fingerprint, by which it is found, and as a slow hash, which is what counts.
create table invitations (
  organisation_id    uuid not null references organisations (id),
  id                 uuid not null,
  email              text not null,
  full_name          text not null,
  role_id            uuid not null,
  custom_role_id     uuid generated always as (case when role_id::text like '00000000-%' then null else role_id end) stored,
  extra_capabilities text[] not null default '{}',
  message            text,
  code_mac           text not null,
  code_hash          text not null,
  status             text not null default 'pending' check (status in ('pending', 'accepted', 'withdrawn', 'expired')),
  invited_by         uuid not null references users (id),
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  ended_at           timestamptz,
  primary key (organisation_id, id),
  foreign key (organisation_id, custom_role_id) references roles (organisation_id, id)
);
create unique index invitations_one_pending on invitations (organisation_id, lower(email)) where status = 'pending';
create index invitations_by_code on invitations (lower(email), code_mac) where status = 'pending';
create index invitations_expiring on invitations (expires_at) where status = 'pending';
comment on table invitations is 'organisation: who was asked to join';

-- Wrong invitation codes per address; ten of them lock its preview for an hour.
create table invitation_guesses (
  email_mac    text primary key,
  wrong        smallint not null,
  locked_until timestamptz
);
comment on table invitation_guesses is 'global: wrong invitation codes per address';
