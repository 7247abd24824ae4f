create table users (
  id                 uuid primary key,
  email              text not null,
  email_verified_at  timestamptz,
  password_hash      text not null,
  first_name         text not null,
  last_name          text not null,
  phone              text,
  phone_verified_at  timestamptz,
  totp_secret        text,
  totp_pending       text,
  totp_enabled_at    timestamptz,
  totp_last_step     bigint not null default 0,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  check ((totp_secret is null) = (totp_enabled_at is null))
);
create unique index users_email on users (lower(email));
comment on table users is 'global: people, by email address';

-- Codes sent by mail or text. Only a keyed fingerprint is kept; `attempts_left` counts down with every wrong try.
create table one_time_codes (
  id                uuid primary key,
  user_id           uuid not null references users (id) on delete cascade,
  purpose           text not null check (purpose in ('verify_email', 'reset_password', 'verify_phone', 'verify_organisation_phone')),
  code_mac          text not null,
  attempts_left     smallint not null check (attempts_left >= 0),
  -- Two people may register one address before it is verified: the password and name belong to the code that proves it.
  claims            jsonb not null default '{}',
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  used_at           timestamptz
);
create index one_time_codes_open on one_time_codes (user_id, purpose, created_at desc) where used_at is null;
comment on table one_time_codes is 'global: codes that prove an address, each usable once';

create table recovery_codes (
  user_id  uuid not null references users (id) on delete cascade,
  position smallint not null,
  code_mac text not null,
  used_at  timestamptz,
  primary key (user_id, position)
);
comment on table recovery_codes is 'global: ways in without the second factor, each usable once';

-- Devices a person has signed in from, as keyed fingerprints, to tell them of a new one.
create table known_devices (
  user_id       uuid not null references users (id) on delete cascade,
  device_mac    text not null,
  first_seen_at timestamptz not null,
  primary key (user_id, device_mac)
);
comment on table known_devices is 'global: devices a person has signed in from';
