-- Generated from the catalogue of a freshly migrated database by: npm run schema:write
-- It is for reading. To change the database, write a migration.

create table account_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  constraint account_share_tokens_pkey PRIMARY KEY (token_hash),
  constraint account_share_tokens_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table account_share_tokens is 'global: the link and organisation of each token of a statement of account';

create table account_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  buyer_id uuid not null,
  currency text not null,
  from_day date not null,
  to_day date not null,
  token_hash text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint account_shares_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint account_shares_buyer_fkey FOREIGN KEY (organisation_id, mode, buyer_id) REFERENCES buyers(organisation_id, mode, id) ON DELETE CASCADE,
  constraint account_shares_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table account_shares is 'tenant: public links to statements of account';
CREATE INDEX account_shares_by_end ON account_shares USING btree (expires_at);
CREATE INDEX account_shares_of_buyer ON account_shares USING btree (organisation_id, mode, buyer_id, id);

create table api_key_hashes (
  key_hash text not null,
  organisation_id uuid not null,
  key_id uuid not null,
  constraint api_key_hashes_pkey PRIMARY KEY (key_hash)
);
comment on table api_key_hashes is 'global: the key and organisation of each key hash';

create table api_keys (
  organisation_id uuid not null,
  id uuid not null,
  mode text not null,
  name text not null,
  key_hash text not null,
  hint text not null,
  preset text,
  capabilities text[] not null,
  role_id uuid,
  custom_role_id uuid generated always as (
CASE
    WHEN role_id::text ~~ '00000000-%'::text THEN NULL::uuid
    ELSE role_id
END) stored,
  requests_per_minute integer,
  daily_quota integer,
  epoch integer not null default 1,
  created_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  stops_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  end_announced_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (organisation_id, id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint api_keys_organisation_id_custom_role_id_fkey FOREIGN KEY (organisation_id, custom_role_id) REFERENCES roles(organisation_id, id),
  constraint api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint api_keys_daily_quota_check CHECK (daily_quota > 0),
  constraint api_keys_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint api_keys_requests_per_minute_check CHECK (requests_per_minute > 0)
);
comment on table api_keys is 'organisation: API keys, by hash';
CREATE INDEX api_keys_by_custom_role ON api_keys USING btree (organisation_id, custom_role_id) WHERE custom_role_id IS NOT NULL;
CREATE INDEX api_keys_ending ON api_keys USING btree (LEAST(expires_at, stops_at)) WHERE revoked_at IS NULL AND end_announced_at IS NULL;

create table attempt_counters (
  purpose text not null,
  account_mac text not null,
  network text not null,
  wrong integer not null,
  began_at timestamp with time zone not null,
  lockouts smallint not null,
  locked_until timestamp with time zone,
  constraint attempt_counters_pkey PRIMARY KEY (purpose, account_mac, network)
);
comment on table attempt_counters is 'global: wrong guesses at passwords and codes, by account, purpose and network';
CREATE INDEX attempt_counters_past ON attempt_counters USING btree (began_at);

create table auth_changes (
  seq bigint not null generated always as identity,
  subject text not null,
  xid xid8 not null default pg_current_xact_id(),
  changed_at timestamp with time zone not null default now(),
  constraint auth_changes_pkey PRIMARY KEY (seq)
);
comment on table auth_changes is 'machinery: subjects whose tokens every node must check again';
CREATE INDEX auth_changes_by_xid ON auth_changes USING btree (xid);

create table authority_links (
  country text not null,
  mode text not null,
  state text not null,
  reason text,
  since timestamp with time zone not null,
  constraint authority_links_pkey PRIMARY KEY (country, mode),
  constraint authority_links_state_check CHECK (state = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text]))
);
comment on table authority_links is 'machinery: whether each tax authority can be reached';

create table billing_accounts (
  organisation_id uuid not null,
  id uuid not null,
  opened_at timestamp with time zone not null,
  constraint billing_accounts_pkey PRIMARY KEY (organisation_id),
  constraint billing_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table billing_accounts is 'organisation: its billing account and the account''s public id';

create table bulk_job_items (
  organisation_id uuid not null,
  mode text not null,
  bulk_job_id uuid not null,
  position integer not null,
  invoice_id uuid not null,
  invoice_number text,
  outcome text not null,
  refusal text,
  message text,
  details jsonb not null,
  constraint bulk_job_items_pkey PRIMARY KEY (organisation_id, mode, bulk_job_id, "position"),
  constraint bulk_job_items_once UNIQUE (organisation_id, mode, bulk_job_id, invoice_id),
  constraint bulk_job_items_job_fkey FOREIGN KEY (organisation_id, mode, bulk_job_id) REFERENCES bulk_jobs(organisation_id, mode, id) ON DELETE CASCADE,
  constraint bulk_job_items_outcome_check CHECK (outcome = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'skipped'::text]))
);
comment on table bulk_job_items is 'tenant: the documents of a bulk job, with the result of each';
CREATE INDEX bulk_job_items_waiting ON bulk_job_items USING btree (organisation_id, mode, bulk_job_id, "position") WHERE outcome = 'waiting'::text;

create table bulk_jobs (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  action text not null,
  status text not null,
  slice integer not null default 1,
  continues_at timestamp with time zone,
  asked_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bulk_jobs_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint bulk_jobs_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint bulk_jobs_action_check CHECK (action = ANY (ARRAY['finalise'::text, 'submit'::text, 'send'::text, 'remind'::text, 'download'::text, 'delete'::text])),
  constraint bulk_jobs_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint bulk_jobs_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text, 'stopped'::text]))
);
comment on table bulk_jobs is 'tenant: actions on many documents, and their progress';
CREATE INDEX bulk_jobs_by_age ON bulk_jobs USING btree (created_at);

create table buyer_account_moves (
  organisation_id uuid not null,
  mode text not null,
  id bigint not null generated always as identity,
  buyer_id uuid not null,
  currency text not null,
  moved_at timestamp with time zone not null,
  type text not null,
  amount_minor bigint not null,
  document_id uuid not null,
  document_number text not null,
  document_type text not null,
  document_date date not null,
  invoice_id uuid not null,
  payment_id uuid,
  open_minor bigint not null,
  due_date date,
  superseded_at timestamp with time zone,
  instalments json,
  constraint buyer_account_moves_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint buyer_account_moves_amount_check CHECK (amount_minor <> 0),
  constraint buyer_account_moves_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint buyer_account_moves_type_check CHECK (type = ANY (ARRAY['document'::text, 'document_withdrawn'::text, 'declared_paid'::text, 'declared_paid_withdrawn'::text, 'payment'::text, 'payment_reversed'::text, 'payment_moved'::text]))
);
comment on table buyer_account_moves is 'tenant: every change of what a buyer owes, written by triggers';
CREATE INDEX buyer_account_moves_in_order ON buyer_account_moves USING btree (organisation_id, mode, buyer_id, currency, moved_at, id) INCLUDE (amount_minor);
CREATE UNIQUE INDEX buyer_account_moves_last ON buyer_account_moves USING btree (organisation_id, mode, invoice_id, buyer_id, currency) WHERE superseded_at IS NULL;
CREATE INDEX buyer_account_moves_open ON buyer_account_moves USING btree (organisation_id, mode, buyer_id, currency, superseded_at) INCLUDE (moved_at, open_minor, due_date, instalments) WHERE open_minor <> 0;
CREATE INDEX buyer_account_moves_to_remind ON buyer_account_moves USING btree (organisation_id, mode, buyer_id, due_date) WHERE superseded_at IS NULL AND open_minor > 0 AND due_date IS NOT NULL;

create table buyers (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  legal_name text,
  trading_name text,
  party_type text not null,
  tax_id text,
  tax_id_normal text,
  tax_id_type text not null,
  tax_id_status text not null default 'unverified'::text,
  vat_number text,
  registration_number text,
  email text,
  phone text,
  website text,
  address jsonb,
  business_description text,
  reference text,
  notes text,
  search text not null,
  search_keys integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  language text,
  constraint buyers_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint buyers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint buyers_check CHECK ((tax_id IS NULL) = (tax_id_normal IS NULL)),
  constraint buyers_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint buyers_party_type_check CHECK (party_type = ANY (ARRAY['individual'::text, 'company'::text, 'partnership'::text, 'non_profit'::text, 'government'::text])),
  constraint buyers_tax_id_status_check CHECK (tax_id_status = ANY (ARRAY['unverified'::text, 'pending'::text, 'verified'::text, 'not_found'::text, 'name_mismatch'::text, 'unavailable'::text, 'valid_off_network'::text, 'checking'::text])),
  constraint buyers_tax_id_type_check CHECK (tax_id_type = ANY (ARRAY['national'::text, 'registration'::text, 'foreign'::text, 'none'::text]))
);
comment on table buyers is 'tenant: the customers on its invoices';
CREATE INDEX buyers_archived ON buyers USING btree (organisation_id, mode) WHERE archived_at IS NOT NULL;
CREATE INDEX buyers_by_name ON buyers USING btree (organisation_id, mode, "left"(search, 200) COLLATE "C", id) WHERE archived_at IS NULL;
CREATE INDEX buyers_live ON buyers USING btree (organisation_id, mode, id) WHERE archived_at IS NULL;
CREATE INDEX buyers_search ON buyers USING gin (search_keys) WITH (fastupdate=off) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX buyers_tax_id ON buyers USING btree (organisation_id, mode, tax_id_normal) WHERE archived_at IS NULL AND tax_id_normal IS NOT NULL;

create table code_lists (
  country text not null,
  type text not null,
  version text not null,
  source text not null,
  effective_from date not null,
  entries jsonb not null,
  loaded_at timestamp with time zone not null,
  constraint code_lists_pkey PRIMARY KEY (country, type, version),
  constraint code_lists_source_check CHECK (source = ANY (ARRAY['import'::text, 'authority'::text]))
);
comment on table code_lists is 'global: code lists that are newer than the software';

create table collection_differences (
  organisation_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  kind text not null,
  ours_minor bigint,
  theirs_minor bigint,
  found_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint collection_differences_pkey PRIMARY KEY (organisation_id, mode, payment_id, kind),
  constraint collection_differences_organisation_id_mode_payment_id_fkey FOREIGN KEY (organisation_id, mode, payment_id) REFERENCES received_payments(organisation_id, mode, id),
  constraint collection_differences_kind_check CHECK (kind = ANY (ARRAY['missing_here'::text, 'missing_there'::text, 'amount'::text, 'currency'::text, 'refunded'::text, 'not_settled'::text, 'settled_amount'::text, 'settled_reversed'::text]))
);
comment on table collection_differences is 'tenant: differences between a provider''s list of transfers and our records';
CREATE INDEX collection_differences_open ON collection_differences USING btree (organisation_id, mode) WHERE settled_at IS NULL;

create table collection_feeds (
  provider text not null,
  mode text not null,
  swept_to timestamp with time zone,
  reconciled_at timestamp with time zone,
  constraint collection_feeds_pkey PRIMARY KEY (provider, mode)
);
comment on table collection_feeds is 'machinery: how far each provider''s list of transfers was read';

create table collection_notifications (
  provider text not null,
  mode text not null,
  id text not null,
  subject text not null,
  received_at timestamp with time zone not null default now(),
  due_at timestamp with time zone default now(),
  tries integer not null default 0,
  outcome text,
  organisation_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  about text not null default 'transfer'::text,
  constraint collection_notifications_pkey PRIMARY KEY (provider, mode, id),
  constraint collection_notifications_about_check CHECK (about = ANY (ARRAY['transfer'::text, 'settlement'::text]))
);
comment on table collection_notifications is 'global: notifications of collection providers, before their organisation is known';
CREATE INDEX collection_notifications_by_time ON collection_notifications USING btree (received_at);
CREATE INDEX collection_notifications_due ON collection_notifications USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collection_notifications_turns ON collection_notifications USING btree (mode, organisation_id, due_at) WHERE due_at IS NOT NULL;

create table collection_reconciliations (
  provider text not null,
  mode text not null,
  day date not null,
  checked_at timestamp with time zone not null,
  is_whole boolean not null,
  transfers integer not null,
  problem text,
  constraint collection_reconciliations_pkey PRIMARY KEY (provider, mode, day),
  constraint collection_reconciliations_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table collection_reconciliations is 'machinery: days on which a provider''s list of transfers was compared with our records';

create table collection_refunds (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  state text not null,
  amount_minor bigint not null,
  credited_minor bigint not null default 0,
  reason text,
  failure text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  asked_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint collection_refunds_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint collection_refunds_organisation_id_mode_payment_id_fkey FOREIGN KEY (organisation_id, mode, payment_id) REFERENCES received_payments(organisation_id, mode, id),
  constraint collection_refunds_amount_minor_check CHECK (amount_minor > 0),
  constraint collection_refunds_check CHECK ((state = 'pending'::text) = (settled_at IS NULL)),
  constraint collection_refunds_credited_minor_check CHECK (credited_minor >= 0),
  constraint collection_refunds_state_check CHECK (state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text]))
);
comment on table collection_refunds is 'tenant: refunds of received money, and their outcomes';
CREATE INDEX collection_refunds_due ON collection_refunds USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collection_refunds_of_payment ON collection_refunds USING btree (organisation_id, mode, payment_id, asked_at);

create table collection_settled_transfers (
  organisation_id uuid not null,
  mode text not null,
  provider text not null,
  transfer_reference text not null,
  settlement_id uuid not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  removed_at timestamp with time zone,
  constraint collection_settled_transfers_pkey PRIMARY KEY (organisation_id, mode, provider, transfer_reference, settlement_id),
  constraint collection_settled_transfers_organisation_id_mode_settleme_fkey FOREIGN KEY (organisation_id, mode, settlement_id) REFERENCES collection_settlements(organisation_id, mode, id),
  constraint collection_settled_transfers_amount_minor_check CHECK (amount_minor >= 0),
  constraint collection_settled_transfers_fee_minor_check CHECK (fee_minor >= 0)
);
comment on table collection_settled_transfers is 'tenant: the transfers that a settlement paid out';

create table collection_settlements (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  seller_id uuid not null,
  provider text not null,
  provider_reference text not null,
  status text not null,
  currency text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  payment_count integer not null,
  settled_at timestamp with time zone,
  found_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint collection_settlements_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint collection_settlements_organisation_id_mode_provider_provid_key UNIQUE (organisation_id, mode, provider, provider_reference, seller_id),
  constraint collection_settlements_organisation_id_mode_seller_id_fkey FOREIGN KEY (organisation_id, mode, seller_id) REFERENCES settlement_accounts(organisation_id, mode, seller_id),
  constraint collection_settlements_amount_minor_check CHECK (amount_minor >= 0),
  constraint collection_settlements_fee_minor_check CHECK (fee_minor >= 0),
  constraint collection_settlements_payment_count_check CHECK (payment_count > 0),
  constraint collection_settlements_status_check CHECK (status = ANY (ARRAY['pending'::text, 'settled'::text, 'failed'::text]))
);
comment on table collection_settlements is 'tenant: payouts of providers to sellers';
CREATE INDEX collection_settlements_newest ON collection_settlements USING btree (organisation_id, mode, found_at DESC, id DESC);

create table collection_strays (
  provider text not null,
  mode text not null,
  reference text not null,
  handle text,
  reason text not null,
  amount_minor bigint,
  currency text,
  sender_name text,
  narration text,
  received_at timestamp with time zone,
  found_at timestamp with time zone not null,
  detail text,
  entry text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  taken_in_at timestamp with time zone,
  constraint collection_strays_pkey PRIMARY KEY (provider, mode, reference),
  constraint collection_strays_known CHECK (reason = 'unreadable'::text OR handle IS NOT NULL AND amount_minor IS NOT NULL AND currency IS NOT NULL AND received_at IS NOT NULL),
  constraint collection_strays_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint collection_strays_reason_check CHECK (reason = ANY (ARRAY['unknown_account'::text, 'other_mode'::text, 'no_amount'::text, 'unreadable'::text, 'failed'::text]))
);
comment on table collection_strays is 'machinery: transfers that cannot be assigned to an account of ours, or could not be recorded';
CREATE INDEX collection_strays_due ON collection_strays USING btree (due_at) WHERE due_at IS NOT NULL;

