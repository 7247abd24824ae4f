-- Until when it has to be reported follows from what it says, and stays as that does.
drop trigger issued_invoices_are_frozen on invoices;
create trigger issued_invoices_are_frozen before update on invoices for each row
  when (old.status <> 'draft' and new.status <> 'draft' and
        (old.number, old.type, old.kind, old.seller_id, old.buyer_id, old.issue_date, old.issue_time, old.due_date, old.supply_date, old.currency,
         old.lines::text, old.tax_groups::text, old.net_minor, old.allowance_minor, old.charge_minor, old.tax_minor, old.rounding_minor,
         old.payable_minor, old.payment_terms, old.notes, old.purchase_order_reference, old.buyer_reference, old.accounting_cost,
         old.original_id, old.reason, old.seller_copy, old.buyer_copy, old.letterhead_copy, old.finalised_at, old.report_due_at)
        is distinct from
        (new.number, new.type, new.kind, new.seller_id, new.buyer_id, new.issue_date, new.issue_time, new.due_date, new.supply_date, new.currency,
         new.lines::text, new.tax_groups::text, new.net_minor, new.allowance_minor, new.charge_minor, new.tax_minor, new.rounding_minor,
         new.payable_minor, new.payment_terms, new.notes, new.purchase_order_reference, new.buyer_reference, new.accounting_cost,
         new.original_id, new.reason, new.seller_copy, new.buyer_copy, new.letterhead_copy, new.finalised_at, new.report_due_at))
  execute function refuse_to_rewrite_issued();
