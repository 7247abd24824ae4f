-- An address that an account was opened with, for what happens to that account: an endpoint like any other, and told of nothing else.
alter table webhook_endpoints add column is_callback boolean not null default false;
alter table virtual_accounts
  add column callback_url text check (length(callback_url) <= 2048),
  add column callback_endpoint_id uuid,
  add foreign key (organisation_id, mode, callback_endpoint_id) references webhook_endpoints (organisation_id, mode, id),
  add check (callback_endpoint_id is null or callback_url is not null);
create index virtual_accounts_by_callback on virtual_accounts (organisation_id, mode, callback_endpoint_id)
  where callback_endpoint_id is not null;