create table collection_sub_accounts (
  organisation_id uuid not null,
  mode text not null,
  seller_id uuid not null,
  provider text not null,
  state text not null,
  reason text,
  code text,
  bank_code text,
  account_number text,
  former_codes text[] not null default '{}'::text[],
  tries integer not null default 0,
  due_at timestamp with time zone,
  accounts_due_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  followed_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  followed_to uuid,
  constraint collection_sub_accounts_pkey PRIMARY KEY (organisation_id, mode, seller_id, provider),
  constraint collection_sub_accounts_organisation_id_mode_seller_id_fkey FOREIGN KEY (organisation_id, mode, seller_id) REFERENCES settlement_accounts(organisation_id, mode, seller_id),
  constraint collection_sub_accounts_check CHECK (state <> 'confirmed'::text OR code IS NOT NULL),
  constraint collection_sub_accounts_check1 CHECK ((code IS NULL) = (account_number IS NULL)),
  constraint collection_sub_accounts_state_check CHECK (state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'refused'::text]))
);
comment on table collection_sub_accounts is 'tenant: each provider''s code for a seller''s settlement account';
CREATE INDEX collection_sub_accounts_due ON collection_sub_accounts USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX collection_sub_accounts_to_point ON collection_sub_accounts USING btree (accounts_due_at) WHERE accounts_due_at IS NOT NULL;

create table confirmations (
  organisation_id uuid not null,
  mode text not null,
  token_hash text not null,
  principal text not null,
  action text not null,
  content jsonb not null,
  object_id uuid,
  object_version integer,
  amount_minor bigint,
  currency text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint confirmations_pkey PRIMARY KEY (organisation_id, mode, token_hash),
  constraint confirmations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint confirmations_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint confirmations_object_check CHECK ((object_id IS NULL) = (object_version IS NULL)),
  constraint confirmations_spending_check CHECK ((amount_minor IS NULL) = (currency IS NULL))
);
comment on table confirmations is 'tenant: actions that programs have prepared and must confirm';
CREATE INDEX confirmations_expiring ON confirmations USING btree (expires_at);

create table connected_programs (
  id uuid not null,
  user_id uuid not null,
  organisation_id uuid not null,
  mode text not null,
  member_since timestamp with time zone not null,
  client_id text not null,
  name text not null,
  host text,
  resource text not null,
  capabilities text[] not null,
  most_per_change bigint,
  most_per_day bigint,
  currency text,
  most_changes_per_day integer,
  spent_on date,
  spent_minor bigint not null default 0,
  spent_changes integer not null default 0,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint connected_programs_pkey PRIMARY KEY (id),
  constraint connected_programs_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint connected_programs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint connected_programs_currency_check CHECK ((currency IS NULL) = (COALESCE(most_per_change, most_per_day) IS NULL)),
  constraint connected_programs_limits_check CHECK (LEAST(most_per_change, most_per_day, most_changes_per_day::bigint) > 0),
  constraint connected_programs_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint connected_programs_spent_check CHECK (spent_minor >= 0 AND spent_changes >= 0)
);
comment on table connected_programs is 'global: programs that people connected';
CREATE INDEX connected_programs_by_organisation ON connected_programs USING btree (organisation_id, id) WHERE ended_at IS NULL;
CREATE INDEX connected_programs_by_user ON connected_programs USING btree (user_id, id) WHERE ended_at IS NULL;
CREATE INDEX connected_programs_expiring ON connected_programs USING btree (expires_at);

create table consumer_cursors (
  consumer text not null,
  organisation_id uuid not null,
  position bigint not null,
  failures integer not null default 0,
  failing_event uuid,
  reason text,
  retry_at timestamp with time zone,
  constraint consumer_cursors_pkey PRIMARY KEY (organisation_id, consumer)
);
comment on table consumer_cursors is 'organisation: the cursor of each consumer in the event log of each organisation; 0 without a row';
CREATE INDEX consumer_cursors_failing ON consumer_cursors USING btree (consumer) WHERE failures > 0;

create table consumers (
  consumer text not null,
  follows text[],
  follows_seen_at timestamp with time zone,
  constraint consumers_pkey PRIMARY KEY (consumer)
);
comment on table consumers is 'machinery: consumers of the event log, with the event types that their workers follow';

create table credit_balances (
  organisation_id uuid not null,
  mode text not null,
  available bigint not null default 0,
  held bigint not null default 0,
  spent bigint not null default 0,
  lent bigint not null default 0,
  owed bigint not null default 0,
  issued bigint not null default 0,
  version bigint not null default 0,
  opened_at timestamp with time zone not null,
  low_balance_threshold bigint not null default 0,
  constraint credit_balances_pkey PRIMARY KEY (organisation_id, mode),
  constraint credit_balances_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint credit_books_balance CHECK ((available + held + spent + lent) = (issued + owed) AND LEAST(available, held, spent, lent, owed) >= 0)
);
comment on table credit_balances is 'tenant: the balances of its credits';

create table credit_moves (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  seq bigint not null,
  type text not null,
  from_place text not null,
  to_place text not null,
  amount bigint not null,
  action text,
  cause text not null,
  available_after bigint not null,
  created_at timestamp with time zone not null,
  constraint credit_moves_pkey PRIMARY KEY (organisation_id, mode, seq)
);
comment on table credit_moves is 'tenant: the ledger of credits, append-only';
CREATE INDEX credit_moves_by_time ON credit_moves USING btree (organisation_id, mode, created_at);
CREATE UNIQUE INDEX credit_moves_cause ON credit_moves USING btree (organisation_id, mode, type, cause);
CREATE TRIGGER credit_moves_are_append_only BEFORE DELETE OR UPDATE ON credit_moves FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_credit_moves();

create table credit_pool_configs (
  organisation_id uuid not null,
  primary_covers_secondary boolean not null,
  fallback_to_primary boolean not null,
  minimum_reserve bigint not null,
  updated_at timestamp with time zone not null,
  constraint credit_pool_configs_pkey PRIMARY KEY (organisation_id),
  constraint credit_pool_configs_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint credit_pool_configs_minimum_reserve_check CHECK (minimum_reserve >= 0)
);
comment on table credit_pool_configs is 'organisation: whether a parent pays for its children';

create table event_counts (
  organisation_id uuid not null,
  span text not null,
  since date not null,
  type text not null,
  actor_id uuid not null,
  id_month date not null,
  n bigint not null,
  first_id uuid not null,
  last_id uuid not null,
  constraint event_counts_pkey PRIMARY KEY (organisation_id, span, since, type, actor_id, id_month),
  constraint event_counts_span_check CHECK (span = ANY (ARRAY['day'::text, 'month'::text]))
);
comment on table event_counts is 'organisation: how many events there are, for totals of the audit log';
CREATE INDEX event_counts_of_partition ON event_counts USING btree (id_month);

create table event_cursors (
  consumer text not null,
  era smallint not null,
  xid xid8 not null,
  seq bigint not null,
  from_id uuid not null,
  failures integer not null default 0,
  failing_event uuid,
  reason text,
  retry_at timestamp with time zone,
  moved_at timestamp with time zone not null default now(),
  follows text[],
  follows_seen_at timestamp with time zone,
  constraint event_cursors_pkey PRIMARY KEY (consumer)
);
comment on table event_cursors is 'machinery: the cursor of each consumer in the event log';

create table event_era (
  only_row boolean not null default true,
  era smallint not null,
  constraint event_era_pkey PRIMARY KEY (only_row),
  constraint event_era_only_row_check CHECK (only_row)
);
comment on table event_era is 'machinery: the current era; transaction ids order the events within an era';

create table event_heads (
  organisation_id uuid not null,
  position bigint not null,
  constraint event_heads_pkey PRIMARY KEY (organisation_id)
);
comment on table event_heads is 'organisation: the last position in its event log';

create table events (
  organisation_id uuid not null,
  id uuid not null,
  era smallint not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null default nextval('events_seq'::regclass),
  mode text,
  type text not null,
  version smallint not null default 1,
  object_id text not null,
  object_version bigint,
  data jsonb not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  address text not null,
  user_agent text not null,
  request_id text not null,
  created_at timestamp with time zone not null,
  position bigint not null,
  constraint events_pkey PRIMARY KEY (organisation_id, id)
) partition by RANGE (id);
comment on table events is 'organisation: the event log, for webhooks and the audit log';
comment on column events.version is 'version of the payload''s shape, for each type';
comment on column events.object_version is 'version of the object that the event describes; null if objects of its kind have no versions';
comment on column events.position is 'place in the log of its organisation: 1, 2, 3 without gaps';
CREATE INDEX events_about_object ON ONLY events USING btree (organisation_id, object_id, id);
CREATE INDEX events_as_written ON ONLY events USING btree (seq);
CREATE INDEX events_by_actor ON ONLY events USING btree (organisation_id, actor_id, id) WHERE actor_id IS NOT NULL;
CREATE INDEX events_of_organisation_by_position ON ONLY events USING btree (organisation_id, "position");
CREATE INDEX events_of_type ON ONLY events USING btree (organisation_id, type, id);
CREATE TRIGGER events_are_append_only BEFORE DELETE OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_events();
CREATE TRIGGER events_are_numbered BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION number_event();

create table exchange_rates (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  day date not null,
  rate numeric not null,
  minor_rate numeric not null,
  updated_at timestamp with time zone not null,
  constraint exchange_rates_pkey PRIMARY KEY (organisation_id, mode, currency, day),
  constraint exchange_rates_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint exchange_rates_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint exchange_rates_rate_check CHECK (rate > 0::numeric AND minor_rate > 0::numeric)
);
comment on table exchange_rates is 'tenant: what a foreign currency was worth on a day, in the home currency';

create table exchanges (
  id uuid not null,
  name text not null,
  organisation_id uuid,
  mode text,
  caller jsonb not null,
  intent jsonb not null,
  started_at timestamp with time zone not null default now(),
  abandoned_after timestamp with time zone not null,
  settled_at timestamp with time zone,
  outcome text,
  reason text,
  late_at timestamp with time zone,
  constraint exchanges_pkey PRIMARY KEY (id),
  constraint exchanges_check CHECK ((settled_at IS NULL) = (outcome IS NULL)),
  constraint exchanges_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint exchanges_outcome_check CHECK (outcome = ANY (ARRAY['answered'::text, 'unknown'::text]))
);
comment on table exchanges is 'machinery: calls to outside parties, and their outcomes for 30 days';
CREATE INDEX exchanges_abandoned ON exchanges USING btree (abandoned_after) WHERE settled_at IS NULL;
CREATE INDEX exchanges_settled ON exchanges USING btree (settled_at) WHERE settled_at IS NOT NULL;

create table failing_items (
  problem text not null,
  item text not null,
  organisation_id uuid,
  mode text,
  reason text not null,
  failures integer not null default 1,
  first_at timestamp with time zone not null default now(),
  last_at timestamp with time zone not null default now(),
  constraint failing_items_pkey PRIMARY KEY (problem, item),
  constraint failing_items_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table failing_items is 'machinery: items that background jobs fail on at present';
CREATE INDEX failing_items_by_time ON failing_items USING btree (last_at);

create table free_credit_claims (
  claim text not null,
  organisation_id uuid not null,
  claimed_at timestamp with time zone not null,
  constraint free_credit_claims_pkey PRIMARY KEY (claim),
  constraint free_credit_claims_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table free_credit_claims is 'global: persons and businesses that have received the credits of the free plan';

create table idempotency_keys (
  organisation_id uuid not null,
  mode text not null,
  key text not null,
  target text not null,
  body_mac text not null,
  exchange_id uuid,
  status smallint,
  headers jsonb,
  sealed_body text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  said jsonb,
  sealed_output text,
  answer bytea,
  constraint idempotency_keys_pkey PRIMARY KEY (organisation_id, mode, key, target)
);
comment on table idempotency_keys is 'tenant: the first reply to each Idempotency-Key, for 24 hours';
CREATE INDEX idempotency_keys_expiry ON idempotency_keys USING btree (expires_at);
CREATE INDEX idempotency_keys_open ON idempotency_keys USING btree (exchange_id) WHERE status IS NULL;

create table import_records (
  organisation_id uuid not null,
  mode text not null,
  import_id uuid not null,
  row_number integer not null,
  line_rows integer[] not null,
  body jsonb not null,
  label text not null,
  status text not null,
  object_id uuid,
  faults jsonb not null,
  constraint import_records_pkey PRIMARY KEY (organisation_id, mode, import_id, row_number),
  constraint import_records_organisation_id_mode_import_id_fkey FOREIGN KEY (organisation_id, mode, import_id) REFERENCES imports(organisation_id, mode, id) ON DELETE CASCADE,
  constraint import_records_status_check CHECK (status = ANY (ARRAY['unchecked'::text, 'ready'::text, 'faulty'::text, 'made'::text, 'undone'::text, 'kept'::text]))
);
comment on table import_records is 'tenant: the records of an import, with their problems';

create table imports (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  status text not null,
  columns jsonb not null,
  asked_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  stored_bytes bigint not null default 0,
  constraint imports_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint imports_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint imports_kind_check CHECK (kind = ANY (ARRAY['buyers'::text, 'items'::text, 'invoices'::text])),
  constraint imports_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint imports_status_check CHECK (status = ANY (ARRAY['checking'::text, 'checked'::text, 'running'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'stopped'::text]))
);
comment on table imports is 'tenant: files of buyers, items and invoices, and their progress';
CREATE INDEX imports_by_age ON imports USING btree (created_at);

create table invitations (
  organisation_id uuid not null,
  id uuid not null,
  email text not null,
  full_name text not null,
  role_id uuid not null,
  custom_role_id uuid generated always as (
CASE
    WHEN role_id::text ~~ '00000000-%'::text THEN NULL::uuid
    ELSE role_id
END) stored,
  extra_capabilities text[] not null default '{}'::text[],
  message text,
  code_mac text not null,
  code_hash text not null,
  status text not null default 'pending'::text,
  invited_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (organisation_id, id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint invitations_organisation_id_custom_role_id_fkey FOREIGN KEY (organisation_id, custom_role_id) REFERENCES roles(organisation_id, id),
  constraint invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint invitations_status_check CHECK (status = ANY (ARRAY['pending'::text, 'accepted'::text, 'withdrawn'::text, 'expired'::text]))
);
comment on table invitations is 'organisation: offers to become a member';
CREATE INDEX invitations_by_code ON invitations USING btree (lower(email), code_mac) WHERE status = 'pending'::text;
CREATE INDEX invitations_expiring ON invitations USING btree (expires_at) WHERE status = 'pending'::text;
CREATE UNIQUE INDEX invitations_one_pending ON invitations USING btree (organisation_id, lower(email)) WHERE status = 'pending'::text;

create table invoice_codes (
  organisation_id uuid not null,
  mode text not null,
  type text not null,
  code text not null,
  uses bigint not null,
  last_used_at timestamp with time zone not null,
  description text,
  reads_runs boolean not null,
  constraint invoice_codes_pkey PRIMARY KEY (organisation_id, mode, type, code),
  constraint invoice_codes_type_check CHECK (type = ANY (ARRAY['goods'::text, 'service'::text]))
);
comment on table invoice_codes is 'tenant: codes that invoice lines contain, and how often';
comment on column invoice_codes.reads_runs is 'the writer''s confirmation that it counts an entry for several lines as several uses';

create table invoice_counts (
  organisation_id uuid not null,
  mode text not null,
  kind text not null,
  key text not null,
  week integer not null,
  n bigint not null,
  constraint invoice_counts_pkey PRIMARY KEY (organisation_id, mode, kind, key, week)
);
comment on table invoice_counts is 'tenant: how many invoices the lists contain, by kind';

create table invoice_items (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  item_id uuid not null,
  constraint invoice_items_pkey PRIMARY KEY (organisation_id, mode, invoice_id, item_id),
  constraint invoice_items_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id) ON DELETE CASCADE,
  constraint invoice_items_organisation_id_mode_item_id_fkey FOREIGN KEY (organisation_id, mode, item_id) REFERENCES items(organisation_id, mode, id)
);
comment on table invoice_items is 'tenant: saved items that invoice lines were made from';
CREATE INDEX invoice_items_by_item ON invoice_items USING btree (organisation_id, mode, item_id);

create table invoice_listing (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  created_at timestamp with time zone not null,
  facets integer not null,
  issue_date date not null,
  due_date date,
  payable_minor bigint not null,
  tax_minor bigint not null,
  buyer_id uuid,
  seller_id uuid,
  created_by uuid,
  party_id uuid,
  number_key text not null,
  reference_key text,
  codes text[] not null,
  net_minor bigint not null,
  paid_minor bigint not null,
  due_minor bigint not null,
  later_instalments jsonb,
  constraint invoice_listing_pkey PRIMARY KEY (organisation_id, mode, id)
);
comment on table invoice_listing is 'tenant: filter, sort and search values of invoices, updated after the invoices';
CREATE INDEX invoice_listing_buyer ON invoice_listing USING btree (organisation_id, mode, buyer_id, created_at, id) WITH (deduplicate_items=off) WHERE buyer_id IS NOT NULL;
CREATE INDEX invoice_listing_created ON invoice_listing USING btree (organisation_id, mode, created_at, id) INCLUDE (facets, issue_date, due_date, payable_minor) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_creator ON invoice_listing USING btree (organisation_id, mode, created_by, created_at, id) WITH (deduplicate_items=off) WHERE created_by IS NOT NULL;
CREATE INDEX invoice_listing_due_issued ON invoice_listing USING btree (organisation_id, mode, due_date, issue_date, created_at, id) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_facets ON invoice_listing USING btree (organisation_id, mode, facets, created_at, id) INCLUDE (due_date) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_issued ON invoice_listing USING btree (organisation_id, mode, issue_date, created_at, id) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_number ON invoice_listing USING btree (organisation_id, mode, number_key, created_at, id) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_party ON invoice_listing USING btree (organisation_id, mode, party_id, created_at, id) WITH (deduplicate_items=off) WHERE party_id IS NOT NULL;
CREATE INDEX invoice_listing_payable ON invoice_listing USING btree (organisation_id, mode, payable_minor, created_at, id) WITH (deduplicate_items=off);
CREATE INDEX invoice_listing_reference ON invoice_listing USING btree (organisation_id, mode, reference_key, created_at, id) WITH (deduplicate_items=off) WHERE reference_key IS NOT NULL;
CREATE INDEX invoice_listing_seller ON invoice_listing USING btree (organisation_id, mode, seller_id, created_at, id) WITH (deduplicate_items=off) WHERE seller_id IS NOT NULL;
CREATE INDEX invoice_listing_tax ON invoice_listing USING btree (organisation_id, mode, tax_minor, created_at, id) WITH (deduplicate_items=off);

create table invoice_numbers (
  organisation_id uuid not null,
  mode text not null,
  reading text not null,
  invoice_id uuid not null,
  constraint invoice_numbers_pkey PRIMARY KEY (organisation_id, mode, reading)
);
comment on table invoice_numbers is 'tenant: numbers that documents have or had, each used once';

create table invoice_parties (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  search text not null,
  search_keys integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  constraint invoice_parties_pkey PRIMARY KEY (organisation_id, mode, id)
);
comment on table invoice_parties is 'tenant: buyers as issued invoices show them';
CREATE INDEX invoice_parties_search ON invoice_parties USING gin (search_keys) WITH (fastupdate=off);

create table invoice_payments (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_minor bigint not null,
  paid_on date not null,
  method text,
  reference text,
  recorded_by_type text not null,
  recorded_by uuid,
  recorded_at timestamp with time zone not null,
  reversed_at timestamp with time zone,
  received_payment_id uuid,
  from_credit boolean not null default false,
  constraint invoice_payments_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint invoice_payments_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id) ON DELETE CASCADE,
  constraint invoice_payments_amount_minor_check CHECK (amount_minor > 0)
);
comment on table invoice_payments is 'tenant: recorded payments of invoices, reversed ones included';
CREATE INDEX invoice_payments_by_invoice ON invoice_payments USING btree (organisation_id, mode, invoice_id, recorded_at);
CREATE TRIGGER new_payments_on_buyer_accounts AFTER INSERT ON invoice_payments FOR EACH ROW EXECUTE FUNCTION keep_buyer_account_of_payment();
CREATE TRIGGER reversed_payments_on_buyer_accounts AFTER UPDATE ON invoice_payments FOR EACH ROW WHEN (old.reversed_at IS NULL AND new.reversed_at IS NOT NULL) EXECUTE FUNCTION keep_buyer_account_of_payment();

create table invoice_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  constraint invoice_share_tokens_pkey PRIMARY KEY (token_hash),
  constraint invoice_share_tokens_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table invoice_share_tokens is 'global: the share link and organisation of each token';

create table invoice_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  token_hash text not null,
  sealed_token text not null,
  shared_at timestamp with time zone not null,
  constraint invoice_shares_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint invoice_shares_organisation_id_mode_invoice_id_key UNIQUE (organisation_id, mode, invoice_id),
  constraint invoice_shares_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id)
);
comment on table invoice_shares is 'tenant: share links to invoices';

