-- Answers that stand open are kept compressed by the service: their bytes are most of what a key costs the database. They would not get smaller a
-- second time, so it is not tried; nor are statistics drawn of them. Nodes of the version before do not know the column: after half a minute they ask
-- whoever repeats a request to come again.
alter table idempotency_keys add column compressed bytea;
alter table idempotency_keys alter column compressed set storage external, alter column compressed set statistics 0;
