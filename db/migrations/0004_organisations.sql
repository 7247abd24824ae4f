create table organisations (
  id         uuid primary key,
  name       text not null,
  country    text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table organisations is 'global: the businesses themselves';

-- `epoch` rises with every change of what the member may do; tokens carry the epoch they were issued in.
create table memberships (
  organisation_id uuid not null references organisations (id),
  user_id         uuid not null references users (id),
  role_id         uuid not null,
  status          text not null default 'active' check (status in ('active', 'suspended', 'deactivated')),
  epoch           integer not null default 1,
  joined_at       timestamptz not null,
  primary key (organisation_id, user_id)
);
create index memberships_by_user on memberships (user_id, joined_at);
comment on table memberships is 'organisation: who belongs to it, and as what';