create table invoice_sums (
  organisation_id uuid not null,
  mode text not null,
  span text not null,
  since date not null,
  facets integer not null,
  n bigint not null,
  net_minor numeric not null,
  tax_minor numeric not null,
  payable_minor numeric not null,
  paid_minor numeric not null,
  constraint invoice_sums_pkey PRIMARY KEY (organisation_id, mode, span, since, facets),
  constraint invoice_sums_span_check CHECK ((span = ANY (ARRAY['day'::text, 'month'::text, 'due'::text])) OR span ~ '^due after \d{4}-\d\d-\d\d$'::text)
);
comment on table invoice_sums is 'tenant: sums of listed invoices by day and month of issue, and unpaid amounts by due date';

create table invoices (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  number text not null,
  type text not null,
  kind text not null,
  status text not null default 'draft'::text,
  seller_id uuid,
  buyer_id uuid,
  issue_date date not null,
  issue_time time(0) without time zone,
  due_date date,
  currency text not null,
  lines json not null,
  tax_groups json not null,
  net_minor bigint not null,
  allowance_minor bigint not null,
  charge_minor bigint not null,
  tax_minor bigint not null,
  rounding_minor bigint not null default 0,
  payable_minor bigint not null,
  paid_minor bigint not null default 0,
  credited_minor bigint not null default 0,
  declared_payment_status text,
  payment_terms text,
  notes text,
  purchase_order_reference text,
  buyer_reference text,
  accounting_cost text,
  original_id uuid,
  reason text,
  seller_copy jsonb,
  buyer_copy jsonb,
  authority_reference text,
  stamp text,
  delivery text not null default 'none'::text,
  finalised_at timestamp with time zone,
  submitted_at timestamp with time zone,
  sent_at timestamp with time zone,
  shared_at timestamp with time zone,
  created_by_type text not null,
  created_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer not null default 1,
  letterhead_copy jsonb,
  supply_date date,
  report_due_at timestamp with time zone,
  reported_at timestamp with time zone,
  report_told_at timestamp with time zone,
  codes_at_creation json,
  contract_reference text,
  instalments json,
  quote_reference text,
  exchange_rate text,
  home_tax jsonb,
  period_start date,
  period_end date,
  constraint invoices_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint invoices_organisation_id_mode_original_id_fkey FOREIGN KEY (organisation_id, mode, original_id) REFERENCES invoices(organisation_id, mode, id)
);
comment on table invoices is 'tenant: invoices, credit notes and debit notes, with their lines';
CREATE INDEX invoices_of_original ON invoices USING btree (organisation_id, mode, original_id) WHERE original_id IS NOT NULL;
CREATE INDEX invoices_report_due ON invoices USING btree (report_due_at) WHERE report_due_at IS NOT NULL AND reported_at IS NULL;
CREATE INDEX invoices_to_report ON invoices USING btree (organisation_id, mode, report_due_at) WHERE report_due_at IS NOT NULL AND reported_at IS NULL;
CREATE INDEX invoices_without_stamp ON invoices USING btree (organisation_id, mode, id) WHERE authority_reference IS NOT NULL AND stamp IS NULL;
CREATE TRIGGER accepted_invoices_in_tax_returns AFTER UPDATE ON invoices FOR EACH ROW WHEN ((old.status = ANY (ARRAY['accepted'::text, 'cancellation_pending'::text, 'cancelled'::text])) <> (new.status = ANY (ARRAY['accepted'::text, 'cancellation_pending'::text, 'cancelled'::text]))) EXECUTE FUNCTION keep_tax_moves_of_invoice();
CREATE TRIGGER changed_invoices_on_buyer_accounts AFTER UPDATE ON invoices FOR EACH ROW WHEN ((old.status = ANY (ARRAY['draft'::text, 'rejected'::text])) <> (new.status = ANY (ARRAY['draft'::text, 'rejected'::text])) OR old.declared_payment_status = 'paid'::text OR new.declared_payment_status = 'paid'::text OR new.paid_minor <> 0 AND (old.buyer_id IS DISTINCT FROM new.buyer_id OR old.currency <> new.currency)) EXECUTE FUNCTION keep_buyer_account_of_invoice();
CREATE TRIGGER invoices_release_their_account BEFORE DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION release_account_of_invoice();
CREATE TRIGGER invoices_stay_right BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_documents_right();
CREATE TRIGGER issued_invoices_stay BEFORE DELETE ON invoices FOR EACH ROW WHEN (old.status <> 'draft'::text) EXECUTE FUNCTION refuse_to_rewrite_issued();
CREATE TRIGGER new_invoices_in_tax_returns AFTER INSERT ON invoices FOR EACH ROW WHEN (new.status = ANY (ARRAY['accepted'::text, 'cancellation_pending'::text, 'cancelled'::text])) EXECUTE FUNCTION keep_tax_moves_of_invoice();
CREATE TRIGGER new_invoices_on_buyer_accounts AFTER INSERT ON invoices FOR EACH ROW WHEN (new.status <> 'draft'::text) EXECUTE FUNCTION keep_buyer_account_of_invoice();

create table issued_parties (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  buyer_id uuid,
  seller_id uuid,
  logo_hash text,
  constraint issued_parties_pkey PRIMARY KEY (organisation_id, mode, invoice_id),
  constraint issued_parties_organisation_id_logo_hash_fkey FOREIGN KEY (organisation_id, logo_hash) REFERENCES logos(organisation_id, hash),
  constraint issued_parties_organisation_id_mode_buyer_id_fkey FOREIGN KEY (organisation_id, mode, buyer_id) REFERENCES buyers(organisation_id, mode, id),
  constraint issued_parties_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id),
  constraint issued_parties_organisation_id_seller_id_fkey FOREIGN KEY (organisation_id, seller_id) REFERENCES sellers(organisation_id, id)
);
comment on table issued_parties is 'tenant: parties on issued invoices, which cannot be deleted';
CREATE INDEX issued_parties_by_buyer ON issued_parties USING btree (organisation_id, mode, buyer_id) WHERE buyer_id IS NOT NULL;
CREATE INDEX issued_parties_by_logo ON issued_parties USING btree (organisation_id, logo_hash) WHERE logo_hash IS NOT NULL;
CREATE INDEX issued_parties_by_seller ON issued_parties USING btree (organisation_id, seller_id) WHERE seller_id IS NOT NULL;

create table items (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  description text,
  item_type text not null,
  hsn_code text,
  service_code text,
  product_category text not null,
  unit_code text not null,
  unit_price_minor numeric(18,2) not null,
  currency text not null,
  tax_category text not null,
  sku text,
  search text not null,
  search_keys integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  use_count bigint not null default 0,
  last_used_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint items_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint items_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint items_check CHECK ((item_type = 'goods'::text) = (hsn_code IS NOT NULL)),
  constraint items_check1 CHECK ((item_type = 'service'::text) = (service_code IS NOT NULL)),
  constraint items_item_type_check CHECK (item_type = ANY (ARRAY['goods'::text, 'service'::text])),
  constraint items_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint items_unit_price_minor_check CHECK (unit_price_minor >= 0::numeric AND unit_price_minor <= '100000000000000'::bigint::numeric)
);
comment on table items is 'tenant: goods and services that it sells repeatedly';
CREATE INDEX items_by_last_use ON items USING btree (organisation_id, mode, last_used_at DESC NULLS LAST, id) WHERE archived_at IS NULL;
CREATE INDEX items_by_name ON items USING btree (organisation_id, mode, lower(name), id) WHERE archived_at IS NULL;
CREATE INDEX items_by_use ON items USING btree (organisation_id, mode, use_count DESC, id) WHERE archived_at IS NULL;
CREATE INDEX items_search ON items USING gin (search_keys) WITH (fastupdate=off);
CREATE UNIQUE INDEX items_sku ON items USING btree (organisation_id, mode, sku) WHERE archived_at IS NULL AND sku IS NOT NULL;

create table jobs (
  id uuid not null,
  queue text not null,
  organisation_id uuid not null,
  job text not null,
  key text,
  payload jsonb not null,
  due_at timestamp with time zone not null,
  attempts smallint not null default 0,
  taken_by uuid,
  is_wanted_again boolean not null default false,
  given_up_at timestamp with time zone,
  reason text,
  created_at timestamp with time zone not null default now(),
  constraint jobs_pkey PRIMARY KEY (id)
);
comment on table jobs is 'machinery: jobs that wait or run';
CREATE INDEX jobs_due ON jobs USING btree (queue, organisation_id, due_at) WHERE given_up_at IS NULL;
CREATE UNIQUE INDEX jobs_keys ON jobs USING btree (job, key) WHERE key IS NOT NULL AND given_up_at IS NULL;

create table known_devices (
  user_id uuid not null,
  device_mac text not null,
  first_seen_at timestamp with time zone not null,
  network_mac text not null default ''::text,
  last_seen_at timestamp with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (user_id, device_mac),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table known_devices is 'global: devices that a person has signed in from';

create table letterheads (
  organisation_id uuid not null,
  bank jsonb,
  updated_at timestamp with time zone not null,
  logo_hash text,
  constraint letterheads_pkey PRIMARY KEY (organisation_id),
  constraint letterheads_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint letterheads_organisation_id_logo_hash_fkey FOREIGN KEY (organisation_id, logo_hash) REFERENCES logos(organisation_id, hash)
);
comment on table letterheads is 'organisation: logo and bank details on its documents';

create table logos (
  organisation_id uuid not null,
  hash text not null,
  content_type text not null,
  bytes bytea not null,
  replaced_at timestamp with time zone,
  constraint logos_pkey PRIMARY KEY (organisation_id, hash),
  constraint logos_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table logos is 'organisation: logos on its documents, by hash';
CREATE INDEX logos_replaced ON logos USING btree (replaced_at) WHERE replaced_at IS NOT NULL;

create table mailbox (
  id uuid not null,
  channel text not null,
  recipient text not null,
  created_at timestamp with time zone not null,
  sealed_body text not null,
  constraint mailbox_pkey PRIMARY KEY (id),
  constraint mailbox_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text]))
);
comment on table mailbox is 'global: mails that would have been sent if a mail server were configured';
CREATE INDEX mailbox_by_recipient ON mailbox USING btree (lower(recipient), created_at DESC);

create table memberships (
  organisation_id uuid not null,
  user_id uuid not null,
  role_id uuid not null,
  custom_role_id uuid generated always as (
CASE
    WHEN role_id::text ~~ '00000000-%'::text THEN NULL::uuid
    ELSE role_id
END) stored,
  extra_capabilities text[] not null default '{}'::text[],
  status text not null default 'active'::text,
  status_reason text,
  epoch integer not null default 1,
  joined_at timestamp with time zone not null,
  constraint memberships_pkey PRIMARY KEY (organisation_id, user_id),
  constraint memberships_organisation_id_custom_role_id_fkey FOREIGN KEY (organisation_id, custom_role_id) REFERENCES roles(organisation_id, id),
  constraint memberships_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint memberships_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text, 'deactivated'::text]))
);
comment on table memberships is 'organisation: its members and their roles';
CREATE INDEX memberships_by_custom_role ON memberships USING btree (organisation_id, custom_role_id) WHERE custom_role_id IS NOT NULL;
CREATE INDEX memberships_by_user ON memberships USING btree (user_id, joined_at);

