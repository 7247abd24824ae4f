-- Entries of the listing stand for several lines since 0058. Software from before takes each for one, and would leave too many uses behind for ever when such a
-- document is changed or deleted. It does not say this, and so cannot count codes any more; what it leaves is taken up by whoever does.
alter table invoice_codes add column reads_runs boolean not null default true;
alter table invoice_codes alter column reads_runs drop default;
comment on column invoice_codes.reads_runs is 'said by whoever counts: that an entry of the listing may stand for several lines';
