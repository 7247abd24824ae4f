-- Background work, asked for in the transaction that needs it and claimed from here: one table, lanes that do not wait for each
-- other, and organisations that take turns. A row leaves when its work is done. `due_at` is also how long whoever took it may take: work
-- of a process that died falls due by itself. The organisation is all zeros for work that belongs to none.
create table work (
  id              uuid primary key,
  lane            text not null,
  organisation_id uuid not null,
  job             text not null,
  -- of those with one key, one waits; asked for again while it is done, it is done again
  key             text,
  payload         jsonb not null,
  due_at          timestamptz not null,
  attempts        smallint not null default 0,
  taken_by        uuid,
  is_wanted_again boolean not null default false,
  -- nobody tries any more: it stays to be looked at
  given_up_at     timestamptz,
  reason          text,
  created_at      timestamptz not null default now()
);
create index work_due on work (lane, organisation_id, due_at) where given_up_at is null;
create unique index work_keys on work (job, key) where key is not null and given_up_at is null;
comment on table work is 'machinery: background work that waits or is being done';

insert into work (id, lane, organisation_id, job, key, payload, due_at, created_at)
select gen_random_uuid(), case when job = 'send-message' then 'mail' when job like 'check-%' then 'authority' else 'money' end,
       coalesce((payload ->> 'organisationId')::uuid, '00000000-0000-0000-0000-000000000000'), job, job_key, payload, coalesce(run_at, now()), created_at
  from outbox;
-- What lay in the queue comes along; what time calls for stays there.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    execute $move$
      with moved as (
        delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier in
           ('send-message', 'open-billing-account', 'tell-low-balance', 'settle-notification', 'look-at-payment', 'charge-card', 'return-money',
            'follow-profile', 'check-buyer-tax-number', 'check-seller-tax-number', 'mail-invoice')
        returning t.identifier, j.payload, j.run_at, j.attempts, j.created_at)
      insert into work (id, lane, organisation_id, job, payload, due_at, attempts, created_at)
      select gen_random_uuid(),
             case when identifier in ('send-message', 'tell-low-balance', 'mail-invoice') then 'mail' when identifier like 'check-%' then 'authority'
                  when identifier in ('open-billing-account', 'follow-profile') then 'upkeep' else 'money' end,
             coalesce((payload ->> 'organisationId')::uuid, '00000000-0000-0000-0000-000000000000'), identifier, payload::jsonb,
             greatest(run_at, now()), attempts, created_at
        from moved $move$;
  end if;
end $$;
-- why: its rows are work now
drop table outbox;