create table messages (
  id uuid not null,
  cause text not null,
  channel text not null,
  recipient text not null,
  sealed_body text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  open_attempts integer not null default 0,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_cause_key UNIQUE (cause),
  constraint messages_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text])),
  constraint messages_check CHECK ((sealed_body IS NULL) = (sent_at IS NOT NULL))
);
comment on table messages is 'global: mails and text messages to people, one per cause';
CREATE INDEX messages_waiting ON messages USING btree (created_at) WHERE sent_at IS NULL;

create table network_lookups (
  country text not null,
  mode text not null,
  tax_id_normal text not null,
  reachable boolean not null,
  provider text,
  checked_at timestamp with time zone not null,
  constraint network_lookups_pkey PRIMARY KEY (country, mode, tax_id_normal),
  constraint network_lookups_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table network_lookups is 'global: which tax numbers the authority''s network reaches';
CREATE INDEX network_lookups_by_age ON network_lookups USING btree (checked_at);

create table number_series (
  organisation_id uuid not null,
  mode text not null,
  series text not null,
  next_number bigint not null,
  constraint number_series_pkey PRIMARY KEY (organisation_id, mode, series),
  constraint number_series_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table number_series is 'tenant: the next number of each series of documents';

create table one_time_codes (
  id uuid not null,
  user_id uuid not null,
  purpose text not null,
  code_mac text not null,
  attempts_left smallint not null,
  claims jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  subject text not null default ''::text,
  network_mac text not null default ''::text,
  attempts_left_elsewhere smallint not null default 5,
  constraint one_time_codes_pkey PRIMARY KEY (id),
  constraint one_time_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint one_time_codes_attempts_left_check CHECK (attempts_left >= 0),
  constraint one_time_codes_attempts_left_elsewhere_check CHECK (attempts_left_elsewhere >= 0),
  constraint one_time_codes_purpose_check CHECK (purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text, 'verify_phone'::text, 'verify_organisation_phone'::text]))
);
comment on table one_time_codes is 'global: codes that prove an address, each usable once';
CREATE UNIQUE INDEX one_time_codes_open ON one_time_codes USING btree (user_id, purpose, subject) WHERE used_at IS NULL;

create table organisations (
  id uuid not null,
  parent_id uuid,
  name text not null,
  country text not null,
  contact_email text,
  website text,
  address jsonb,
  tax_number text,
  phone text,
  phone_verified_at timestamp with time zone,
  onboarded_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  tax_number_verified_at timestamp with time zone,
  parted_from uuid,
  parted_at timestamp with time zone,
  founded_by uuid,
  constraint organisations_pkey PRIMARY KEY (id),
  constraint organisations_founded_by_fkey FOREIGN KEY (founded_by) REFERENCES users(id),
  constraint organisations_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES organisations(id),
  constraint organisations_parted_from_fkey FOREIGN KEY (parted_from) REFERENCES organisations(id),
  constraint organisations_check CHECK (parent_id <> id),
  constraint organisations_country_check CHECK (country ~ '^[A-Z]{2}$'::text),
  constraint organisations_parted CHECK ((parted_from IS NULL) = (parted_at IS NULL) AND (parent_id IS NULL OR parted_from IS NULL))
);
comment on table organisations is 'global: the businesses that signed up';
CREATE INDEX organisations_by_parent ON organisations USING btree (parent_id, created_at) WHERE parent_id IS NOT NULL;

create table payments (
  organisation_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null,
  provider text not null,
  handle text,
  amount_minor bigint not null,
  currency text not null,
  refunded_minor bigint not null default 0,
  description text not null,
  email text not null,
  package_id text,
  subscription_id uuid,
  period integer,
  credits bigint not null default 0,
  granted_credits bigint not null default 0,
  checkout_url text,
  expires_at timestamp with time zone not null,
  look_at timestamp with time zone,
  looks integer not null default 0,
  version integer not null default 1,
  created_by uuid,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint payments_pkey PRIMARY KEY (organisation_id, id),
  constraint payments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint payments_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES billing_accounts(organisation_id),
  constraint payments_organisation_id_subscription_id_fkey FOREIGN KEY (organisation_id, subscription_id) REFERENCES subscriptions(organisation_id, id),
  constraint payments_amount_minor_check CHECK (amount_minor > 0),
  constraint payments_check CHECK (refunded_minor >= 0 AND refunded_minor <= amount_minor),
  constraint payments_check1 CHECK (granted_credits <= credits),
  constraint payments_check2 CHECK ((kind = 'credit_purchase'::text) = (subscription_id IS NULL)),
  constraint payments_credits_check CHECK (credits >= 0),
  constraint payments_granted_credits_check CHECK (granted_credits >= 0),
  constraint payments_kind_check CHECK (kind = ANY (ARRAY['credit_purchase'::text, 'subscription'::text, 'renewal'::text])),
  constraint payments_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'expired'::text, 'partially_refunded'::text, 'refunded'::text, 'disputed'::text, 'charged_back'::text]))
);
comment on table payments is 'organisation: payments that it was asked to make, and their outcomes; always live money';
CREATE INDEX payments_by_handle ON payments USING btree (handle) WHERE handle IS NOT NULL;
CREATE INDEX payments_by_reference ON payments USING btree ((id::text));
CREATE INDEX payments_newest ON payments USING btree (organisation_id, created_at DESC, id DESC);
CREATE INDEX payments_of_subscription ON payments USING btree (organisation_id, subscription_id, period) WHERE subscription_id IS NOT NULL;
CREATE INDEX payments_to_look_at ON payments USING btree (look_at) WHERE look_at IS NOT NULL;

