-- A bulk job can also collect the PDFs of documents.
alter table bulk_jobs drop constraint bulk_jobs_action_check;
alter table bulk_jobs add constraint bulk_jobs_action_check
  check (action in ('finalise', 'submit', 'send', 'remind', 'download', 'delete'));
