/**
 * Functions that every server of a cluster has. Citus sends a call of `run_on_shard` to the server with the rows of its organisation. There
 * the whole statement runs on the tables of the shard, as one plain statement of PostgreSQL. Otherwise Citus would run each part of the
 * statement on its own, and commit on several servers in two phases.
 */
export const shardFunctions: readonly string[] = [
  // A lock on the metadata needs the owner. Moving the shard waits for it.
  `create or replace function hold_shard(shard bigint) returns void
     language sql security definer set search_path = pg_catalog, pg_temp
     as 'select lock_shard_metadata(5, array[shard])'`,
  // Names of tables stand behind these words only. Tests check it for every statement that they run (test/harness/shard-texts.ts).
  `create or replace function named_on_shard(statement text, shard bigint) returns text
     language plpgsql stable
     as $$
   declare
     place record;
   begin
     for place in
       select other.logicalrelid::text as name, other.logicalrelid || '_' || other.shardid as shard_name
         from pg_dist_shard other join pg_dist_shard own on own.shardid = shard
        where other.shardminvalue is null or other.shardminvalue = own.shardminvalue loop
       statement := regexp_replace(
         statement, '\\m(from|join|into|update|using)\\s+' || place.name || '\\M', '\\1 ' || place.shard_name, 'g');
     end loop;
     return statement;
   end $$`,
  `create or replace function run_on_shard(organisation_id uuid, beside uuid[], name text, statement text, given text[]) returns setof record
     language plpgsql set plan_cache_mode = force_generic_plan set jit = off
     as $$
   declare
     shard bigint := get_shard_id_for_distribution_column('events', organisation_id);
     on_shard text := format('%s_%s', name, shard);
     noted_as text := format('risiti.s%s_%s', name, shard);
   begin
     perform hold_shard(shard);
     if not exists (select from pg_dist_placement p join pg_dist_local_group l on l.groupid = p.groupid where p.shardid = shard) then
       raise exception 'the shard of the organisation was moved to another server' using errcode = 'object_not_in_prerequisite_state';
     end if;
     if exists (select from unnest(beside) as other (id) where get_shard_id_for_distribution_column('events', other.id) <> shard) then
       raise exception 'the organisations are in different shards' using errcode = 'object_not_in_prerequisite_state';
     end if;
     -- The list of prepared statements has all their texts, and reading it takes long. So the session notes what it has prepared.
     if current_setting(noted_as, true) is distinct from 'prepared' then
       if not exists (select from pg_prepared_statements p where p.name = on_shard) then
         execute format('prepare %I as %s', on_shard, named_on_shard(statement, shard));
       end if;
       perform set_config(noted_as, 'prepared', false);
     end if;
     return query execute format('execute %I', on_shard) || coalesce((select '(' || string_agg(quote_nullable(value), ', ' order by nth) || ')'
                                                                        from unnest(given) with ordinality as g (value, nth)), '');
   end $$`,
]
