import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { changeInvoices, type InvoiceChange, type WayToChange } from '../change-invoices.store.ts'

/** Queues documents for the authority (`queuedInvoice`); `way` says which other rows are written, and the guard. */
export const queueInvoices = <Change extends InvoiceChange>(
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, Change>[],
  way: Omit<WayToChange<Change>, 'name' | 'fields'>,
) =>
  changeInvoices(db, tenant, planned, {
    ...way,
    name: 'queue invoices',
    fields: ['status', 'submittedAt', 'updatedAt'],
  })
