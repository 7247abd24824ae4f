-- Whose credit a move raised or lowered. Null in moves of other parts, and in moves that were written before this column.
alter table received_payment_moves add column buyer_id uuid;
