-- The last received payment that a provider without a list of settlements was asked about. The next run goes on behind it.
alter table collection_sub_accounts add column followed_to uuid;

-- When the provider stopped counting the transfer among those of the settlement. Such a transfer counts as not paid out.
alter table collection_settled_transfers add column removed_at timestamptz;
