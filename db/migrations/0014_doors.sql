-- Wrong tries at what can be guessed: passwords, second factors, codes. A door is one purpose of one account; a lane is the
-- network that knocks, or empty for all networks together that the account has never signed in from. `closings` says how often
-- in a row the lane was closed: each wait is longer than the one before.
create table doors (
  purpose      text not null,
  account_mac  text not null,
  lane         text not null,
  wrong        integer not null,
  began_at     timestamptz not null,
  closings     smallint not null,
  closed_until timestamptz,
  primary key (purpose, account_mac, lane)
);
create index doors_past on doors (began_at);
comment on table doors is 'global: wrong tries at passwords and codes, per account, purpose and lane';

-- why: wrong invitation codes are counted at their door now, by address and network, and a lock of an hour is not worth moving
drop table invitation_guesses;

-- Which networks a person signs in from; what was seen before this was kept is known again with the next sign-in.
alter table known_devices add column network_mac text not null default '';
alter table known_devices add column last_seen_at timestamptz;
update known_devices set last_seen_at = first_seen_at;
alter table known_devices alter column last_seen_at set not null;

-- One open code per person, purpose and subject (the registration that a code was mailed for; empty where the purpose says it
-- all). Tries from the network that asked for the code and tries from elsewhere are counted apart, so that neither uses up
-- the other's.
alter table one_time_codes add column subject text not null default '';
alter table one_time_codes add column network_mac text not null default '';
alter table one_time_codes add column attempts_left_elsewhere smallint not null default 5 check (attempts_left_elsewhere >= 0);

-- What a verification code would set was kept with the code; it is kept with the registration now, and whoever waits for a
-- code asks for a new one. Of other codes the newest stays.
update one_time_codes set used_at = now() where used_at is null and purpose = 'verify_email';
update one_time_codes c set used_at = now()
 where c.used_at is null
   and exists (select from one_time_codes newer
                where newer.user_id = c.user_id and newer.purpose = c.purpose and newer.used_at is null
                  and (newer.created_at, newer.id) > (c.created_at, c.id));
drop index one_time_codes_open;
create unique index one_time_codes_open on one_time_codes (user_id, purpose, subject) where used_at is null;

-- Everyone who asked for an address that is not verified yet. What they chose takes effect with the code mailed for it, and
-- that code alone; the first that is verified ends the others.
create table registrations (
  id                uuid primary key,
  user_id           uuid not null references users (id) on delete cascade,
  password_hash     text not null,
  first_name        text not null,
  last_name         text not null,
  organisation_name text not null,
  country           text not null check (country ~ '^[A-Z]{2}$'),
  address           text not null,
  user_agent        text not null,
  network_mac       text not null,
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  ended_at          timestamptz
);
create index registrations_open on registrations (user_id, created_at) where ended_at is null;
create index registrations_past on registrations (expires_at);
comment on table registrations is 'global: who asked for an address that nobody has verified yet';

insert into registrations (id, user_id, password_hash, first_name, last_name, organisation_name, country,
                           address, user_agent, network_mac, created_at, expires_at)
select distinct on (u.id) gen_random_uuid(), u.id, u.password_hash, u.first_name, u.last_name, o.name, o.country,
       '', '', '', u.created_at, now() + interval '7 days'
  from users u join memberships m on m.user_id = u.id join organisations o on o.id = m.organisation_id
 where u.email_verified_at is null
 order by u.id, m.joined_at, o.id;
