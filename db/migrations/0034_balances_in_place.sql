-- A balance changes with nearly everything that is done, and stays on its page where no index stands on what changes. Sandboxes that run low
-- are looked for once a day, by the primary key.
drop index credit_balances_sandbox;
alter table credit_balances set (fillfactor = 50);
