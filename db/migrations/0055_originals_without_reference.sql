-- A foreign key is looked at for every row that is written, also where it points nowhere, as that of all but notes does. What a note corrects is locked
-- while the note is made, and is issued: it cannot be deleted (issued_invoices_stay).
alter table invoices drop constraint invoices_organisation_id_mode_original_id_fkey;
