-- Imports count against a quota of stored bytes of their organisation.
alter table imports add column stored_bytes bigint not null default 0;
update imports i set stored_bytes = r.bytes
  from (select organisation_id, mode, import_id, sum(octet_length(body::text) + octet_length(faults::text)) as bytes
          from import_records group by organisation_id, mode, import_id) as r
 where (r.organisation_id, r.mode, r.import_id) = (i.organisation_id, i.mode, i.id);
