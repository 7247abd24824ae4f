-- Running transactions are looked at from the oldest on, one by one, until one is not known to belong to another database. Put as a join, what came first was the
-- planner's choice, and events of the older ones were passed over. A prepared transaction has no process, and belongs to whoever asks.
create or replace function settled_before() returns xid8 language sql stable parallel restricted as $$
  select coalesce(
    (select running.xid from (select xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid) order by xid offset 0) as running
      where not (select exists (
        select from pg_locks l cross join lateral pg_stat_get_activity(l.pid) as a
         where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock' and l.transactionid = running.xid::xid
           and a.pid = l.pid and a.datid <> (select oid from pg_database where datname = current_database())))
      order by running.xid limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$$;
