-- A period of a recurring schedule can wait, and an invoice can be sent when the authority has accepted it.
alter table recurring_contents drop constraint recurring_contents_policy_check;
alter table recurring_contents add constraint recurring_contents_policy_check check (policy in ('draft', 'finalise', 'submit', 'send', 'submit_and_send'));

alter table recurring_runs drop constraint recurring_runs_outcome_check;
alter table recurring_runs add constraint recurring_runs_outcome_check check (outcome in ('made', 'waiting', 'failed', 'skipped', 'missed'));
-- When the first refusal came of a period that waits.
alter table recurring_runs add column waiting_since timestamptz;
-- True until the accepted invoice was sent.
alter table recurring_runs add column is_sent_later boolean default false not null;
alter table recurring_runs add constraint recurring_runs_waiting_check check (outcome <> 'waiting' or waiting_since is not null);
create index recurring_runs_sent_later on recurring_runs (organisation_id, mode, invoice_id) where is_sent_later;
