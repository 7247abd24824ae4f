-- The primary seller is now written together with its organisation. Organisations whose background job never ran get theirs here. The tax
-- number is left to that job where another seller of the organisation has it.
insert into sellers (organisation_id, id, is_primary, name, party_type, tax_id, tax_id_normal, email, phone, website, address, search, created_at, updated_at)
select o.id, gen_random_uuid(), true, o.name, 'company', n.given, n.digits, o.contact_email, o.phone, o.website, o.address,
       lower(concat_ws(E'\n', regexp_replace(normalize(o.name, NFKD), '[\u0300-\u036f]', '', 'g'), n.given, n.digits)), o.created_at, o.created_at
  from organisations o
  left join lateral (
    select o.tax_number as given, regexp_replace(o.tax_number, '\D', '', 'g') as digits
     where regexp_replace(o.tax_number, '\D', '', 'g') ~ '^(\d{10}|\d{12}|\d{13})$'
       and not exists (select 1 from sellers t where t.organisation_id = o.id and t.tax_id_normal = regexp_replace(o.tax_number, '\D', '', 'g'))) n on true
 where not exists (select 1 from sellers s where s.organisation_id = o.id and s.is_primary)
on conflict do nothing;
