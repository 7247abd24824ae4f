-- Answers that stand open are kept compressed, by the service: most of what a key costs the database are the bytes of its answer. They would not get
-- smaller a second time, so it is not tried; nor are statistics drawn of them. Nodes of the version before do not know the column: they ask whoever
-- repeats a request to come again shortly.
alter table idempotency_keys add column compressed bytea;
alter table idempotency_keys alter column compressed set storage external, alter column compressed set statistics 0;
