-- A parent may part from a child. Which parent it was stays known: what it paid for the child, and what is taken back later,
-- still goes back to it.
alter table organisations
  add column parted_from uuid references organisations (id),
  add column parted_at   timestamptz,
  add constraint organisations_parted check ((parted_from is null) = (parted_at is null) and (parent_id is null or parted_from is null));
