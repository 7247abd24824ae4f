-- Reminders by schedule: when buyers are reminded of what they owe.
create table reminder_plans (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  is_on boolean not null,
  -- The hour of the day at which reminders go out, in the organisation's time zone.
  hour integer not null,
  buyers text not null,
  steps jsonb not null,
  -- When the next reminders are due. Null while the plan is off.
  next_at timestamptz,
  version integer default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode),
  constraint reminder_plans_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint reminder_plans_mode_check check (mode in ('sandbox', 'live')),
  constraint reminder_plans_hour_check check (hour between 0 and 23),
  constraint reminder_plans_buyers_check check (buyers in ('all', 'chosen')),
  constraint reminder_plans_next_check check (is_on = (next_at is not null))
);
comment on table reminder_plans is 'tenant: when buyers are reminded of what they owe';
create index reminder_plans_due on reminder_plans (next_at, organisation_id, mode) where next_at is not null;

-- What holds for one buyer. Buyers without a row follow the plan.
create table reminder_buyers (
  organisation_id uuid not null,
  mode text not null,
  buyer_id uuid not null,
  choice text not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, buyer_id),
  constraint reminder_buyers_buyer_fkey foreign key (organisation_id, mode, buyer_id) references buyers(organisation_id, mode, id) on delete cascade,
  constraint reminder_buyers_choice_check check (choice in ('chosen', 'never'))
);
comment on table reminder_buyers is 'tenant: buyers who are chosen for reminders, and buyers who get none';

-- Why an invoice gets no reminders: a dispute, or a promise to pay.
create table reminder_holds (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  disputed_at timestamptz,
  dispute_reason text,
  promised_on date,
  promise_remark text,
  promised_at timestamptz,
  primary key (organisation_id, mode, invoice_id),
  constraint reminder_holds_invoice_fkey foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id) on delete cascade,
  constraint reminder_holds_dispute_check check ((disputed_at is null) = (dispute_reason is null)),
  constraint reminder_holds_promise_check check ((promised_on is null) = (promised_at is null))
);
comment on table reminder_holds is 'tenant: disputes and promises to pay, which stop the reminders of an invoice';

-- A buyer who was reminded on a day. The key allows one mail of the plan for each buyer and day.
create table reminder_days (
  organisation_id uuid not null,
  mode text not null,
  buyer_id uuid not null,
  day date not null,
  primary key (organisation_id, mode, buyer_id, day),
  constraint reminder_days_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table reminder_days is 'tenant: the days on which a buyer was reminded';

-- Each invoice of each reminder.
--
-- why: an invoice that was reopened can be deleted, so there is no reference to invoices.
create table sent_reminders (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  invoice_number text not null,
  buyer_id uuid,
  day date not null,
  -- The step of the plan, in days from the due date. Null for reminders that a person or program sent.
  step_days integer,
  recipient text not null,
  due_minor bigint not null,
  currency text not null,
  due_date date,
  sent_at timestamptz not null,
  primary key (organisation_id, mode, id),
  constraint sent_reminders_organisation_id_fkey foreign key (organisation_id) references organisations(id)
);
comment on table sent_reminders is 'tenant: reminders that were sent, one row for each invoice';
create index sent_reminders_by_invoice on sent_reminders (organisation_id, mode, invoice_id, day);
create index sent_reminders_by_buyer on sent_reminders (organisation_id, mode, buyer_id, id) where buyer_id is not null;

-- What is open, buyer by buyer: a run of reminders walks through it once.
create index buyer_account_moves_to_remind on buyer_account_moves (organisation_id, mode, buyer_id, due_date)
  where superseded_at is null and open_minor > 0 and due_date is not null;

-- Money of a buyer that no invoice has taken yet.
create index received_payments_unapplied on received_payments (organisation_id, mode, buyer_id, currency)
  where buyer_id is not null and unmatched_minor + credited_minor > 0;
