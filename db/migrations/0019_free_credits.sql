-- Who made it. Empty where that is not known any more.
alter table organisations add column founded_by uuid references users (id);
update organisations o set founded_by = (
  select m.user_id from memberships m
   where m.organisation_id = o.id and m.role_id = '00000000-0000-7000-8000-000000000001' and m.joined_at = o.created_at
   order by m.user_id limit 1);

-- The live credits of the free plan are given once to a person, for the first organisation they make, and once to a business,
-- known by the tax number that the authority has confirmed. `claim` is `person:<id>` or `tax-number:<country>:<number>`.
create table free_credit_claims (
  claim           text primary key,
  organisation_id uuid not null references organisations (id),
  claimed_at      timestamptz not null
);
comment on table free_credit_claims is 'global: persons and businesses that have had the credits of the free plan';

-- Until now every organisation was given them: its founder and its number have had theirs.
insert into free_credit_claims (claim, organisation_id, claimed_at)
select distinct on (o.founded_by) 'person:' || o.founded_by, o.id, a.opened_at
  from billing_accounts a join organisations o on o.id = a.organisation_id
 where o.founded_by is not null order by o.founded_by, a.opened_at, o.id;
insert into free_credit_claims (claim, organisation_id, claimed_at)
select distinct on (o.country, c.tax_id_normal) 'tax-number:' || o.country || ':' || c.tax_id_normal, o.id, a.opened_at
  from tax_number_checks c
  join sellers s on s.organisation_id = c.organisation_id and s.id = c.party_id and s.is_primary
  join organisations o on o.id = c.organisation_id
  join billing_accounts a on a.organisation_id = o.id
 where c.mode = 'live' and c.party = 'seller' and c.status = 'verified' order by o.country, c.tax_id_normal, a.opened_at, o.id;