create table program_clients (
  client_id text not null,
  name text not null,
  redirect_uris text[] not null,
  read_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint program_clients_pkey PRIMARY KEY (client_id)
);
comment on table program_clients is 'global: programs that told us their name and addresses';
CREATE INDEX program_clients_unused ON program_clients USING btree (last_used_at);

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
  asked_address text,
  asked_user_agent text,
  poll_seconds integer,
  polled_at timestamp with time zone,
  seen_by uuid,
  status text not null,
  program_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint program_requests_pkey PRIMARY KEY (id),
  constraint program_requests_program_id_fkey FOREIGN KEY (program_id) REFERENCES connected_programs(id) ON DELETE CASCADE,
  constraint program_requests_seen_by_fkey FOREIGN KEY (seen_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint program_requests_approved_check CHECK ((status = ANY (ARRAY['approved'::text, 'taken'::text])) = (program_id IS NOT NULL)),
  constraint program_requests_device_check CHECK ((kind = 'device'::text) = (user_code_mac IS NOT NULL AND poll_seconds IS NOT NULL)),
  constraint program_requests_kind_check CHECK (kind = ANY (ARRAY['redirect'::text, 'device'::text])),
  constraint program_requests_redirect_check CHECK ((kind = 'redirect'::text) = (redirect_uri IS NOT NULL AND code_challenge IS NOT NULL)),
  constraint program_requests_status_check CHECK (status = ANY (ARRAY['open'::text, 'approved'::text, 'denied'::text, 'taken'::text]))
);
comment on table program_requests is 'global: what programs ask people to allow';
CREATE UNIQUE INDEX program_requests_by_code ON program_requests USING btree (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX program_requests_by_program ON program_requests USING btree (program_id) WHERE program_id IS NOT NULL;
CREATE UNIQUE INDEX program_requests_by_user_code ON program_requests USING btree (user_code_mac) WHERE user_code_mac IS NOT NULL;
CREATE INDEX program_requests_expiring ON program_requests USING btree (expires_at);

create table program_tokens (
  token_hash text not null,
  program_id uuid not null,
  issued_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint program_tokens_pkey PRIMARY KEY (token_hash),
  constraint program_tokens_program_id_fkey FOREIGN KEY (program_id) REFERENCES connected_programs(id) ON DELETE CASCADE
);
comment on table program_tokens is 'global: refresh tokens of programs by hash, each usable once';
CREATE INDEX program_tokens_by_program ON program_tokens USING btree (program_id);
CREATE INDEX program_tokens_used ON program_tokens USING btree (used_at) WHERE used_at IS NOT NULL;

create table provider_notifications (
  provider text not null,
  id text not null,
  type text not null,
  subject text,
  received_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  outcome text,
  constraint provider_notifications_pkey PRIMARY KEY (provider, id)
);
comment on table provider_notifications is 'global: notifications of payment providers, before their organisation is known';
CREATE INDEX provider_notifications_by_time ON provider_notifications USING btree (received_at);

create table quote_results (
  organisation_id uuid not null,
  mode text not null,
  quote_id uuid not null,
  invoice_id uuid not null,
  kind text not null,
  invoice_number text not null,
  payable_minor bigint not null,
  rest_allowance_minor bigint,
  created_at timestamp with time zone not null,
  constraint quote_results_pkey PRIMARY KEY (organisation_id, mode, quote_id, invoice_id),
  constraint quote_results_quote_fkey FOREIGN KEY (organisation_id, mode, quote_id) REFERENCES quotes(organisation_id, mode, id),
  constraint quote_results_kind_check CHECK (kind = ANY (ARRAY['invoice'::text, 'deposit'::text, 'final'::text])),
  constraint quote_results_rest_check CHECK ((kind = 'deposit'::text) = (rest_allowance_minor IS NOT NULL))
);
comment on table quote_results is 'tenant: the invoices that quotes became';

create table quote_share_tokens (
  token_hash text not null,
  organisation_id uuid not null,
  mode text not null,
  share_id uuid not null,
  constraint quote_share_tokens_pkey PRIMARY KEY (token_hash),
  constraint quote_share_tokens_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table quote_share_tokens is 'global: the link and organisation of each token of a quote';

create table quote_shares (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  quote_id uuid not null,
  token_hash text not null,
  sealed_token text not null,
  shared_at timestamp with time zone not null,
  constraint quote_shares_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint quote_shares_organisation_id_mode_quote_id_key UNIQUE (organisation_id, mode, quote_id),
  constraint quote_shares_quote_fkey FOREIGN KEY (organisation_id, mode, quote_id) REFERENCES quotes(organisation_id, mode, id)
);
comment on table quote_shares is 'tenant: public links to quotes';

create table quote_versions (
  organisation_id uuid not null,
  mode text not null,
  quote_id uuid not null,
  version_number integer not null,
  kind text not null,
  seller_id uuid,
  buyer_id uuid,
  buyer_name text,
  currency text not null,
  issue_date date not null,
  valid_until date,
  lines json not null,
  tax_groups json not null,
  net_minor bigint not null,
  allowance_minor bigint not null,
  charge_minor bigint not null,
  tax_minor bigint not null,
  payable_minor bigint not null,
  texts jsonb not null,
  seller_copy jsonb,
  buyer_copy jsonb,
  decision text,
  decided_by text,
  decided_through text,
  decided_at timestamp with time zone,
  decided_from text,
  remark text,
  created_at timestamp with time zone not null,
  constraint quote_versions_pkey PRIMARY KEY (organisation_id, mode, quote_id, version_number),
  constraint quote_versions_quote_fkey FOREIGN KEY (organisation_id, mode, quote_id) REFERENCES quotes(organisation_id, mode, id),
  constraint quote_versions_decided_check CHECK (num_nulls(decision, decided_by, decided_through, decided_at, decided_from) = ANY (ARRAY[0, 5])),
  constraint quote_versions_decision_check CHECK (decision = ANY (ARRAY['accepted'::text, 'declined'::text])),
  constraint quote_versions_sum_check CHECK (payable_minor = (net_minor - allowance_minor + charge_minor + tax_minor)),
  constraint quote_versions_through_check CHECK (decided_through = ANY (ARRAY['page'::text, 'seller'::text])),
  constraint quote_versions_valid_check CHECK (valid_until IS NULL OR valid_until >= issue_date)
);
comment on table quote_versions is 'tenant: the contents of quotes, version by version';

create table quotes (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  type text not null,
  number text not null,
  status text not null,
  current_version integer not null,
  expires_at timestamp with time zone,
  is_expiry_emitted boolean not null default false,
  search text not null,
  sent_at timestamp with time zone,
  created_by_type text not null,
  created_by uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint quotes_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint quotes_organisation_id_mode_number_key UNIQUE (organisation_id, mode, number),
  constraint quotes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint quotes_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint quotes_status_check CHECK (status = ANY (ARRAY['draft'::text, 'sent'::text, 'accepted'::text, 'declined'::text, 'converted'::text, 'cancelled'::text])),
  constraint quotes_type_check CHECK (type = ANY (ARRAY['quote'::text, 'proforma'::text]))
);
comment on table quotes is 'tenant: quotes and proforma invoices';
CREATE INDEX quotes_expiring ON quotes USING btree (expires_at, organisation_id, mode) WHERE status = 'sent'::text AND expires_at IS NOT NULL AND NOT is_expiry_emitted;
CREATE INDEX quotes_open ON quotes USING btree (organisation_id, mode) WHERE status = ANY (ARRAY['draft'::text, 'sent'::text]);

create table rate_windows (
  subject text not null,
  window_end timestamp with time zone not null,
  used integer not null,
  constraint rate_windows_pkey PRIMARY KEY (subject, window_end)
);
comment on table rate_windows is 'machinery: requests counted per subject and window';
CREATE INDEX rate_windows_past ON rate_windows USING btree (window_end);

create table received_arrivals (
  organisation_id uuid not null,
  mode text not null,
  reference text not null,
  document text not null,
  tries integer not null default 0,
  due_at timestamp with time zone not null,
  problem text,
  constraint received_arrivals_pkey PRIMARY KEY (organisation_id, mode, reference),
  constraint received_arrivals_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint received_arrivals_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table received_arrivals is 'tenant: fetched documents that are not stored yet';
CREATE INDEX received_arrivals_due ON received_arrivals USING btree (due_at);
CREATE INDEX received_arrivals_problems ON received_arrivals USING btree (mode) WHERE problem IS NOT NULL;

create table received_feeds (
  country text not null,
  mode text not null,
  access text not null,
  polled_at timestamp with time zone,
  tried_at timestamp with time zone,
  error text,
  reach_back_to timestamp with time zone,
  constraint received_feeds_pkey PRIMARY KEY (country, mode, access),
  constraint received_feeds_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table received_feeds is 'machinery: the state of each feed of received invoices';

create table received_figures (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  payment_status text not null,
  due_date date not null,
  claim_until date not null,
  count bigint not null,
  credit_notes bigint not null,
  faulty bigint not null,
  net_minor numeric not null,
  tax_minor numeric not null,
  payable_minor numeric not null,
  claimable_minor numeric not null default 0,
  constraint received_figures_pkey PRIMARY KEY (organisation_id, mode, currency, payment_status, due_date, claim_until),
  constraint received_figures_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint received_figures_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table received_figures is 'tenant: totals of received invoices';

create table received_invoices (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  reference text not null,
  repeated_as text[] not null default '{}'::text[],
  type text not null,
  type_code text not null,
  kind text,
  number text not null,
  issue_date date not null,
  due_date date,
  currency text not null,
  seller_name text,
  seller_tax_id text,
  seller_tax_id_plain text not null,
  seller_search text not null,
  seller_email text,
  seller_phone text,
  seller_city text,
  seller_country text,
  buyer_name text,
  buyer_tax_id text,
  buyer_tax_id_normal text not null,
  corrects text[] not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  payable_minor bigint not null,
  payment_status text not null,
  access_point text,
  faults jsonb not null,
  is_claimable boolean not null,
  claim_rule text not null,
  claim_message text not null,
  claim_until date,
  document text not null,
  search text not null,
  search_keys integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
  received_at timestamp with time zone not null,
  acknowledged_at timestamp with time zone,
  acknowledge_tries integer not null default 0,
  acknowledge_at timestamp with time zone not null,
  input_tax_minor bigint not null default 0,
  claimable_minor bigint not null default 0,
  possible_duplicates text[] not null default '{}'::text[],
  payment_checks integer not null default 0,
  payment_checked_at timestamp with time zone,
  payment_check_at timestamp with time zone,
  return_tax_minor bigint,
  constraint received_invoices_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint received_invoices_organisation_id_mode_reference_key UNIQUE (organisation_id, mode, reference),
  constraint received_invoices_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint received_invoices_claimable_minor_check CHECK (claimable_minor >= 0),
  constraint received_invoices_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint received_invoices_payment_status_check CHECK (payment_status = ANY (ARRAY['unpaid'::text, 'partial'::text, 'paid'::text, 'rejected'::text]))
);
comment on table received_invoices is 'tenant: invoices that suppliers sent to it';
CREATE INDEX received_invoices_amount ON received_invoices USING btree (organisation_id, mode, payable_minor, id);
CREATE INDEX received_invoices_buyer ON received_invoices USING btree (organisation_id, mode, buyer_tax_id_normal);
CREATE INDEX received_invoices_corrects ON received_invoices USING gin (corrects) WITH (fastupdate=off) WHERE corrects <> '{}'::text[];
CREATE INDEX received_invoices_issued ON received_invoices USING btree (organisation_id, mode, issue_date, id);
CREATE INDEX received_invoices_named ON received_invoices USING btree (mode, reference);
CREATE INDEX received_invoices_number ON received_invoices USING btree (organisation_id, mode, number);
CREATE UNIQUE INDEX received_invoices_once_a_day ON received_invoices USING btree (organisation_id, mode, seller_tax_id_plain, number, type, issue_date) WHERE seller_tax_id_plain <> ''::text;
CREATE INDEX received_invoices_payment_due ON received_invoices USING btree (payment_check_at) WHERE payment_check_at IS NOT NULL;
CREATE INDEX received_invoices_payment_of ON received_invoices USING btree (organisation_id, mode, payment_check_at) WHERE payment_check_at IS NOT NULL;
CREATE INDEX received_invoices_received ON received_invoices USING btree (organisation_id, mode, received_at, id);
CREATE INDEX received_invoices_repeated ON received_invoices USING gin (repeated_as) WITH (fastupdate=off) WHERE repeated_as <> '{}'::text[];
CREATE INDEX received_invoices_search ON received_invoices USING gin (search_keys) WITH (fastupdate=off);
CREATE INDEX received_invoices_unacknowledged ON received_invoices USING btree (acknowledge_at) WHERE acknowledged_at IS NULL;
CREATE TRIGGER changed_received_in_tax_returns AFTER UPDATE ON received_invoices FOR EACH ROW WHEN (old.is_claimable IS DISTINCT FROM new.is_claimable OR old.claim_rule IS DISTINCT FROM new.claim_rule OR (old.input_tax_minor > 0) IS DISTINCT FROM (new.input_tax_minor > 0) OR COALESCE(old.return_tax_minor, old.claimable_minor) IS DISTINCT FROM COALESCE(new.return_tax_minor, new.claimable_minor)) EXECUTE FUNCTION keep_tax_moves_of_received();
CREATE TRIGGER new_received_in_tax_returns AFTER INSERT ON received_invoices FOR EACH ROW EXECUTE FUNCTION keep_tax_moves_of_received();

create table received_payment_moves (
  organisation_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  seq integer not null,
  type text not null,
  from_place text not null,
  to_place text not null,
  amount_minor bigint not null,
  invoice_id uuid,
  invoice_payment_id uuid,
  refund_id uuid,
  actor_kind text not null,
  actor_id uuid,
  moved_at timestamp with time zone not null,
  buyer_id uuid,
  constraint received_payment_moves_pkey PRIMARY KEY (organisation_id, mode, payment_id, seq),
  constraint received_payment_moves_organisation_id_mode_payment_id_fkey FOREIGN KEY (organisation_id, mode, payment_id) REFERENCES received_payments(organisation_id, mode, id),
  constraint received_payment_moves_amount_minor_check CHECK (amount_minor > 0)
);
comment on table received_payment_moves is 'tenant: every move of received money, append-only';
comment on column received_payment_moves.buyer_id is 'Whose credit the money was or becomes. Null if it is about no credit, and in moves that were written before this column.';
CREATE TRIGGER received_payment_moves_are_append_only BEFORE DELETE OR UPDATE ON received_payment_moves FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_received_money();

create table received_payments (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  account_id uuid not null,
  provider text not null,
  provider_reference text not null,
  buyer_id uuid,
  currency text not null,
  amount_minor bigint not null,
  unmatched_minor bigint not null,
  credited_minor bigint not null default 0,
  applied_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  matched_at timestamp with time zone,
  reconciliation_status text not null generated always as (
CASE
    WHEN matched_at IS NULL THEN 'pending'::text
    WHEN unmatched_minor > 0 THEN 'unmatched'::text
    WHEN credited_minor > 0 THEN 'overpaid'::text
    ELSE 'applied'::text
END) stored,
  sender_name text,
  narration text,
  received_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  reversed_at timestamp with time zone,
  version integer not null default 1,
  constraint received_payments_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint received_payments_organisation_id_mode_provider_provider_re_key UNIQUE (organisation_id, mode, provider, provider_reference),
  constraint received_payments_organisation_id_mode_account_id_fkey FOREIGN KEY (organisation_id, mode, account_id) REFERENCES virtual_accounts(organisation_id, mode, id),
  constraint received_payments_organisation_id_mode_buyer_id_fkey FOREIGN KEY (organisation_id, mode, buyer_id) REFERENCES buyers(organisation_id, mode, id),
  constraint received_money_is_somewhere CHECK ((unmatched_minor + credited_minor + applied_minor + refunded_minor) = amount_minor AND LEAST(unmatched_minor, credited_minor, applied_minor, refunded_minor) >= 0),
  constraint received_payments_amount_minor_check CHECK (amount_minor > 0),
  constraint received_payments_check CHECK (credited_minor = 0 OR buyer_id IS NOT NULL)
);
comment on table received_payments is 'tenant: transfers into virtual accounts, and the four balances of each';
CREATE INDEX received_payments_by_status ON received_payments USING btree (organisation_id, mode, reconciliation_status, received_at DESC, id DESC);
CREATE INDEX received_payments_by_time ON received_payments USING btree (received_at);
CREATE INDEX received_payments_credit ON received_payments USING btree (organisation_id, mode, buyer_id, currency, received_at, id) WHERE credited_minor > 0;
CREATE INDEX received_payments_newest ON received_payments USING btree (organisation_id, mode, received_at DESC, id DESC);
CREATE INDEX received_payments_pending ON received_payments USING btree (recorded_at) WHERE matched_at IS NULL;
CREATE INDEX received_payments_unapplied ON received_payments USING btree (organisation_id, mode, buyer_id, currency) WHERE buyer_id IS NOT NULL AND (unmatched_minor + credited_minor) > 0;

create table received_references (
  country text not null,
  mode text not null,
  access text not null,
  reference text not null,
  buyer_tax_id_normal text,
  is_open boolean not null default true,
  tries integer not null default 0,
  due_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  problem text,
  constraint received_references_pkey PRIMARY KEY (country, mode, access, reference),
  constraint received_references_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table received_references is 'machinery: the documents that the feeds have listed';
CREATE INDEX received_references_buyer ON received_references USING btree (country, mode, access, buyer_tax_id_normal);
CREATE INDEX received_references_due ON received_references USING btree (country, mode, access, due_at) WHERE is_open;
CREATE INDEX received_references_problems ON received_references USING btree (country, mode) WHERE is_open AND problem IS NOT NULL;

create table received_suppliers (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  seller_tax_id_plain text not null,
  constraint received_suppliers_pkey PRIMARY KEY (organisation_id, mode, currency, seller_tax_id_plain),
  constraint received_suppliers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint received_suppliers_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table received_suppliers is 'tenant: suppliers that have sent invoices, by currency';

create table recovery_codes (
  user_id uuid not null,
  position smallint not null,
  code_mac text not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, "position"),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table recovery_codes is 'global: codes that replace the second factor, each usable once';

create table recurring_contents (
  organisation_id uuid not null,
  mode text not null,
  schedule_id uuid not null,
  from_day date not null,
  template jsonb not null,
  policy text not null,
  due_in_days integer,
  constraint recurring_contents_pkey PRIMARY KEY (organisation_id, mode, schedule_id, from_day),
  constraint recurring_contents_schedule_fkey FOREIGN KEY (organisation_id, mode, schedule_id) REFERENCES recurring_schedules(organisation_id, mode, id),
  constraint recurring_contents_policy_check CHECK (policy = ANY (ARRAY['draft'::text, 'finalise'::text, 'submit'::text, 'send'::text, 'submit_and_send'::text]))
);
comment on table recurring_contents is 'tenant: the contents of recurring invoices, and from which day they count';

create table recurring_runs (
  organisation_id uuid not null,
  mode text not null,
  schedule_id uuid not null,
  day date not null,
  number integer not null,
  outcome text not null,
  invoice_id uuid,
  invoice_number text,
  refusal text,
  message text,
  details jsonb not null,
  ran_at timestamp with time zone not null,
  waiting_since timestamp with time zone,
  is_sent_later boolean not null default false,
  constraint recurring_runs_pkey PRIMARY KEY (organisation_id, mode, schedule_id, day),
  constraint recurring_runs_schedule_fkey FOREIGN KEY (organisation_id, mode, schedule_id) REFERENCES recurring_schedules(organisation_id, mode, id),
  constraint recurring_runs_made_check CHECK ((outcome = 'made'::text) = (invoice_id IS NOT NULL)),
  constraint recurring_runs_outcome_check CHECK (outcome = ANY (ARRAY['made'::text, 'waiting'::text, 'failed'::text, 'skipped'::text, 'missed'::text])),
  constraint recurring_runs_waiting_check CHECK (outcome <> 'waiting'::text OR waiting_since IS NOT NULL)
);
comment on table recurring_runs is 'tenant: what came of each period of a recurring schedule';
CREATE INDEX recurring_runs_sent_later ON recurring_runs USING btree (organisation_id, mode, invoice_id) WHERE is_sent_later;

create table recurring_schedules (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  status text not null,
  recurrence jsonb not null,
  catch_up text not null,
  made_by jsonb not null,
  next_number integer not null,
  next_on date,
  next_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint recurring_schedules_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint recurring_schedules_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint recurring_schedules_catch_up_check CHECK (catch_up = ANY (ARRAY['all'::text, 'latest'::text, 'none'::text])),
  constraint recurring_schedules_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint recurring_schedules_status_check CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text]))
);
comment on table recurring_schedules is 'tenant: rules by which invoices are made again and again';
CREATE INDEX recurring_schedules_due ON recurring_schedules USING btree (next_at, organisation_id, mode) WHERE status = 'active'::text AND next_at IS NOT NULL;

create table refresh_tokens (
  token_hash text not null,
  session_id uuid not null,
  issued_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
comment on table refresh_tokens is 'global: refresh tokens by hash, each usable once';
CREATE INDEX refresh_tokens_by_session ON refresh_tokens USING btree (session_id);

create table registrations (
  id uuid not null,
  user_id uuid not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  organisation_name text not null,
  country text not null,
  address text not null,
  user_agent text not null,
  network_mac text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint registrations_pkey PRIMARY KEY (id),
  constraint registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint registrations_country_check CHECK (country ~ '^[A-Z]{2}$'::text)
);
comment on table registrations is 'global: registrations for an address that is not verified yet';
CREATE INDEX registrations_open ON registrations USING btree (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX registrations_past ON registrations USING btree (expires_at);

create table reminder_buyers (
  organisation_id uuid not null,
  mode text not null,
  buyer_id uuid not null,
  choice text not null,
  updated_at timestamp with time zone not null,
  since date,
  constraint reminder_buyers_pkey PRIMARY KEY (organisation_id, mode, buyer_id),
  constraint reminder_buyers_buyer_fkey FOREIGN KEY (organisation_id, mode, buyer_id) REFERENCES buyers(organisation_id, mode, id) ON DELETE CASCADE,
  constraint reminder_buyers_choice_check CHECK (choice = ANY (ARRAY['by_plan'::text, 'chosen'::text, 'never'::text]))
);
comment on table reminder_buyers is 'tenant: buyers who are chosen for reminders, and buyers who get none';

create table reminder_days (
  organisation_id uuid not null,
  mode text not null,
  buyer_id uuid not null,
  day date not null,
  constraint reminder_days_pkey PRIMARY KEY (organisation_id, mode, buyer_id, day),
  constraint reminder_days_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table reminder_days is 'tenant: the days on which a buyer was reminded';

create table reminder_holds (
  organisation_id uuid not null,
  mode text not null,
  invoice_id uuid not null,
  disputed_at timestamp with time zone,
  dispute_reason text,
  promised_on date,
  promise_remark text,
  promised_at timestamp with time zone,
  constraint reminder_holds_pkey PRIMARY KEY (organisation_id, mode, invoice_id),
  constraint reminder_holds_invoice_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id) ON DELETE CASCADE,
  constraint reminder_holds_dispute_check CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
  constraint reminder_holds_promise_check CHECK ((promised_on IS NULL) = (promised_at IS NULL))
);
comment on table reminder_holds is 'tenant: disputes and promises to pay, which stop the reminders of an invoice';

create table reminder_plans (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  is_on boolean not null,
  hour integer not null,
  buyers text not null,
  steps jsonb not null,
  next_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  everyone_since date,
  constraint reminder_plans_pkey PRIMARY KEY (organisation_id, mode),
  constraint reminder_plans_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint reminder_plans_buyers_check CHECK (buyers = ANY (ARRAY['all'::text, 'chosen'::text])),
  constraint reminder_plans_hour_check CHECK (hour >= 0 AND hour <= 23),
  constraint reminder_plans_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint reminder_plans_next_check CHECK (is_on = (next_at IS NOT NULL))
);
comment on table reminder_plans is 'tenant: when buyers are reminded of what they owe';
CREATE INDEX reminder_plans_due ON reminder_plans USING btree (next_at, organisation_id, mode) WHERE next_at IS NOT NULL;

create table request_log (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  answered_at timestamp with time zone not null,
  method text not null,
  route text,
  path text not null,
  status smallint not null,
  reason text,
  error text,
  duration_ms real not null,
  actor_type text not null,
  actor_id uuid not null,
  actor_name text not null,
  request_id text not null,
  address text not null,
  user_agent text not null,
  constraint request_log_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint request_log_actor_type_check CHECK (actor_type = ANY (ARRAY['user'::text, 'api_key'::text])),
  constraint request_log_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table request_log is 'tenant: requests of the last days with their replies, without bodies';

create table requested_changes (
  organisation_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  asked_by uuid not null,
  what text not null,
  change jsonb not null,
  code_mac text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint requested_changes_pkey PRIMARY KEY (organisation_id, id),
  constraint requested_changes_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint requested_changes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint requested_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint requested_changes_what_check CHECK (what = ANY (ARRAY['name'::text, 'phone'::text, 'second_factor'::text]))
);
comment on table requested_changes is 'organisation: changes of a person that wait for that person to confirm them';
CREATE INDEX requested_changes_of_person ON requested_changes USING btree (user_id, created_at);
CREATE UNIQUE INDEX requested_changes_open ON requested_changes USING btree (organisation_id, user_id, what) WHERE ended_at IS NULL;

create table roles (
  organisation_id uuid not null,
  id uuid not null,
  name text not null,
  display_name text not null,
  description text not null,
  capabilities text[] not null,
  epoch integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint roles_pkey PRIMARY KEY (organisation_id, id),
  constraint roles_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table roles is 'organisation: roles that it defined';
CREATE UNIQUE INDEX roles_name ON roles USING btree (organisation_id, name) WHERE deleted_at IS NULL;

create table schedule (
  job text not null,
  due_at timestamp with time zone not null,
  constraint schedule_pkey PRIMARY KEY (job)
);
comment on table schedule is 'machinery: when each scheduled job is due next';

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
comment on table schema_migrations is 'machinery: migrations that were applied';

create table secret_keys (
  key_id text not null,
  fingerprint text not null,
  first_seen_at timestamp with time zone not null default now(),
  constraint secret_keys_pkey PRIMARY KEY (key_id)
);
comment on table secret_keys is 'machinery: fingerprints of the key file''s keys';

create table sellers (
  organisation_id uuid not null,
  id uuid not null,
  is_primary boolean not null default false,
  name text not null,
  trading_name text,
  party_type text not null,
  tax_id text,
  tax_id_normal text,
  vat_number text,
  registration_number text,
  email text,
  phone text,
  website text,
  address jsonb,
  notes text,
  search text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sellers_pkey PRIMARY KEY (organisation_id, id),
  constraint sellers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint sellers_check CHECK ((tax_id IS NULL) = (tax_id_normal IS NULL)),
  constraint sellers_party_type_check CHECK (party_type = ANY (ARRAY['individual'::text, 'company'::text, 'partnership'::text, 'non_profit'::text, 'government'::text]))
);
comment on table sellers is 'organisation: the businesses in whose names it invoices';
CREATE UNIQUE INDEX sellers_primary ON sellers USING btree (organisation_id) WHERE is_primary;
CREATE INDEX sellers_search ON sellers USING gin (organisation_id, search gin_trgm_ops) WITH (fastupdate=off);
CREATE UNIQUE INDEX sellers_tax_id ON sellers USING btree (organisation_id, tax_id_normal) WHERE tax_id_normal IS NOT NULL;

create table sent_reminders (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  invoice_number text not null,
  buyer_id uuid,
  day date not null,
  step_days integer,
  recipient text not null,
  due_minor bigint not null,
  currency text not null,
  due_date date,
  sent_at timestamp with time zone not null,
  invoice_version bigint,
  not_sent_reason text,
  may_have_arrived boolean not null default false,
  constraint sent_reminders_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint sent_reminders_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id)
);
comment on table sent_reminders is 'tenant: reminders that were sent, one row for each invoice';
CREATE INDEX sent_reminders_by_buyer ON sent_reminders USING btree (organisation_id, mode, buyer_id, id) WHERE buyer_id IS NOT NULL;
CREATE INDEX sent_reminders_by_invoice ON sent_reminders USING btree (organisation_id, mode, invoice_id, day);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  organisation_id uuid,
  mode text not null,
  epoch integer not null default 1,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table sessions is 'global: sign-ins of people';
CREATE INDEX sessions_by_user ON sessions USING btree (user_id, last_used_at DESC) WHERE ended_at IS NULL;

create table set_aside_events (
  consumer text not null,
  event_id uuid not null,
  organisation_id uuid not null,
  reason text not null,
  tries integer not null,
  set_aside_at timestamp with time zone not null default now(),
  retry_at timestamp with time zone not null,
  constraint set_aside_events_pkey PRIMARY KEY (consumer, event_id)
);
comment on table set_aside_events is 'machinery: events that a consumer failed on, to be retried';
CREATE INDEX set_aside_events_of_organisation ON set_aside_events USING btree (organisation_id, consumer);

create table settlement_accounts (
  organisation_id uuid not null,
  mode text not null,
  seller_id uuid not null,
  id uuid not null,
  provider text not null,
  jurisdiction text not null,
  currency text not null,
  bank_code text not null,
  bank_network_code text,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  seller_name text not null,
  seller_type text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint settlement_accounts_pkey PRIMARY KEY (organisation_id, mode, seller_id),
  constraint settlement_accounts_organisation_id_seller_id_fkey FOREIGN KEY (organisation_id, seller_id) REFERENCES sellers(organisation_id, id),
  constraint settlement_accounts_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table settlement_accounts is 'tenant: the seller''s bank account that collected money goes to';

create table skipped_events (
  consumer text not null,
  event_id uuid not null,
  organisation_id uuid not null,
  reason text not null,
  failure text,
  skipped_at timestamp with time zone not null default now(),
  constraint skipped_events_pkey PRIMARY KEY (consumer, event_id)
);
comment on table skipped_events is 'machinery: events that an operator made a consumer skip, and why';

create table submission_attempts (
  organisation_id uuid not null,
  mode text not null,
  submission_id uuid not null,
  number integer not null,
  step text not null,
  sha256 text,
  cause text not null,
  asked_by jsonb,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  answer text,
  why text,
  told text[] not null default '{}'::text[],
  is_late boolean not null default false,
  constraint submission_attempts_pkey PRIMARY KEY (organisation_id, mode, submission_id, number),
  constraint submission_attempts_organisation_id_mode_submission_id_fkey FOREIGN KEY (organisation_id, mode, submission_id) REFERENCES submissions(organisation_id, mode, id)
);
comment on table submission_attempts is 'tenant: requests to the tax authority about a document, and the answers';

create table submissions (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  country text not null,
  reference text not null,
  payload bytea not null,
  sha256 text not null,
  goes_to_buyer boolean not null,
  cancels_invoice_id uuid,
  state text not null,
  failed_at timestamp with time zone,
  due_at timestamp with time zone,
  fence integer not null default 0,
  sends integer not null default 0,
  last_sent_at timestamp with time zone,
  absent_at timestamp with time zone,
  refused text[],
  tries integer not null default 0,
  tried_since timestamp with time zone,
  retries integer not null default 0,
  queries integer not null default 0,
  asked_by jsonb not null,
  next_cause text not null default 'submitted'::text,
  created_at timestamp with time zone not null,
  payment_told text,
  held_credits bigint not null,
  delivered_at timestamp with time zone,
  follow_up_at timestamp with time zone,
  follow_up_cause text,
  ordinal integer not null default 1,
  payment_said text not null,
  constraint submissions_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint submissions_organisation_id_mode_cancels_invoice_id_fkey FOREIGN KEY (organisation_id, mode, cancels_invoice_id) REFERENCES invoices(organisation_id, mode, id),
  constraint submissions_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id),
  constraint submissions_check CHECK (due_at IS NULL OR failed_at IS NULL AND (state <> ALL (ARRAY['accepted'::text, 'rejected'::text]))),
  constraint submissions_follow_up_cause_check CHECK (follow_up_cause = 'notified'::text),
  constraint submissions_state_check CHECK (state = ANY (ARRAY['queued'::text, 'unknown'::text, 'signed'::text, 'transmitted'::text, 'accepted'::text, 'rejected'::text]))
);
comment on table submissions is 'tenant: documents on their way to the tax authority, with the bytes that are sent';
comment on column submissions.follow_up_at is 'when to ask the authority outside the steps: soon after its callback, and less and less often while the buyer''s side does not answer';
comment on column submissions.ordinal is 'how many times the document was submitted so far, from 1';
comment on column submissions.payment_said is 'the payment status in the document itself: pending or paid';
CREATE INDEX submissions_by_invoice ON submissions USING btree (organisation_id, mode, invoice_id, created_at);
CREATE UNIQUE INDEX submissions_by_reference ON submissions USING btree (organisation_id, mode, reference) WHERE state <> 'rejected'::text;
CREATE INDEX submissions_due ON submissions USING btree (country, mode, organisation_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX submissions_failed ON submissions USING btree (country, mode) WHERE failed_at IS NOT NULL;
CREATE INDEX submissions_given_up ON submissions USING btree (organisation_id, mode) WHERE failed_at IS NOT NULL;
CREATE INDEX submissions_to_follow_up ON submissions USING btree (organisation_id, mode, follow_up_at) WHERE follow_up_at IS NOT NULL;
CREATE INDEX submissions_undelivered ON submissions USING btree (country, mode, reference) WHERE goes_to_buyer AND delivered_at IS NULL AND (state = ANY (ARRAY['unknown'::text, 'signed'::text, 'transmitted'::text, 'accepted'::text]));

create table subscription_allocations (
  organisation_id uuid not null,
  subscription_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  credits bigint not null,
  payment_id uuid not null,
  granted_at timestamp with time zone not null,
  constraint subscription_allocations_pkey PRIMARY KEY (organisation_id, subscription_id, starts_at),
  constraint subscription_allocations_organisation_id_payment_id_fkey FOREIGN KEY (organisation_id, payment_id) REFERENCES payments(organisation_id, id),
  constraint subscription_allocations_organisation_id_subscription_id_fkey FOREIGN KEY (organisation_id, subscription_id) REFERENCES subscriptions(organisation_id, id)
);
comment on table subscription_allocations is 'organisation: the monthly credits of its billing subscriptions';

create table subscription_periods (
  organisation_id uuid not null,
  subscription_id uuid not null,
  number integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  amount_minor bigint not null,
  currency text not null,
  payment_id uuid,
  paid_at timestamp with time zone,
  constraint subscription_periods_pkey PRIMARY KEY (organisation_id, subscription_id, number),
  constraint subscription_periods_organisation_id_payment_id_fkey FOREIGN KEY (organisation_id, payment_id) REFERENCES payments(organisation_id, id),
  constraint subscription_periods_organisation_id_subscription_id_fkey FOREIGN KEY (organisation_id, subscription_id) REFERENCES subscriptions(organisation_id, id),
  constraint subscription_periods_check CHECK ((payment_id IS NULL) = (paid_at IS NULL)),
  constraint subscription_periods_number_check CHECK (number > 0)
);
comment on table subscription_periods is 'organisation: billing periods and how each was paid';

create table subscriptions (
  organisation_id uuid not null,
  id uuid not null,
  plan_code text not null,
  interval text not null,
  currency text not null,
  amount_minor bigint not null,
  monthly_credits bigint not null,
  status text not null,
  end_reason text,
  cancel_at_period_end boolean not null default false,
  cancel_reason text,
  anchor_at timestamp with time zone,
  period integer not null default 0,
  next_step_at timestamp with time zone,
  next_allocation_at timestamp with time zone,
  attempts integer not null default 0,
  provider text,
  sealed_authorisation text,
  created_by uuid,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (organisation_id, id),
  constraint subscriptions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint subscriptions_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES billing_accounts(organisation_id),
  constraint subscriptions_amount_minor_check CHECK (amount_minor > 0),
  constraint subscriptions_check CHECK ((status = 'expired'::text) = (ended_at IS NOT NULL)),
  constraint subscriptions_check1 CHECK ((status = ANY (ARRAY['active'::text, 'past_due'::text])) <= (anchor_at IS NOT NULL)),
  constraint subscriptions_end_reason_check CHECK (end_reason = ANY (ARRAY['not_paid'::text, 'cancelled'::text, 'overdue'::text, 'money_returned'::text])),
  constraint subscriptions_interval_check CHECK ("interval" = ANY (ARRAY['monthly'::text, 'yearly'::text])),
  constraint subscriptions_monthly_credits_check CHECK (monthly_credits >= 0),
  constraint subscriptions_status_check CHECK (status = ANY (ARRAY['pending_payment'::text, 'active'::text, 'past_due'::text, 'expired'::text]))
);
comment on table subscriptions is 'organisation: its billing subscriptions';
CREATE INDEX subscriptions_allocating ON subscriptions USING btree (next_allocation_at) WHERE next_allocation_at IS NOT NULL;
CREATE INDEX subscriptions_due ON subscriptions USING btree (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_one_current ON subscriptions USING btree (organisation_id) WHERE status <> 'expired'::text;

create table tax_connections (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  status text not null,
  business_id uuid not null,
  service_id text not null,
  number_template text not null,
  business_name text,
  tax_id_normal text,
  sealed_credentials text,
  sealed_key_file text,
  key_file_fingerprint text,
  key_file_at timestamp with time zone,
  consent_version text,
  consented_at timestamp with time zone,
  consented_by uuid,
  problem text,
  attempt_id uuid,
  checked_at timestamp with time zone,
  connected_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  former_service_ids text[] not null default '{}'::text[],
  constraint tax_connections_pkey PRIMARY KEY (organisation_id, mode),
  constraint tax_connections_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint tax_connections_check CHECK ((sealed_key_file IS NULL) = (key_file_fingerprint IS NULL) AND (sealed_key_file IS NULL) = (key_file_at IS NULL)),
  constraint tax_connections_check1 CHECK ((consent_version IS NULL) = (consented_at IS NULL)),
  constraint tax_connections_check2 CHECK ((status = 'revoked'::text) = (revoked_at IS NOT NULL)),
  constraint tax_connections_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint tax_connections_status_check CHECK (status = ANY (ARRAY['pending'::text, 'connected'::text, 'revoked'::text]))
);
comment on table tax_connections is 'tenant: its connection to the tax authority';
CREATE INDEX tax_connections_former_service ON tax_connections USING gin (former_service_ids);
CREATE INDEX tax_connections_number ON tax_connections USING btree (mode, tax_id_normal) WHERE status = 'connected'::text;
CREATE INDEX tax_connections_service ON tax_connections USING btree (service_id);

create table tax_moves (
  organisation_id uuid not null,
  mode text not null,
  id bigint not null generated always as identity,
  period text not null,
  section text not null,
  code text not null,
  rate text not null,
  message text not null,
  cause text not null,
  document_id uuid not null,
  document_number text not null,
  document_type text not null,
  document_date date not null,
  party_name text,
  currency text not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  documents smallint not null,
  reported_in text,
  minor_rate numeric,
  home_net_minor bigint,
  home_tax_minor bigint,
  is_counted boolean,
  constraint tax_moves_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint tax_moves_cause_check CHECK (cause = ANY (ARRAY['accepted'::text, 'withdrawn'::text, 'received'::text, 'claim_changed'::text])),
  constraint tax_moves_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint tax_moves_reported_check CHECK ((reported_in IS NULL) = (minor_rate IS NULL) AND (reported_in IS NULL) = (home_net_minor IS NULL) AND (reported_in IS NULL) = (home_tax_minor IS NULL) AND (reported_in IS NULL) = (is_counted IS NULL)),
  constraint tax_moves_section_check CHECK (section = ANY (ARRAY['output'::text, 'output_notes'::text, 'input'::text, 'input_notes'::text, 'not_claimable'::text]))
);
comment on table tax_moves is 'tenant: what each document counts for in the VAT return, written by triggers';
CREATE INDEX tax_moves_of_document ON tax_moves USING btree (organisation_id, mode, document_id);
CREATE INDEX tax_moves_reported ON tax_moves USING btree (organisation_id, mode, reported_in, period) WHERE reported_in IS NOT NULL;
CREATE INDEX tax_moves_unreported ON tax_moves USING btree (organisation_id, mode, period) WHERE reported_in IS NULL;
CREATE TRIGGER reported_tax_moves_stay BEFORE DELETE OR UPDATE ON tax_moves FOR EACH ROW WHEN (old.reported_in IS NOT NULL) EXECUTE FUNCTION refuse_to_rewrite_reported_tax();

create table tax_number_checks (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  party text not null,
  party_id uuid not null,
  tax_id text not null,
  tax_id_normal text not null,
  tax_id_type text not null,
  party_name text not null,
  status text not null,
  registered_name text,
  charged boolean not null default false,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint tax_number_checks_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint tax_number_checks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint tax_number_checks_check CHECK ((status = 'pending'::text) = (ended_at IS NULL)),
  constraint tax_number_checks_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint tax_number_checks_party_check CHECK (party = ANY (ARRAY['buyer'::text, 'seller'::text])),
  constraint tax_number_checks_status_check CHECK (status = ANY (ARRAY['pending'::text, 'verified'::text, 'not_found'::text, 'name_mismatch'::text, 'unavailable'::text]))
);
comment on table tax_number_checks is 'tenant: the authority''s answers about tax numbers';
CREATE INDEX tax_number_checks_newest ON tax_number_checks USING btree (organisation_id, mode, party, party_id, started_at DESC);
CREATE UNIQUE INDEX tax_number_checks_open ON tax_number_checks USING btree (organisation_id, mode, party, party_id) WHERE status = 'pending'::text;

create table tax_reports (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  invoice_id uuid not null,
  reference text not null,
  seller_tax_id text not null,
  buyer_tax_id text not null,
  description text not null,
  currency text not null,
  report_date date not null,
  base_minor bigint not null,
  tax_minor bigint not null,
  other_taxes_minor bigint not null,
  total_minor bigint not null,
  rate text not null,
  status text not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint tax_reports_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint tax_reports_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint tax_reports_base_minor_check CHECK (base_minor >= 0),
  constraint tax_reports_check CHECK (total_minor = (base_minor + tax_minor + other_taxes_minor)),
  constraint tax_reports_check1 CHECK ((status = 'asked'::text) = (ended_at IS NULL)),
  constraint tax_reports_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint tax_reports_other_taxes_minor_check CHECK (other_taxes_minor >= 0),
  constraint tax_reports_status_check CHECK (status = ANY (ARRAY['asked'::text, 'reported'::text, 'refused'::text, 'unknown'::text])),
  constraint tax_reports_tax_minor_check CHECK (tax_minor >= 0)
);
comment on table tax_reports is 'tenant: declarations of tax, and their outcomes';

create table tax_returns (
  organisation_id uuid not null,
  mode text not null,
  period text not null,
  id uuid not null,
  currency text not null,
  output_tax_minor bigint not null,
  input_tax_minor bigint not null,
  closed_at timestamp with time zone not null,
  constraint tax_returns_pkey PRIMARY KEY (organisation_id, mode, period),
  constraint tax_returns_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint tax_returns_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table tax_returns is 'tenant: the closed periods of the VAT return, with their totals';
CREATE TRIGGER tax_returns_stay BEFORE DELETE OR UPDATE ON tax_returns FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_reported_tax();

create table tax_transport_keys (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  key_id text not null,
  public_key_pem text not null,
  sealed_private_key text not null,
  created_at timestamp with time zone not null,
  constraint tax_transport_keys_pkey PRIMARY KEY (organisation_id, mode),
  constraint tax_transport_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint tax_transport_keys_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text]))
);
comment on table tax_transport_keys is 'tenant: the key pair for the transport of its authority key file';

create table test_clock_moves (
  organisation_id uuid not null,
  id uuid not null,
  status text not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  reached_at timestamp with time zone not null,
  steps integer not null,
  happened jsonb not null,
  counted_to bigint not null,
  moved_by jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint test_clock_moves_pkey PRIMARY KEY (organisation_id, id),
  constraint test_clock_moves_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint test_clock_moves_end_check CHECK ((status = 'advancing'::text) = (ended_at IS NULL)),
  constraint test_clock_moves_forward_check CHECK (from_at <= reached_at AND reached_at <= to_at),
  constraint test_clock_moves_status_check CHECK (status = ANY (ARRAY['advancing'::text, 'ready'::text, 'stopped'::text]))
);
comment on table test_clock_moves is 'organisation: moves of the time of its sandbox';
CREATE INDEX test_clock_moves_ended ON test_clock_moves USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX test_clock_moves_under_way ON test_clock_moves USING btree (organisation_id) WHERE status = 'advancing'::text;

create table test_clocks (
  organisation_id uuid not null,
  offset_ms bigint not null,
  reached_at timestamp with time zone not null,
  next_offset_ms bigint,
  next_reached_at timestamp with time zone,
  next_from timestamp with time zone,
  moment timestamp with time zone,
  constraint test_clocks_pkey PRIMARY KEY (organisation_id),
  constraint test_clocks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint test_clocks_forward_check CHECK (offset_ms >= 0 AND COALESCE(next_offset_ms, offset_ms) >= offset_ms),
  constraint test_clocks_next_check CHECK (num_nulls(next_offset_ms, next_reached_at, next_from) = ANY (ARRAY[0, 3]))
);
comment on table test_clocks is 'organisation: how far its sandbox is ahead of the real time';

create table users (
  id uuid not null,
  email text not null,
  email_verified_at timestamp with time zone,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  phone_verified_at timestamp with time zone,
  totp_secret text,
  totp_pending text,
  totp_enabled_at timestamp with time zone,
  totp_last_step bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_check CHECK ((totp_secret IS NULL) = (totp_enabled_at IS NULL))
);
comment on table users is 'global: people, by email address';
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));

create table virtual_accounts (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  reference text not null,
  fingerprint text not null,
  kind text not null,
  state text not null,
  provider text not null,
  jurisdiction text not null,
  currency text not null,
  seller_id uuid not null,
  buyer_id uuid,
  invoice_id uuid,
  customer jsonb not null,
  account_reference text,
  method text,
  amount_minor bigint,
  limit_minor bigint,
  expires_at timestamp with time zone,
  handle text not null,
  account_number text,
  account_name text,
  bank_code text,
  bank_name text,
  created_by_type text not null,
  created_by uuid,
  created_at timestamp with time zone not null,
  deactivated_at timestamp with time zone,
  deactivation_reason text,
  callback_url text,
  callback_endpoint_id uuid,
  sub_account_code text,
  split_due_at timestamp with time zone,
  split_tries integer not null default 0,
  split_failure text,
  constraint virtual_accounts_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_reference_key UNIQUE (organisation_id, mode, reference),
  constraint virtual_accounts_organisation_id_mode_buyer_id_fkey FOREIGN KEY (organisation_id, mode, buyer_id) REFERENCES buyers(organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_callback_endpoint_id_fkey FOREIGN KEY (organisation_id, mode, callback_endpoint_id) REFERENCES webhook_endpoints(organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_invoice_id_fkey FOREIGN KEY (organisation_id, mode, invoice_id) REFERENCES invoices(organisation_id, mode, id),
  constraint virtual_accounts_organisation_id_mode_seller_id_fkey FOREIGN KEY (organisation_id, mode, seller_id) REFERENCES settlement_accounts(organisation_id, mode, seller_id),
  constraint virtual_accounts_amount_minor_check CHECK (amount_minor > 0),
  constraint virtual_accounts_callback_url_check CHECK (length(callback_url) <= 2048),
  constraint virtual_accounts_check CHECK (state = 'opening'::text OR account_number IS NOT NULL),
  constraint virtual_accounts_check1 CHECK ((state = 'deactivated'::text) = (deactivated_at IS NOT NULL)),
  constraint virtual_accounts_check2 CHECK (callback_endpoint_id IS NULL OR callback_url IS NOT NULL),
  constraint virtual_accounts_kind_check CHECK (kind = ANY (ARRAY['persistent'::text, 'dynamic'::text])),
  constraint virtual_accounts_limit_minor_check CHECK (limit_minor > 0),
  constraint virtual_accounts_state_check CHECK (state = ANY (ARRAY['opening'::text, 'active'::text, 'deactivated'::text]))
);
comment on table virtual_accounts is 'tenant: bank accounts into which buyers pay';
CREATE INDEX virtual_accounts_by_buyer ON virtual_accounts USING btree (organisation_id, mode, buyer_id) WHERE buyer_id IS NOT NULL;
CREATE INDEX virtual_accounts_by_callback ON virtual_accounts USING btree (organisation_id, mode, callback_endpoint_id) WHERE callback_endpoint_id IS NOT NULL;
CREATE INDEX virtual_accounts_by_handle ON virtual_accounts USING btree (handle);
CREATE INDEX virtual_accounts_by_invoice ON virtual_accounts USING btree (organisation_id, mode, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX virtual_accounts_by_seller ON virtual_accounts USING btree (organisation_id, mode, seller_id, provider);
CREATE INDEX virtual_accounts_newest ON virtual_accounts USING btree (organisation_id, mode, created_at DESC, id DESC);

create table webhook_batches (
  id uuid not null,
  taken_by uuid not null,
  due_at timestamp with time zone not null,
  deliveries jsonb not null,
  constraint webhook_batches_pkey PRIMARY KEY (id)
);
comment on table webhook_batches is 'machinery: deliveries that a process is sending for the first time';

create table webhook_deliveries (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  is_test boolean not null default false,
  body text not null,
  status text not null,
  is_manual boolean not null default false,
  attempts smallint not null default 0,
  failed smallint not null default 0,
  begun_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  log jsonb not null default '[]'::jsonb,
  reason text,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivering'::text, 'retrying'::text, 'delivered'::text, 'failed'::text]))
);
comment on table webhook_deliveries is 'tenant: deliveries to endpoints, with the log of every attempt';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (organisation_id, mode, id) WHERE reason IS NOT NULL;
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries USING btree (organisation_id, mode, endpoint_id, id);
CREATE INDEX webhook_deliveries_of_type ON webhook_deliveries USING btree (organisation_id, mode, type, id);

create table webhook_endpoints (
  organisation_id uuid not null,
  mode text not null,
  id uuid not null,
  dialect text not null,
  url text not null,
  description text,
  patterns text[] not null,
  capabilities text[] not null,
  plan jsonb,
  event_versions smallint not null default 1,
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until timestamp with time zone,
  failures_in_row integer not null default 0,
  disabled_at timestamp with time zone,
  disabled_cause text,
  created_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  aimed_by uuid,
  is_callback boolean not null default false,
  failing_since timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (organisation_id, mode, id),
  constraint webhook_endpoints_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  constraint webhook_endpoints_check CHECK ((disabled_at IS NULL) = (disabled_cause IS NULL)),
  constraint webhook_endpoints_check1 CHECK ((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)),
  constraint webhook_endpoints_disabled_cause_check CHECK (disabled_cause = ANY (ARRAY['manual'::text, 'failures'::text, 'gone'::text])),
  constraint webhook_endpoints_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'live'::text])),
  constraint webhook_endpoints_patterns_check CHECK (cardinality(patterns) >= 1 AND cardinality(patterns) <= 100),
  constraint webhook_endpoints_url_check CHECK (length(url) <= 2048)
);
comment on table webhook_endpoints is 'tenant: endpoints that receive events';

create table webhook_queue (
  id uuid not null,
  organisation_id uuid not null,
  mode text not null,
  endpoint_id uuid not null,
  due_at timestamp with time zone not null,
  taken_by uuid,
  constraint webhook_queue_pkey PRIMARY KEY (id)
);
comment on table webhook_queue is 'machinery: deliveries that wait for an attempt or are being retried';
CREATE INDEX webhook_queue_due ON webhook_queue USING btree (endpoint_id, due_at);

CREATE OR REPLACE FUNCTION public.add_buyer_account_move(document invoices, of_type text, minor bigint, at timestamp with time zone, of_payment uuid, dated date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last buyer_account_moves%rowtype;
  on_invoice uuid := invoice_of_document(document);
begin
  if document.buyer_id is null or minor = 0 then
    return;
  end if;
  update buyer_account_moves
     set superseded_at = greatest(at, moved_at)
   where organisation_id = document.organisation_id and mode = document.mode and invoice_id = on_invoice
     and buyer_id = document.buyer_id and currency = document.currency and superseded_at is null
  returning * into last;
  insert into buyer_account_moves (organisation_id, mode, buyer_id, currency, moved_at, type, amount_minor, document_id, document_number,
                                   document_type, document_date, invoice_id, payment_id, open_minor, due_date, instalments)
  values (document.organisation_id, document.mode, document.buyer_id, document.currency, greatest(at, last.moved_at), of_type, minor,
          document.id, document.number, document.type, dated, on_invoice, of_payment, coalesce(last.open_minor, 0) + minor,
          -- A credit note has no due date that counts: that of its invoice stays.
          case when document.id = on_invoice then document.due_date else last.due_date end,
          case when document.id = on_invoice then document.instalments else last.instalments end);
end
$function$;

CREATE OR REPLACE FUNCTION public.add_received_tax_move(document received_invoices, sign smallint, of_cause text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  side smallint := case when document.type = 'credit_note' then -1 else 1 end;
  counts boolean := case when document.type = 'credit_note' then document.input_tax_minor > 0 else document.is_claimable end;
begin
  insert into tax_moves (organisation_id, mode, period, section, code, rate, message, cause, document_id, document_number, document_type,
                         document_date, party_name, currency, net_minor, tax_minor, documents)
  values (document.organisation_id, document.mode, to_char(document.issue_date, 'YYYY-MM'),
          case when not counts then 'not_claimable' when document.type in ('credit_note', 'debit_note') then 'input_notes' else 'input' end,
          document.claim_rule, '', document.claim_message, of_cause, document.id, document.number, document.type, document.issue_date,
          document.seller_name, document.currency, sign * side * document.net_minor,
          sign * case when counts then coalesce(document.return_tax_minor, document.claimable_minor) else side * document.tax_minor end,
          sign);
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_event_era_if_needed()
 RETURNS smallint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  latest record;
begin
  select e.era, e.xid into latest from events e order by e.era desc, e.xid desc limit 1;
  if latest.era is null or latest.era < (select era from event_era) or latest.xid < pg_current_xact_id() then
    return (select era from event_era);
  end if;
  update event_era set era = latest.era + 1;
  execute format('alter table events alter column era set default %s', latest.era + 1);
  return latest.era + 1;
end $function$;

CREATE OR REPLACE FUNCTION public.counts_in_tax_return(document invoices)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select document.status in ('accepted', 'cancellation_pending', 'cancelled')
$function$;

CREATE OR REPLACE FUNCTION public.declared_as_paid(document invoices)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when document.declared_payment_status = 'paid' and document.paid_minor = 0 and document.type <> 'credit_note'
      and document.status not in ('draft', 'rejected')
      then greatest(document.payable_minor - document.credited_minor, 0)
    else 0
  end
$function$;

CREATE OR REPLACE FUNCTION public.drop_event_month(month date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '5s'
AS $function$
declare
  starts date := date_trunc('month', month);
begin
  if starts + interval '3 months' > date_trunc('month', now()) then
    raise exception 'events of two months are kept at least';
  end if;
  lock table only public.events in access exclusive mode;
  -- why: drops only months older than the retention time, with their counts
  execute format('drop table if exists public.%I', 'events_' || to_char(starts, 'YYYY_MM'));
  delete from public.event_counts where id_month = starts;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_months_elsewhen()
 RETURNS SETOF date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct date_trunc('month', at at time zone 'UTC')::date
    from public.events_elsewhen
   cross join lateral (select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as at) as made
   where at between now() - interval '1199 months' and now() + interval '23 months'
$function$;

CREATE OR REPLACE FUNCTION public.first_id_at(instant timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM instant) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE OR REPLACE FUNCTION public.gin_btree_consistent(internal, smallint, anyelement, integer, internal, internal)
 RETURNS boolean
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_btree_consistent$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_anyenum(anyenum, anyenum, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_anyenum$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_bit(bit, bit, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_bit$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_bool(boolean, boolean, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_bool$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_bpchar(character, character, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_bpchar$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_bytea(bytea, bytea, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_bytea$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_char("char", "char", smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_char$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_cidr(cidr, cidr, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_cidr$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_date(date, date, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_date$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_float4(real, real, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_float4$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_float8(double precision, double precision, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_float8$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_inet(inet, inet, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_inet$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_int2(smallint, smallint, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_int2$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_int4(integer, integer, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_int4$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_int8(bigint, bigint, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_int8$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_interval(interval, interval, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_interval$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_macaddr(macaddr, macaddr, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_macaddr$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_macaddr8(macaddr8, macaddr8, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_macaddr8$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_money(money, money, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_money$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_name(name, name, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_name$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_numeric(numeric, numeric, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_numeric$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_oid(oid, oid, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_oid$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_text(text, text, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_text$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_time(time without time zone, time without time zone, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_time$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_timestamp(timestamp without time zone, timestamp without time zone, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_timestamp$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_timestamptz(timestamp with time zone, timestamp with time zone, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_timestamptz$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_timetz(time with time zone, time with time zone, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_timetz$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_uuid(uuid, uuid, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_uuid$function$;

CREATE OR REPLACE FUNCTION public.gin_compare_prefix_varbit(bit varying, bit varying, smallint, internal)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_compare_prefix_varbit$function$;

CREATE OR REPLACE FUNCTION public.gin_enum_cmp(anyenum, anyenum)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_enum_cmp$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_anyenum(anyenum, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_anyenum$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_bit(bit, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_bit$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_bool(boolean, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_bool$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_bpchar(character, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_bpchar$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_bytea(bytea, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_bytea$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_char("char", internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_char$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_cidr(cidr, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_cidr$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_date(date, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_date$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_float4(real, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_float4$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_float8(double precision, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_float8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_inet(inet, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_inet$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_int2(smallint, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_int2$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_int4(integer, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_int4$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_int8(bigint, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_int8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_interval(interval, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_interval$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_macaddr(macaddr, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_macaddr$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_macaddr8(macaddr8, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_macaddr8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_money(money, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_money$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_name(name, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_name$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_numeric(numeric, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_numeric$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_oid(oid, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_oid$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_text(text, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_text$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_time(time without time zone, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_time$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_timestamp(timestamp without time zone, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_timestamp$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_timestamptz(timestamp with time zone, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_timestamptz$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_timetz(time with time zone, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_timetz$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_trgm(text, internal, smallint, internal, internal, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gin_extract_query_trgm$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_uuid(uuid, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_uuid$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_query_varbit(bit varying, internal, smallint, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_query_varbit$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_anyenum(anyenum, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_anyenum$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_bit(bit, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_bit$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_bool(boolean, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_bool$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_bpchar(character, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_bpchar$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_bytea(bytea, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_bytea$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_char("char", internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_char$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_cidr(cidr, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_cidr$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_date(date, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_date$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_float4(real, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_float4$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_float8(double precision, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_float8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_inet(inet, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_inet$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_int2(smallint, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_int2$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_int4(integer, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_int4$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_int8(bigint, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_int8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_interval(interval, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_interval$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_macaddr(macaddr, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_macaddr$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_macaddr8(macaddr8, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_macaddr8$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_money(money, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_money$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_name(name, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_name$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_numeric(numeric, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_numeric$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_oid(oid, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_oid$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_text(text, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_text$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_time(time without time zone, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_time$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_timestamp(timestamp without time zone, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_timestamp$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_timestamptz(timestamp with time zone, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_timestamptz$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_timetz(time with time zone, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_timetz$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_trgm(text, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gin_extract_value_trgm$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_uuid(uuid, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_uuid$function$;

CREATE OR REPLACE FUNCTION public.gin_extract_value_varbit(bit varying, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_extract_value_varbit$function$;

CREATE OR REPLACE FUNCTION public.gin_numeric_cmp(numeric, numeric)
 RETURNS integer
 LANGUAGE c
 IMMUTABLE STRICT
AS '$libdir/btree_gin', $function$gin_numeric_cmp$function$;

CREATE OR REPLACE FUNCTION public.gin_trgm_consistent(internal, smallint, text, integer, internal, internal, internal, internal)
 RETURNS boolean
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gin_trgm_consistent$function$;

CREATE OR REPLACE FUNCTION public.gin_trgm_triconsistent(internal, smallint, text, integer, internal, internal, internal)
 RETURNS "char"
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gin_trgm_triconsistent$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_compress(internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_compress$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_consistent(internal, text, smallint, oid, internal)
 RETURNS boolean
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_consistent$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_decompress(internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_decompress$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_distance(internal, text, smallint, oid, internal)
 RETURNS double precision
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_distance$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_in(cstring)
 RETURNS gtrgm
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_in$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_options(internal)
 RETURNS void
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE
AS '$libdir/pg_trgm', $function$gtrgm_options$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_out(gtrgm)
 RETURNS cstring
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_out$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_penalty(internal, internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_penalty$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_picksplit(internal, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_picksplit$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_same(gtrgm, gtrgm, internal)
 RETURNS internal
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_same$function$;

CREATE OR REPLACE FUNCTION public.gtrgm_union(internal, internal)
 RETURNS gtrgm
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$gtrgm_union$function$;

CREATE OR REPLACE FUNCTION public.instalments_add_up(instalments json, payable_minor bigint, due_date date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select instalments is null or (
    select sum((value ->> 'amountMinor')::bigint) = payable_minor and min((value ->> 'amountMinor')::bigint) > 0
           and max((value ->> 'dueDate')::date) = due_date
      from json_array_elements(instalments) as value)
$function$;

CREATE OR REPLACE FUNCTION public.interrupted_attempt(number integer, begun_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_object('number', number, 'at', to_char(begun_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'latencyMs', null,
                            'statusCode', null, 'error', 'interrupted', 'response', null)
$function$;

CREATE OR REPLACE FUNCTION public.invoice_of_document(document invoices)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when document.type = 'credit_note' then coalesce(document.original_id, document.id) else document.id end
$function$;

CREATE OR REPLACE FUNCTION public.keep_buyer_account_of_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before invoices%rowtype;
  after invoices%rowtype := new;
  is_other_account boolean;
begin
  if tg_op = 'UPDATE' then
    before := old;
  end if;
  is_other_account := (before.buyer_id, before.currency) is distinct from (new.buyer_id, new.currency);
  if is_other_account or owed_by_document(before) <> owed_by_document(after) then
    perform add_buyer_account_move(before, 'document_withdrawn', -owed_by_document(before), new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(after, 'document', owed_by_document(after), new.updated_at, null, new.issue_date);
  end if;
  if is_other_account or declared_as_paid(before) <> declared_as_paid(after) then
    perform add_buyer_account_move(before, 'declared_paid_withdrawn', declared_as_paid(before), new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(after, 'declared_paid', -declared_as_paid(after), new.updated_at, null, new.issue_date);
  end if;
  -- A rejected invoice that was paid can be corrected, also its buyer. Its payments go with it.
  if tg_op = 'UPDATE' and is_other_account then
    perform add_buyer_account_move(before, 'payment_moved', new.paid_minor, new.updated_at, null, before.issue_date);
    perform add_buyer_account_move(after, 'payment_moved', -new.paid_minor, new.updated_at, null, new.issue_date);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_buyer_account_of_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  invoice invoices%rowtype;
begin
  select * into invoice from invoices
   where organisation_id = new.organisation_id and mode = new.mode and id = new.invoice_id;
  if tg_op = 'INSERT' then
    perform add_buyer_account_move(invoice, 'payment', -new.amount_minor, new.recorded_at, new.id, new.paid_on);
  else
    perform add_buyer_account_move(invoice, 'payment_reversed', new.amount_minor, new.reversed_at, new.id, new.paid_on);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_documents_right()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not (
    new.payable_minor = new.net_minor - new.allowance_minor + new.charge_minor + new.tax_minor + new.rounding_minor
    and least(new.payable_minor, new.allowance_minor, new.charge_minor, new.paid_minor, new.credited_minor,
              new.payable_minor - new.credited_minor) >= 0
    and (new.status = 'draft') = (new.finalised_at is null)
    and (new.type in ('credit_note', 'debit_note')) = (new.original_id is not null)
    and (new.due_date is null or new.due_date >= new.issue_date)
    and (new.period_end is null or new.period_start is null or new.period_end >= new.period_start)
    and (new.instalments is null or instalments_add_up(new.instalments, new.payable_minor, new.due_date))) then
    raise exception 'a document that does not add up cannot be saved';
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    if (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.instalments::text, old.supply_date, old.period_start, old.period_end, old.currency, old.exchange_rate, old.home_tax,
        old.lines::text, old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor,
        old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.contract_reference, old.quote_reference,
        old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
       is distinct from
       (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.instalments::text, new.supply_date, new.period_start, new.period_end, new.currency, new.exchange_rate, new.home_tax,
        new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
        new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.contract_reference, new.quote_reference,
        new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at) then
      raise exception 'an issued document cannot be changed';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_event_partitions(first_month date, months_ahead integer, kept_months integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  starts  date := date_trunc('month', first_month);
  name    text;
  dropped integer := 0;
begin
  if kept_months < 2 or months_ahead not between 0 and 24 or first_month < now() - interval '1200 months' then
    raise exception 'events of two months are kept at least, and months are made for two years ahead at most';
  end if;
  while starts <= date_trunc('month', now()) + make_interval(months => months_ahead) loop
    name := 'events_' || to_char(starts, 'YYYY_MM');
    if to_regclass('public.' || name) is null then
      execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name,
        public.first_id_at(starts::timestamp at time zone 'UTC'), public.first_id_at((starts + interval '1 month') at time zone 'UTC'));
      execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
    end if;
    starts := starts + interval '1 month';
  end loop;
  -- why: drops only months older than the retention time, with their counts
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.events'::regclass and c.relname ~ '^events_\d{4}_\d{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= date_trunc('month', now()) - make_interval(months => kept_months)
  loop
    execute format('drop table public.%I', name);
    delete from public.event_counts where id_month = to_date(right(name, 7), 'YYYY_MM');
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_tax_moves_of_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  document invoices%rowtype := new;
  is_counted boolean := counts_in_tax_return(document);
  sign smallint := case when is_counted then 1 else -1 end;
  side smallint := case when new.type = 'credit_note' then -1 else 1 end;
begin
  insert into tax_moves (organisation_id, mode, period, section, code, rate, message, cause, document_id, document_number, document_type,
                         document_date, party_name, currency, net_minor, tax_minor, documents)
  select new.organisation_id, new.mode, to_char(new.issue_date, 'YYYY-MM'),
         case when new.type in ('credit_note', 'debit_note') then 'output_notes' else 'output' end, g ->> 'category', g ->> 'rate', '',
         case when is_counted then 'accepted' else 'withdrawn' end, new.id, new.number, new.type, new.issue_date, new.buyer_copy ->> 'name',
         new.currency, sign * side * (g ->> 'taxableMinor')::bigint, sign * side * (g ->> 'taxMinor')::bigint, sign
    from json_array_elements(new.tax_groups) as g;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_tax_moves_of_received()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before received_invoices%rowtype;
  after received_invoices%rowtype := new;
begin
  if tg_op = 'UPDATE' then
    before := old;
    perform add_received_tax_move(before, (-1)::smallint, 'claim_changed');
    perform add_received_tax_move(after, 1::smallint, 'claim_changed');
  else
    perform add_received_tax_move(after, 1::smallint, 'received');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.look_at_new_lists()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from pg_class where oid = 'public.invoice_listing'::regclass and reltuples <= 0) then
    analyze public.invoice_listing, public.invoice_counts;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.make_event_month(month date)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '5s'
AS $function$
declare
  starts    date := date_trunc('month', month);
  name      text := 'events_' || to_char(starts, 'YYYY_MM');
  first_id  uuid := public.first_id_at(starts::timestamp at time zone 'UTC');
  behind_id uuid := public.first_id_at((starts + interval '1 month') at time zone 'UTC');
  moved     bigint := 0;
begin
  if starts not between now() - interval '1200 months' and now() + interval '24 months' then
    raise exception 'months are made for two years ahead at most';
  end if;
  if to_regclass('public.' || name) is not null then
    return null;
  end if;
  if exists (select 1 from public.events_elsewhen where id >= first_id and id < behind_id) then
    lock table public.events_elsewhen in access exclusive mode;
    execute format('create table public.%I (like public.events including defaults including constraints)', name);
    alter table public.events_elsewhen disable trigger user;
    execute format(
      'with moved as (delete from public.events_elsewhen where id >= %L and id < %L returning *) insert into public.%I select * from moved',
      first_id, behind_id, name);
    get diagnostics moved = row_count;
    alter table public.events_elsewhen enable trigger user;
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', name, first_id, behind_id);
  else
    execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name, first_id, behind_id);
  end if;
  execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
  return moved;
end
$function$;

CREATE OR REPLACE FUNCTION public.number_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.seq is null then
    new.seq := nextval('public.events_seq');
  end if;
  if new.position is null then
    insert into public.event_heads as h (organisation_id, position) values (new.organisation_id, 1)
    on conflict (organisation_id) do update set position = h.position + 1 returning h.position into new.position;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.open_instalments(instalments json, left_minor bigint)
 RETURNS TABLE(due_date date, due_minor bigint)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select each.due_date, least(each.amount, left_minor - each.later)::bigint
    from (select (value ->> 'dueDate')::date as due_date, (value ->> 'amountMinor')::bigint as amount,
                 sum((value ->> 'amountMinor')::bigint) over (order by nth desc) - (value ->> 'amountMinor')::bigint as later
            from json_array_elements(instalments) with ordinality as x (value, nth)) as each
   where left_minor > each.later
$function$;

CREATE OR REPLACE FUNCTION public.owed_by_document(document invoices)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when document.id is null or document.status in ('draft', 'rejected') then 0
    when document.type = 'credit_note' then -document.payable_minor
    else document.payable_minor
  end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_to_rewrite_credit_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger of credits is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_to_rewrite_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'events are append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_to_rewrite_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an issued document cannot be changed';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_to_rewrite_received_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger of received money is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_to_rewrite_reported_tax()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the figures of a closed period never change';
end $function$;

CREATE OR REPLACE FUNCTION public.release_account_of_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update virtual_accounts set invoice_id = null
   where organisation_id = old.organisation_id and mode = old.mode and invoice_id = old.id;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_keys(organisation_id uuid, mode text, pieces text[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg((hashtextextended(piece, uuid_hash_extended(organisation_id, (mode = 'live')::integer)) >> 33)::integer), '{}')
    from unnest(pieces) as piece
$function$;

CREATE OR REPLACE FUNCTION public.search_pieces(search text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(piece) from (
    select letter || lead(letter) over (order by place) || lead(letter, 2) over (order by place)
      from unnest(string_to_array(search, null)) with ordinality as letters (letter, place)
    union
    select '^' || pair[1] from regexp_matches(search, '\m\w\w', 'g') as pair
  ) as pieces (piece) where piece is not null
$function$;

CREATE OR REPLACE FUNCTION public.set_limit(real)
 RETURNS real
 LANGUAGE c
 STRICT
AS '$libdir/pg_trgm', $function$set_limit$function$;

CREATE OR REPLACE FUNCTION public.settled_before()
 RETURNS xid8
 LANGUAGE sql
 STABLE PARALLEL RESTRICTED
AS $function$
  select coalesce(
    (select running.xid from (select xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid) order by xid offset 0) as running
      where not (select exists (
        select from pg_locks l cross join lateral pg_stat_get_activity(l.pid) as a
         where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock' and l.transactionid = running.xid::xid
           and a.pid = l.pid and a.datid <> (select oid from pg_database where datname = current_database())))
      order by running.xid limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$function$;

CREATE OR REPLACE FUNCTION public.show_limit()
 RETURNS real
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$show_limit$function$;

CREATE OR REPLACE FUNCTION public.show_trgm(text)
 RETURNS text[]
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$show_trgm$function$;

CREATE OR REPLACE FUNCTION public.similarity(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$similarity$function$;

CREATE OR REPLACE FUNCTION public.similarity_dist(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$similarity_dist$function$;

CREATE OR REPLACE FUNCTION public.similarity_op(text, text)
 RETURNS boolean
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$similarity_op$function$;

CREATE OR REPLACE FUNCTION public.strict_word_similarity(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$strict_word_similarity$function$;

CREATE OR REPLACE FUNCTION public.strict_word_similarity_commutator_op(text, text)
 RETURNS boolean
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$strict_word_similarity_commutator_op$function$;

CREATE OR REPLACE FUNCTION public.strict_word_similarity_dist_commutator_op(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$strict_word_similarity_dist_commutator_op$function$;

CREATE OR REPLACE FUNCTION public.strict_word_similarity_dist_op(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$strict_word_similarity_dist_op$function$;

CREATE OR REPLACE FUNCTION public.strict_word_similarity_op(text, text)
 RETURNS boolean
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$strict_word_similarity_op$function$;

CREATE OR REPLACE FUNCTION public.word_similarity(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$word_similarity$function$;

CREATE OR REPLACE FUNCTION public.word_similarity_commutator_op(text, text)
 RETURNS boolean
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$word_similarity_commutator_op$function$;

CREATE OR REPLACE FUNCTION public.word_similarity_dist_commutator_op(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$word_similarity_dist_commutator_op$function$;

CREATE OR REPLACE FUNCTION public.word_similarity_dist_op(text, text)
 RETURNS real
 LANGUAGE c
 IMMUTABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$word_similarity_dist_op$function$;

CREATE OR REPLACE FUNCTION public.word_similarity_op(text, text)
 RETURNS boolean
 LANGUAGE c
 STABLE PARALLEL SAFE STRICT
AS '$libdir/pg_trgm', $function$word_similarity_op$function$;
