-- A key is asked for before we know whose it is. A unique index over the keys of all organisations is more than one shard could hold, so which key a hash
-- names stands in a table of its own, beside every shard. It only says where to look: whether the key works is told by the key's own row. That row stays
-- for good, and so does this.
create table api_key_hashes (
  key_hash        text primary key,
  organisation_id uuid not null,
  key_id          uuid not null
);
comment on table api_key_hashes is 'global: which key a hash names, asked before we know whose it is';

-- Nodes of versions before write keys alone, and find them by the hash in their rows. This writes the look-up for them, with the owner's rights, because the
-- service is given its own only after the migrations. Newer nodes write and read the look-up themselves, and need neither this nor the index below: a later
-- migration drops both.
create function note_hash_for_older_nodes() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into api_key_hashes (key_hash, organisation_id, key_id)
  select new.key_hash, new.organisation_id, new.id
   where not exists (
     select from api_key_hashes h where h.key_hash = new.key_hash and h.organisation_id = new.organisation_id and h.key_id = new.id);
  return null;
end $$;
revoke execute on function note_hash_for_older_nodes from public;
create trigger keys_of_older_nodes_are_found after insert on api_keys for each row execute function note_hash_for_older_nodes();

insert into api_key_hashes (key_hash, organisation_id, key_id) select key_hash, organisation_id, id from api_keys;
create index api_keys_for_older_nodes on api_keys (key_hash);
