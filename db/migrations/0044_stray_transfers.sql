-- Money that came to a provider under our keys, into an account that is none of ours: kept as the provider tells it, with what stood against it.
create table collection_strays (
  provider     text not null,
  mode         text not null check (mode in ('sandbox', 'live')),
  reference    text not null,
  -- what the provider calls the account that it came into
  handle       text not null,
  reason       text not null check (reason in ('unknown_account', 'other_mode', 'no_amount')),
  amount_minor bigint not null,
  currency     text not null,
  sender_name  text,
  narration    text,
  received_at  timestamptz not null,
  found_at     timestamptz not null,
  primary key (provider, mode, reference)
);
comment on table collection_strays is 'machinery: transfers into accounts that are none of ours';
