-- Live and sandbox notifications are claimed apart: however many wait in a sandbox, the live ones are found without reading those.
drop index collection_notifications_turns;
create index collection_notifications_turns on collection_notifications (mode, organisation_id, due_at) where due_at is not null;
