-- Pictures on documents, each once for an organisation, under the SHA-256 of its bytes: an invoice that is issued names the one that it
-- shows. `replaced_at` is when it stopped being the logo of today; it is then dropped unless a document that was issued holds it.
create table logos (
  organisation_id uuid not null references organisations (id),
  hash            text not null,
  content_type    text not null,
  bytes           bytea not null,
  replaced_at     timestamptz,
  primary key (organisation_id, hash)
);
create index logos_replaced on logos (replaced_at) where replaced_at is not null;
-- Pictures are packed already.
alter table logos alter column bytes set storage external;
comment on table logos is 'organisation: pictures on its documents, by what they are';

insert into logos (organisation_id, hash, content_type, bytes)
select organisation_id, encode(sha256(decode(logo ->> 'base64', 'base64')), 'hex'), logo ->> 'contentType', decode(logo ->> 'base64', 'base64')
  from letterheads where logo is not null;
alter table letterheads add column logo_hash text, add foreign key (organisation_id, logo_hash) references logos (organisation_id, hash);
update letterheads set logo_hash = encode(sha256(decode(logo ->> 'base64', 'base64')), 'hex') where logo is not null;
-- why: the picture stands in `logos`, and its hash here.
alter table letterheads drop column logo;

-- Bank details and logo as they were when the document was issued: `{ "bank", "logo" }`, the logo by its hash. What was issued before
-- this gets those of today, as it showed them until now.
alter table invoices add column letterhead_copy jsonb;
update invoices i
   set letterhead_copy = coalesce(
     (select jsonb_build_object('bank', l.bank, 'logo', l.logo_hash) from letterheads l where l.organisation_id = i.organisation_id),
     '{"bank": null, "logo": null}')
 where i.status <> 'draft';

drop trigger issued_invoices_are_frozen on invoices;
create trigger issued_invoices_are_frozen before update on invoices for each row
  when (old.status <> 'draft' and new.status <> 'draft' and
        (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.currency, old.lines::text,
         old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor, old.payable_minor,
         old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost, old.original_id, old.reason,
         old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at)
        is distinct from
        (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.currency, new.lines::text,
         new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor, new.payable_minor,
         new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost, new.original_id, new.reason,
         new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at))
  execute function refuse_to_rewrite_issued();

-- A document that is issued holds its logo as it holds its parties.
alter table issued_parties add column logo_hash text, add foreign key (organisation_id, logo_hash) references logos (organisation_id, hash);
create index issued_parties_by_logo on issued_parties (organisation_id, logo_hash) where logo_hash is not null;
update issued_parties p set logo_hash = i.letterhead_copy ->> 'logo'
  from invoices i
 where i.organisation_id = p.organisation_id and i.mode = p.mode and i.id = p.invoice_id and i.letterhead_copy ->> 'logo' is not null;
