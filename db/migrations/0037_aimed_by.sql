-- Who last chose where an endpoint goes to, or what it is told of: when they leave, the owners hear of it.
alter table webhook_endpoints add column aimed_by uuid;
update webhook_endpoints set aimed_by = created_by;
