-- An answer of a few kilobytes stays in its row: put beside it in pieces, it would cost a second table and a second index each time.
alter table idempotency_keys set (toast_tuple_target = 8160);
