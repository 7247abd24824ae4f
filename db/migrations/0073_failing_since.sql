-- When the first of an endpoint's failures in a row was: an endpoint is disabled only after a day without a success. For endpoints that are failing
-- now, the day starts with this migration.
alter table webhook_endpoints add column failing_since timestamptz;
update webhook_endpoints set failing_since = now() where failures_in_row > 0;
