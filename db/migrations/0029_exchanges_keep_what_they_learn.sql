-- What became of a question to an outside party is kept for a while, and an answer that comes late is noted.
alter table exchanges
  add column settled_at timestamptz,
  add column outcome text check (outcome in ('answered', 'unknown')),
  add column reason text,
  add column late_at timestamptz,
  add check ((settled_at is null) = (outcome is null));
comment on table exchanges is 'machinery: questions to outside parties, and for 30 days what became of them';
drop index exchanges_abandoned;
create index exchanges_abandoned on exchanges (abandoned_after) where settled_at is null;
create index exchanges_settled on exchanges (settled_at) where settled_at is not null;
-- What a sweep settled in place of a dead process, for whoever repeats the request.
alter table idempotency_keys add column sealed_output text;
