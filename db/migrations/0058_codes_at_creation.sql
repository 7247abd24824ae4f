-- Which codes the lines of a new document name, for the lists that follow: taking the lines apart once more costs more than everything else that they read of
-- it. Documents from before have none, and their lines are read.
alter table invoices add column codes_at_creation json;

-- Running transactions are looked at from the oldest on, only until one does not belong to another database.
create or replace function settled_before() returns xid8 language sql stable parallel restricted as $$
  select coalesce(
    (select running.xid from (select xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid) order by xid offset 0) as running
      where not exists (
        select from pg_locks l cross join lateral pg_stat_get_activity(l.pid) as a
         where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock' and l.transactionid = running.xid::xid
           and a.datid <> (select oid from pg_database where datname = current_database()))
      limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$$;
