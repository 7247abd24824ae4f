-- Every delivery is written twice: as begun, and once it has ended. Many are written together and fill their pages, so that the second
-- version found no room beside the first and every end went to another page, and into the index once more.
alter table webhook_deliveries set (fillfactor = 50);
