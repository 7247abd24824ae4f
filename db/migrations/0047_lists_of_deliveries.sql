-- The log of one endpoint, and of what failed, without going through all that was ever sent. Neither index is touched when a delivery ends well: the
-- columns of the first never change, and of what succeeds `reason` stays empty.
create index webhook_deliveries_of_endpoint on webhook_deliveries (organisation_id, mode, endpoint_id, id);
create index webhook_deliveries_failed on webhook_deliveries (organisation_id, mode, id) where reason is not null;
