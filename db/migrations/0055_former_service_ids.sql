-- A document keeps the number that it was reported under, also when its business has another service id since then: the ids that were
-- replaced lead to it as the present one does.
alter table tax_connections add column former_service_ids text[] not null default '{}';
update tax_connections c
   set former_service_ids = array(
         select distinct split_part(s.reference, '-', 2) from submissions s
          where s.organisation_id = c.organisation_id and s.mode = c.mode and s.country = 'NG'
            and split_part(s.reference, '-', 2) <> c.service_id);
create index tax_connections_former_service on tax_connections using gin (former_service_ids);
