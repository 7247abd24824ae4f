-- Payments of an invoice that were made out of a buyer's credit by the service itself: they go back to the credit when the invoice is reopened.
alter table invoice_payments add column from_credit boolean not null default false;
update invoice_payments p set from_credit = true
 where p.received_payment_id is not null
   and exists (select 1 from received_payment_moves m
                where m.organisation_id = p.organisation_id and m.mode = p.mode and m.payment_id = p.received_payment_id
                  and m.invoice_payment_id = p.id and m.type = 'use_credit')
   and not exists (select 1 from received_payment_moves m
                    where m.organisation_id = p.organisation_id and m.mode = p.mode and m.payment_id = p.received_payment_id
                      and m.invoice_payment_id = p.id and m.type = 'apply');
