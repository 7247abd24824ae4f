-- Answers under an Idempotency-Key are kept as bytes, with their headers. What was kept before is read for as long as it is kept. They do not get
-- smaller by compression, so it is not tried.
alter table idempotency_keys add column kept bytea;
alter table idempotency_keys alter column kept set storage external;
-- A check is prepared anew by every statement that writes a row; nothing but a mode comes here.
alter table idempotency_keys drop constraint idempotency_keys_mode_check;
