-- Programs that told us their name and where they take the answer of a person.
create table program_clients (
  client_id text not null,
  name text not null,
  redirect_uris text[] not null,
  -- When the program registered, or when we read the document at its address.
  read_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (client_id)
);
comment on table program_clients is 'global: programs that told us their name and addresses';
create index program_clients_unused on program_clients (last_used_at);

-- A program that a person connected. Its rights are these capabilities, as far as the person holds them.
create table connected_programs (
  id uuid not null,
  user_id uuid not null,
  organisation_id uuid not null,
  mode text not null,
  -- When the person joined the organisation. After leaving and joining again, programs must be connected again.
  member_since timestamptz not null,
  client_id text not null,
  name text not null,
  -- The host that vouches for the program. Null for ours, and for programs that registered themselves.
  host text,
  -- The address that its tokens are for.
  resource text not null,
  capabilities text[] not null,
  -- Spending limits. Amounts are in minor units of the currency.
  most_per_change bigint,
  most_per_day bigint,
  currency text,
  most_changes_per_day integer,
  -- What the program confirmed on its last day with a change, by the calendar of the organisation.
  spent_on date,
  spent_minor bigint default 0 not null,
  spent_changes integer default 0 not null,
  created_at timestamptz not null,
  -- When it last got a token.
  last_used_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (id),
  constraint connected_programs_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint connected_programs_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint connected_programs_mode_check check (mode in ('sandbox', 'live')),
  constraint connected_programs_currency_check check ((currency is null) = (coalesce(most_per_change, most_per_day) is null)),
  constraint connected_programs_limits_check check (least(most_per_change, most_per_day, most_changes_per_day) > 0),
  constraint connected_programs_spent_check check (spent_minor >= 0 and spent_changes >= 0)
);
comment on table connected_programs is 'global: programs that people connected';
create index connected_programs_by_user on connected_programs (user_id, id) where ended_at is null;
create index connected_programs_by_organisation on connected_programs (organisation_id, id) where ended_at is null;
create index connected_programs_expiring on connected_programs (expires_at);

-- Every refresh token that a program ever had: a token that is used a second time reveals a theft.
create table program_tokens (
  token_hash text not null,
  program_id uuid not null,
  issued_at timestamptz not null,
  used_at timestamptz,
  primary key (token_hash),
  constraint program_tokens_program_id_fkey foreign key (program_id) references connected_programs(id) on delete cascade
);
comment on table program_tokens is 'global: refresh tokens of programs by hash, each usable once';
create index program_tokens_by_program on program_tokens (program_id);
create index program_tokens_used on program_tokens (used_at) where used_at is not null;

-- What a program asks a person to allow. Secrets are stored as hashes, and the code that a person types as a keyed fingerprint.
create table program_requests (
  id uuid not null,
  kind text not null,
  client_id text not null,
  program_name text not null,
  program_host text,
  resource text not null,
  capabilities text[] not null,
  redirect_uri text,
  state text,
  code_challenge text,
  code_hash text,
  user_code_mac text,
  -- Where the program runs that shows the code.
  asked_address text,
  asked_user_agent text,
  poll_seconds integer,
  polled_at timestamptz,
  -- The first person who saw the request. Nobody else can answer it.
  seen_by uuid,
  status text not null,
  -- The connected program, once the person agreed.
  program_id uuid,
  created_at timestamptz not null,
  -- The person answers before this moment, and the program takes the answer before it.
  expires_at timestamptz not null,
  primary key (id),
  constraint program_requests_seen_by_fkey foreign key (seen_by) references users(id) on delete cascade,
  constraint program_requests_program_id_fkey foreign key (program_id) references connected_programs(id) on delete cascade,
  constraint program_requests_kind_check check (kind in ('redirect', 'device')),
  constraint program_requests_status_check check (status in ('open', 'approved', 'denied', 'taken')),
  constraint program_requests_redirect_check check ((kind = 'redirect') = (redirect_uri is not null and code_challenge is not null)),
  constraint program_requests_device_check check ((kind = 'device') = (user_code_mac is not null and poll_seconds is not null)),
  constraint program_requests_approved_check check ((status in ('approved', 'taken')) = (program_id is not null))
);
comment on table program_requests is 'global: what programs ask people to allow';
create unique index program_requests_by_code on program_requests (code_hash) where code_hash is not null;
create unique index program_requests_by_user_code on program_requests (user_code_mac) where user_code_mac is not null;
create index program_requests_expiring on program_requests (expires_at);
create index program_requests_by_program on program_requests (program_id) where program_id is not null;
