-- The VAT return: what each document counts for, as moves that are only added, and the periods that are closed.
--
-- Triggers write the moves, like those of buyers' accounts. Closing a period marks the moves that it reports. A move that commits later is
-- not marked, so it becomes an exception of the next period: no lock is needed, and no change is lost.

-- What a received document counts for in the return of its own period. An invoice counts for its whole input tax, and a note for what it takes
-- from the claims of others. Null: the same as `claimable_minor`.
alter table received_invoices add column return_tax_minor bigint;

create table tax_moves (
  organisation_id uuid not null,
  mode text not null,
  id bigint generated always as identity,
  -- The month of the issue date, as 2026-01.
  period text not null,
  section text not null,
  -- The tax category of an own document, or the rule that decides the claim of a received one.
  code text not null,
  -- In percent. Empty for received documents.
  rate text not null,
  -- Why the tax can be claimed or not. Empty for own documents.
  message text not null,
  cause text not null,
  document_id uuid not null,
  document_number text not null,
  document_type text not null,
  document_date date not null,
  party_name text,
  currency text not null,
  -- Negative for credit notes, and where a move takes an earlier one back.
  net_minor bigint not null,
  tax_minor bigint not null,
  -- 1, or -1 where a move takes an earlier one back.
  documents smallint not null,
  -- Set once, when a period is closed: that period, and the amounts in the home currency.
  reported_in text,
  -- Minor units of the home currency for one minor unit of `currency`.
  minor_rate numeric,
  home_net_minor bigint,
  home_tax_minor bigint,
  -- Whether the tax belongs to the return at all.
  is_counted boolean,
  primary key (organisation_id, mode, id),
  constraint tax_moves_mode_check check (mode in ('sandbox', 'live')),
  constraint tax_moves_section_check check (section in ('output', 'output_notes', 'input', 'input_notes', 'not_claimable')),
  constraint tax_moves_cause_check check (cause in ('accepted', 'withdrawn', 'received', 'claim_changed')),
  constraint tax_moves_reported_check check ((reported_in is null) = (minor_rate is null) and (reported_in is null) = (home_net_minor is null)
    and (reported_in is null) = (home_tax_minor is null) and (reported_in is null) = (is_counted is null))
);
comment on table tax_moves is 'tenant: what each document counts for in the VAT return, written by triggers';
create index tax_moves_reported on tax_moves (organisation_id, mode, reported_in, period) where reported_in is not null;
create index tax_moves_unreported on tax_moves (organisation_id, mode, period) where reported_in is null;
create index tax_moves_of_document on tax_moves (organisation_id, mode, document_id);

create function refuse_to_rewrite_reported_tax() returns trigger language plpgsql as $$
begin
  raise exception 'the figures of a closed period never change';
end $$;
create trigger reported_tax_moves_stay before update or delete on tax_moves for each row when (old.reported_in is not null)
  execute function refuse_to_rewrite_reported_tax();

create table tax_returns (
  organisation_id uuid not null,
  mode text not null,
  period text not null,
  id uuid not null,
  currency text not null,
  output_tax_minor bigint not null,
  input_tax_minor bigint not null,
  closed_at timestamptz not null,
  primary key (organisation_id, mode, period),
  constraint tax_returns_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint tax_returns_mode_check check (mode in ('sandbox', 'live'))
);
comment on table tax_returns is 'tenant: the closed periods of the VAT return, with their totals';
create trigger tax_returns_stay before update or delete on tax_returns for each row execute function refuse_to_rewrite_reported_tax();

create table exchange_rates (
  organisation_id uuid not null,
  mode text not null,
  currency text not null,
  day date not null,
  -- Units of the home currency for one unit of `currency`.
  rate numeric not null,
  -- The same in minor units of both.
  minor_rate numeric not null,
  updated_at timestamptz not null,
  primary key (organisation_id, mode, currency, day),
  constraint exchange_rates_organisation_id_fkey foreign key (organisation_id) references organisations(id),
  constraint exchange_rates_mode_check check (mode in ('sandbox', 'live')),
  constraint exchange_rates_rate_check check (rate > 0 and minor_rate > 0)
);
comment on table exchange_rates is 'tenant: what a foreign currency was worth on a day, in the home currency';

-- Only a document that the authority accepted counts. A cancelled one still counts, and its credit note takes the tax back.
create function counts_in_tax_return(document invoices) returns boolean
  language sql immutable
  as $$
  select document.status in ('accepted', 'cancellation_pending', 'cancelled')
$$;

create function keep_tax_moves_of_invoice() returns trigger
  language plpgsql
  as $$
declare
  is_counted boolean := counts_in_tax_return(new);
  sign smallint := case when counts_in_tax_return(new) then 1 else -1 end;
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

create trigger new_invoices_in_tax_returns after insert on invoices for each row
  when (new.status in ('accepted', 'cancellation_pending', 'cancelled')) execute function keep_tax_moves_of_invoice();
create trigger accepted_invoices_in_tax_returns after update on invoices for each row
  when ((old.status in ('accepted', 'cancellation_pending', 'cancelled')) <> (new.status in ('accepted', 'cancellation_pending', 'cancelled')))
  execute function keep_tax_moves_of_invoice();

-- What a received document counts for, as one move.
create function add_received_tax_move(document received_invoices, sign smallint, of_cause text) returns void
  language plpgsql
  as $$
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
$$;

create function keep_tax_moves_of_received() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'UPDATE' then
    perform add_received_tax_move(old, (-1)::smallint, 'claim_changed');
    perform add_received_tax_move(new, 1::smallint, 'claim_changed');
  else
    perform add_received_tax_move(new, 1::smallint, 'received');
  end if;
  return null;
end
$$;

create trigger new_received_in_tax_returns after insert on received_invoices for each row execute function keep_tax_moves_of_received();
create trigger changed_received_in_tax_returns after update on received_invoices for each row
  when ((old.is_claimable, old.claim_rule, old.input_tax_minor > 0, coalesce(old.return_tax_minor, old.claimable_minor))
    is distinct from (new.is_claimable, new.claim_rule, new.input_tax_minor > 0, coalesce(new.return_tax_minor, new.claimable_minor)))
  execute function keep_tax_moves_of_received();

-- The documents that exist already.
insert into tax_moves (organisation_id, mode, period, section, code, rate, message, cause, document_id, document_number, document_type,
                       document_date, party_name, currency, net_minor, tax_minor, documents)
select i.organisation_id, i.mode, to_char(i.issue_date, 'YYYY-MM'),
       case when i.type in ('credit_note', 'debit_note') then 'output_notes' else 'output' end, g ->> 'category', g ->> 'rate', '', 'accepted',
       i.id, i.number, i.type, i.issue_date, i.buyer_copy ->> 'name', i.currency,
       case when i.type = 'credit_note' then -1 else 1 end * (g ->> 'taxableMinor')::bigint,
       case when i.type = 'credit_note' then -1 else 1 end * (g ->> 'taxMinor')::bigint, 1
  from invoices i cross join lateral json_array_elements(i.tax_groups) as g
 where i.status in ('accepted', 'cancellation_pending', 'cancelled');
select add_received_tax_move(r, 1::smallint, 'received') from received_invoices r;
