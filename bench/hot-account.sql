-- One charge of one credit, as modules/credits makes it: the balance and the entry that explains it, durably.
begin;
with moved as (
  update credit_balances
     set available = available + -1, held = held + 0, spent = spent + 1, lent = lent + 0, owed = owed + 0, issued = issued + 0,
         version = version + 1
   where organisation_id = :org and mode = 'live'
     and available + -1 >= 0 and held + 0 >= 0 and spent + 1 >= 0 and lent + 0 >= 0 and owed + 0 >= 0
  returning available, version, low_balance_threshold),
entered as (
  insert into credit_moves (organisation_id, mode, id, seq, type, from_place, to_place, amount, action, cause, available_after, created_at)
  select :org, 'live', gen_random_uuid(), moved.version, 'charge', 'available', 'spent', 1, 'invoice.create', gen_random_uuid()::text,
         moved.available, now()
    from moved)
select available, low_balance_threshold from moved;
commit;
