-- What a program has prepared and must confirm. The token is stored as a hash.
create table confirmations (
  organisation_id uuid not null,
  mode text not null,
  token_hash text not null,
  -- The session, key or program that prepared, as kind:id.
  principal text not null,
  action text not null,
  content jsonb not null,
  -- The object that the action changes, at the version that the caller saw.
  object_id uuid,
  object_version integer,
  -- The money that the action commits.
  amount_minor bigint,
  currency text,
  -- By the real time.
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (organisation_id, mode, token_hash),
  constraint confirmations_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint confirmations_mode_check check (mode in ('sandbox', 'live')),
  constraint confirmations_object_check check ((object_id is null) = (object_version is null)),
  constraint confirmations_spending_check check ((amount_minor is null) = (currency is null))
);
comment on table confirmations is 'tenant: actions that programs have prepared and must confirm';
create index confirmations_expiring on confirmations (expires_at);
