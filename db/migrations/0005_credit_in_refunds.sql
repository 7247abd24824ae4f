comment on column received_payment_moves.buyer_id is
  'Whose credit the money was or becomes. Null if it is about no credit, and in moves that were written before this column.';
