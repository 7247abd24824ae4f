-- What providers told us waits for its turn, and organisations take turns: whose it seems to be is noted when it is told. Nodes of versions before do
-- not say it; theirs, and what concerns nobody that we know of, takes turns as if it were of one more organisation.
alter table collection_notifications add column organisation_id uuid not null default '00000000-0000-0000-0000-000000000000';
-- Beside `collection_notifications_due`, by which nodes of versions before take what is due.
create index collection_notifications_turns on collection_notifications (organisation_id, due_at) where due_at is not null;
