-- What falls due on the same day is listed in the order of its issue, so one index serves due dates alone and with days of issue.
drop index invoice_listing_due;
drop index invoice_listing_issued_due;

-- Each key ends with the id and is the only one of its kind: looking for equal ones to put together, whenever a page is full, is in vain.
alter index invoice_listing_buyer set (deduplicate_items = off);
alter index invoice_listing_created set (deduplicate_items = off);
alter index invoice_listing_creator set (deduplicate_items = off);
alter index invoice_listing_due_issued set (deduplicate_items = off);
alter index invoice_listing_facets set (deduplicate_items = off);
alter index invoice_listing_irn set (deduplicate_items = off);
alter index invoice_listing_issued set (deduplicate_items = off);
alter index invoice_listing_number set (deduplicate_items = off);
alter index invoice_listing_party set (deduplicate_items = off);
alter index invoice_listing_payable set (deduplicate_items = off);
alter index invoice_listing_seller set (deduplicate_items = off);
alter index invoice_listing_tax set (deduplicate_items = off);
