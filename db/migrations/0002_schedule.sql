-- When each scheduled job is due next. The jobs and their intervals stand in the code; a worker adds a missing row when it starts.
create table schedule (
  job text not null,
  due_at timestamptz not null,
  primary key (job)
);
comment on table schedule is 'machinery: when each scheduled job is due next';

-- why: version 1.0.0 kept its schedule here. Nothing in it is lost: every scheduled job runs again at its next time.
drop schema if exists graphile_worker cascade;
