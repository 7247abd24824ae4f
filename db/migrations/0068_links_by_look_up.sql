-- Links are asked for before we know whose they are, as keys are (0066): which link a token opens stands beside every shard. What it opens is told by the link's
-- own row, and the two go together.
create table invoice_share_tokens (
  token_hash      text not null,
  organisation_id uuid not null,
  mode            text not null check (mode in ('sandbox', 'live')),
  share_id        uuid not null
);
comment on table invoice_share_tokens is 'global: which public link a token opens, asked before we know whose it is';

-- As in 0066, for nodes of versions before, which also withdraw links without the look-up.
create function note_token_for_older_nodes() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from invoice_share_tokens where token_hash = old.token_hash;
    return null;
  end if;
  insert into invoice_share_tokens (token_hash, organisation_id, mode, share_id)
  select new.token_hash, new.organisation_id, new.mode, new.id
   where not exists (
     select from invoice_share_tokens t
      where t.token_hash = new.token_hash and t.organisation_id = new.organisation_id and t.mode = new.mode and t.share_id = new.id);
  return null;
end $$;
revoke execute on function note_token_for_older_nodes from public;
create trigger links_of_older_nodes_are_found after insert or delete on invoice_shares for each row execute function note_token_for_older_nodes();

insert into invoice_share_tokens (token_hash, organisation_id, mode, share_id) select token_hash, organisation_id, mode, id from invoice_shares;
alter table invoice_share_tokens add primary key (token_hash);
create index invoice_shares_for_older_nodes on invoice_shares (token_hash);
