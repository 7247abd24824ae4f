-- From which day on buyers are covered by the reminder plan, so that nobody is reminded of old debts at once.
--
-- For buyers who were not chosen one by one. Null: since the plan was switched on.
alter table reminder_plans add column everyone_since date;
-- For one buyer. Null: since the plan was switched on.
alter table reminder_buyers add column since date;
alter table reminder_buyers drop constraint reminder_buyers_choice_check;
alter table reminder_buyers add constraint reminder_buyers_choice_check check (choice in ('by_plan', 'chosen', 'never'));
