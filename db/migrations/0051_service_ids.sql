-- Whoever holds a document asks whether it was reported: the service id in its number leads to whoever reports under it.
create index tax_connections_service on tax_connections (service_id);
