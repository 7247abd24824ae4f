-- The deliveries of one type, without going through all that was ever sent. Its columns never change, so the end of a delivery does not touch it.
create index webhook_deliveries_of_type on webhook_deliveries (organisation_id, mode, type, id);
