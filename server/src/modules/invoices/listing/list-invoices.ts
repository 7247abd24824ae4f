import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { InvoiceFilter, InvoiceSort } from './invoice-filter.ts'
import { listSummaries } from './listing.store.ts'

const faultsOfRanges = (filter: InvoiceFilter): Fault[] => [
  ...faultsOfRange('issueDateFrom', filter.issueDateFrom, filter.issueDateTo),
  ...faultsOfRange('dueDateFrom', filter.dueDateFrom, filter.dueDateTo),
  ...faultsOfRange('createdAtFrom', filter.createdAtFrom, filter.createdAtTo),
  ...faultsOfRange('amountFromMinor', filter.amountFromMinor, filter.amountToMinor),
]

/** Overdue depends on the current day in the organisation's country. */
export const listInvoices = reading(
  { needs: ['invoice.read'], refuses: ['request.invalid'] },
  async (
    { db, caller, now, ports }: Outside<TokenCaller>,
    { filter, sort, page }: { filter: InvoiceFilter; sort: InvoiceSort; page: PageRequest },
  ) => {
    const faults = faultsOfRanges(filter)
    if (faults.length > 0) throw invalid(faults)
    const country = caller.country === undefined ? undefined : ports.jurisdictions.of(caller.country)
    const today = businessDay(now, country?.zone ?? 'UTC')
    return listSummaries(db, caller.tenant, { filter, sort, page, today })
  },
)
