-- What was declared to the authority about the tax on an invoice, and what it answered. An invoice that is reopened may go, and what was
-- declared stays: so nothing here points at it.
create table tax_reports (
  organisation_id   uuid not null references organisations (id),
  mode              text not null check (mode in ('sandbox', 'live')),
  id                uuid not null,
  invoice_id        uuid not null,
  reference         text not null,
  seller_tax_id     text not null,
  buyer_tax_id      text not null,
  description       text not null,
  currency          text not null,
  report_date       date not null,
  base_minor        bigint not null check (base_minor >= 0),
  tax_minor         bigint not null check (tax_minor >= 0),
  other_taxes_minor bigint not null check (other_taxes_minor >= 0),
  total_minor       bigint not null check (total_minor = base_minor + tax_minor + other_taxes_minor),
  rate              text not null,
  status            text not null check (status in ('asked', 'reported', 'refused', 'unknown')),
  created_at        timestamptz not null,
  ended_at          timestamptz,
  primary key (organisation_id, mode, id),
  check ((status = 'asked') = (ended_at is null))
);
comment on table tax_reports is 'tenant: declarations of tax, and how they ended';
