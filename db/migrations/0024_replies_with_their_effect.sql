-- The answer to a hot statement is kept by that statement: put together before the effect, with blanks for what only the database
-- can say, which it says here. Sealed texts do not get smaller by compression, so it is not tried.
alter table idempotency_keys add column sealed_outline text, add column said jsonb;
alter table idempotency_keys alter column sealed_outline set storage external, alter column sealed_body set storage external;
