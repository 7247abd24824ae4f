-- A tenant's link to the tax authority: by what the authority knows the business, and what it gave to it.
create table tax_connections (
  organisation_id      uuid not null references organisations (id),
  mode                 text not null check (mode in ('sandbox', 'live')),
  id                   uuid not null,
  status               text not null check (status in ('pending', 'connected', 'revoked')),
  business_id          uuid not null,
  service_id           text not null,
  number_template      text not null,
  -- as the authority has the business, from when it was last asked and answered
  business_name        text,
  tax_id_normal        text,
  sealed_credentials   text,
  sealed_key_file      text,
  key_file_fingerprint text,
  key_file_at          timestamptz,
  consent_version      text,
  consented_at         timestamptz,
  consented_by         uuid,
  -- why it is pending, in a word
  problem              text,
  -- the question to the authority that is out: an answer to an older one is not taken any more
  attempt_id           uuid,
  checked_at           timestamptz,
  connected_at         timestamptz,
  revoked_at           timestamptz,
  revoked_reason       text,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (organisation_id, mode),
  check ((sealed_key_file is null) = (key_file_fingerprint is null) and (sealed_key_file is null) = (key_file_at is null)),
  check ((consent_version is null) = (consented_at is null)),
  check ((status = 'revoked') = (revoked_at is not null))
);
comment on table tax_connections is 'tenant: its link to the tax authority';

-- What a key file is encrypted to on its way to us; made before there is a connection.
create table tax_transport_keys (
  organisation_id    uuid not null references organisations (id),
  mode               text not null check (mode in ('sandbox', 'live')),
  id                 uuid not null,
  key_id             text not null,
  public_key_pem     text not null,
  sealed_private_key text not null,
  created_at         timestamptz not null,
  primary key (organisation_id, mode)
);
comment on table tax_transport_keys is 'tenant: the key pair that its key file comes under';
