-- One invoice of five lines, as one statement.
\set nth random(1, 100)
with caller as materialized (
  select organisation_id, gen_random_uuid() as id, now() as at from reference.callers where nth = :nth),
numbered as (
  update reference.series s set next_number = next_number + 1 from caller c where s.organisation_id = c.organisation_id
  returning s.next_number - 1 as number),
charged as (
  update reference.balances b set available = available - 1, spent = spent + 1, version = version + 1
    from caller c where b.organisation_id = c.organisation_id and b.available >= 1
  returning b.available, b.version),
entered as (
  insert into reference.moves
  select c.organisation_id, charged.version, 1, 'invoice:' || c.id, charged.available, c.at from caller c, charged),
drafted as (
  insert into reference.invoices
  select c.organisation_id, c.id, 'INV' || lpad(numbered.number::text, 6, '0'), 'draft', 'B2B', gen_random_uuid(), date '2026-11-02',
         date '2026-12-02', 'NGN', 500000, 37500, 537500, 'Payment within 30 days by bank transfer',
         'Thank you for your business. Goods are delivered to your warehouse in Ikeja.', gen_random_uuid(), c.at, c.at
    from caller c, numbered, charged
  returning organisation_id, id, number),
lined as (
  insert into reference.lines
  select d.organisation_id, d.id, l.position, 'Portable computer, 15 inch, 16 GB, delivered ' || l.position, '8471.30',
         'Portable automatic data processing machines', 2, 'EA', 500.00, 0, 100000, 'STANDARD_VAT', 7.5
    from drafted d, generate_series(1, 5) as l (position)),
told as (
  insert into reference.outbox (organisation_id, id, type, object_id, data, created_at)
  select d.organisation_id, gen_random_uuid(), 'invoice.created', d.id,
         jsonb_build_object('invoiceId', d.id, 'invoiceNumber', d.number, 'status', 'draft', 'currency', 'NGN', 'payableMinor', 537500), c.at
    from drafted d, caller c)
select number from drafted;
