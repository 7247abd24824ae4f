-- Below how many credits somebody wants to hear of it; 0 for never. It stands in the row of the balance so that a charge
-- knows of it without another question.
alter table credit_balances
  add column low_balance_threshold bigint not null default 0 check (low_balance_threshold between 0 and 100000000);
create index credit_balances_sandbox on credit_balances (organisation_id, available) where mode = 'sandbox';

-- What a parent paid for a child goes back to it when the thing it paid for is taken back.
alter table credit_moves drop constraint credit_moves_type_check;
alter table credit_moves add constraint credit_moves_type_check check (type in (
  'charge', 'refund', 'hold', 'capture', 'release', 'grant', 'purchase', 'settlement', 'reversal', 'debt',
  'pool_out', 'pool_in', 'pool_return_out', 'pool_return_in'));
create index credit_moves_by_time on credit_moves (organisation_id, mode, created_at);

-- Also what every change of subscriptions and payments of an organisation locks first, so that they take turns.
create table billing_accounts (
  organisation_id uuid primary key references organisations (id),
  id              uuid not null unique,
  opened_at       timestamptz not null
);
comment on table billing_accounts is 'organisation: that it has books, and under which id they are asked for';

-- `anchor_at` is the moment from which periods and allocations are counted, so that the 31st stays the 31st.
create table subscriptions (
  organisation_id      uuid not null references billing_accounts (organisation_id),
  id                   uuid not null,
  plan_code            text not null,
  interval             text not null check (interval in ('monthly', 'yearly')),
  currency             text not null,
  amount_minor         bigint not null check (amount_minor > 0),
  monthly_credits      bigint not null check (monthly_credits >= 0),
  status               text not null check (status in ('pending_payment', 'active', 'past_due', 'expired')),
  end_reason           text check (end_reason in ('not_paid', 'cancelled', 'overdue', 'money_returned')),
  cancel_at_period_end boolean not null default false,
  cancel_reason        text,
  anchor_at            timestamptz,
  period               integer not null default 0,
  -- when the period ends, the next attempt is due or the grace is over: the next thing that time alone calls for
  next_step_at         timestamptz,
  next_allocation_at   timestamptz,
  attempts             integer not null default 0,
  provider             text,
  sealed_authorisation text,
  created_by           uuid references users (id),
  created_at           timestamptz not null,
  ended_at             timestamptz,
  primary key (organisation_id, id),
  check ((status = 'expired') = (ended_at is not null)),
  check ((status in ('active', 'past_due')) <= (anchor_at is not null))
);
create unique index subscriptions_one_current on subscriptions (organisation_id) where status <> 'expired';
create index subscriptions_due on subscriptions (next_step_at) where next_step_at is not null;
create index subscriptions_allocating on subscriptions (next_allocation_at) where next_allocation_at is not null;
comment on table subscriptions is 'organisation: the plans it has taken';

-- `credits` is what the payment has bought so far, `granted_credits` what the ledger shows for it: both follow the money.
create table payments (
  organisation_id  uuid not null references billing_accounts (organisation_id),
  id               uuid not null,
  kind             text not null check (kind in ('credit_purchase', 'subscription', 'renewal')),
  status           text not null check (status in (
    'pending', 'succeeded', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed', 'charged_back')),
  provider         text not null,
  handle           text,
  amount_minor     bigint not null check (amount_minor > 0),
  currency         text not null,
  refunded_minor   bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  description      text not null,
  email            text not null,
  package_id       text,
  subscription_id  uuid,
  period           integer,
  credits          bigint not null default 0 check (credits >= 0),
  granted_credits  bigint not null default 0 check (granted_credits >= 0),
  checkout_url     text,
  expires_at       timestamptz not null,
  -- when to ask the provider again, whether or not it has notified us
  look_at          timestamptz,
  looks            integer not null default 0,
  version          integer not null default 1,
  created_by       uuid references users (id),
  created_at       timestamptz not null,
  paid_at          timestamptz,
  ended_at         timestamptz,
  primary key (organisation_id, id),
  foreign key (organisation_id, subscription_id) references subscriptions (organisation_id, id),
  check (granted_credits <= credits),
  check ((kind = 'credit_purchase') = (subscription_id is null))
);
create index payments_by_reference on payments ((id::text));
create index payments_by_handle on payments (handle) where handle is not null;
create index payments_newest on payments (organisation_id, created_at desc, id desc);
create index payments_to_look_at on payments (look_at) where look_at is not null;
create index payments_of_subscription on payments (organisation_id, subscription_id, period) where subscription_id is not null;
comment on table payments is 'organisation: what it was asked to pay, and what became of it; the money is live money';

-- The billing periods of a subscription, and the payment that each was paid with.
create table subscription_periods (
  organisation_id uuid not null,
  subscription_id uuid not null,
  number          integer not null check (number > 0),
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  amount_minor    bigint not null,
  currency        text not null,
  payment_id      uuid,
  paid_at         timestamptz,
  primary key (organisation_id, subscription_id, number),
  foreign key (organisation_id, subscription_id) references subscriptions (organisation_id, id),
  foreign key (organisation_id, payment_id) references payments (organisation_id, id),
  check ((payment_id is null) = (paid_at is null))
);
comment on table subscription_periods is 'organisation: billing periods and how each was paid';

-- One row for each month that was granted; its key is why a month is granted once, whatever is restarted when.
create table subscription_allocations (
  organisation_id uuid not null,
  subscription_id uuid not null,
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  credits         bigint not null,
  payment_id      uuid not null,
  granted_at      timestamptz not null,
  primary key (organisation_id, subscription_id, starts_at),
  foreign key (organisation_id, subscription_id) references subscriptions (organisation_id, id),
  foreign key (organisation_id, payment_id) references payments (organisation_id, id)
);
comment on table subscription_allocations is 'organisation: the months of credits that subscriptions have brought';

-- What payment providers told us, once per id of theirs. It proves nothing by itself: it says when to look.
create table provider_notifications (
  provider    text not null,
  id          text not null,
  type        text not null,
  subject     text,
  received_at timestamptz not null,
  settled_at  timestamptz,
  outcome     text,
  primary key (provider, id)
);
create index provider_notifications_by_time on provider_notifications (received_at);
comment on table provider_notifications is 'global: what payment providers told us, before we know whom it concerns';
