-- Lists that ask for one of an invoice's two days and are sorted by the other: the best of each day are taken from these, where the order
-- of either day alone would lead through nearly all before the first that is wanted.
create index invoice_listing_issued_due on invoice_listing (organisation_id, mode, issue_date, due_date, created_at, id);
create index invoice_listing_due_issued on invoice_listing (organisation_id, mode, due_date, issue_date, created_at, id);
