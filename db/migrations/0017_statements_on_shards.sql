-- If the tables are distributed by Citus (ADR 26), a trigger gets rows of the type of one shard. Functions that take a row of the table
-- are called with variables of the table's type.
create or replace function keep_buyer_account_of_invoice() returns trigger
  language plpgsql
  as $$
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
$$;

create or replace function keep_tax_moves_of_invoice() returns trigger
  language plpgsql
  as $$
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
$$;

create or replace function keep_tax_moves_of_received() returns trigger
  language plpgsql
  as $$
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
$$;

-- An action of a foreign key cannot change a column beside the organisation on a shard.
create function release_account_of_invoice() returns trigger
  language plpgsql
  as $$
begin
  update virtual_accounts set invoice_id = null
   where organisation_id = old.organisation_id and mode = old.mode and invoice_id = old.id;
  return old;
end
$$;
create trigger invoices_release_their_account before delete on invoices for each row execute function release_account_of_invoice();
alter table virtual_accounts drop constraint virtual_accounts_organisation_id_mode_invoice_id_fkey;
alter table virtual_accounts add constraint virtual_accounts_organisation_id_mode_invoice_id_fkey
  foreign key (organisation_id, mode, invoice_id) references invoices(organisation_id, mode, id);

-- The log entry of an attempt whose process died. Immutable, because Citus accepts no other function in the cases of an update.
create function interrupted_attempt(number integer, begun_at timestamptz) returns jsonb
  language sql immutable
  as $$
  select jsonb_build_object('number', number, 'at', to_char(begun_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'latencyMs', null,
                            'statusCode', null, 'error', 'interrupted', 'response', null)
$$;

-- Citus knows no query without columns on several servers.
create or replace function public.make_event_month(month date)
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
    alter table public.events_elsewhen disable trigger events_are_append_only;
    execute format(
      'with moved as (delete from public.events_elsewhen where id >= %L and id < %L returning *) insert into public.%I select * from moved',
      first_id, behind_id, name);
    get diagnostics moved = row_count;
    alter table public.events_elsewhen enable trigger events_are_append_only;
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', name, first_id, behind_id);
  else
    execute format('create table public.%I partition of public.events for values from (%L) to (%L)', name, first_id, behind_id);
  end if;
  execute format('create trigger events_are_not_emptied before truncate on public.%I for each statement execute function public.refuse_to_rewrite_events()', name);
  return moved;
end $function$;

-- A shard has no default from a sequence, so a statement that runs on the shard itself gets its number here.
create or replace function number_event() returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'public', 'pg_temp'
  as $$
begin
  if new.seq is null then
    new.seq := nextval('public.events_seq');
  end if;
  if new.position is null then
    insert into public.event_heads as h (organisation_id, position) values (new.organisation_id, 1)
    on conflict (organisation_id) do update set position = h.position + 1 returning h.position into new.position;
  end if;
  return new;
end $$;
