import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import { checkedMinor } from '../../../kernel/money-words.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { DayOrInstant, ReceivedFilter, ReceivedSort, Today } from '../received-filter.ts'
import type { ReceivedInvoice } from '../received-invoice.ts'
import { feedStateOf, ownTaxIds, type Sync, todayOf } from '../receiving/sync.ts'
import { type CurrencyFigures, sumReceived } from './figures.store.ts'
import { listReceived } from './listing.store.ts'

/** The tax number is in any spelling, and amounts are in major units. */
export type FilterInput = Omit<ReceivedFilter, 'taxIdNormal' | 'amountMinMinor' | 'amountMaxMinor'> & {
  readonly taxId?: string | undefined
  readonly amountMin?: Decimal | undefined
  readonly amountMax?: Decimal | undefined
}

export interface ReceivedList {
  readonly page: Page<ReceivedInvoice>
  /** In the spelling that people use. */
  readonly taxIds: readonly string[]
  readonly sync: Sync
  readonly today: string
}

/** Only values of the same type can be compared here; the database compares a day with an instant. */
const faultsOfTimes = (from: DayOrInstant | undefined, to: DayOrInstant | undefined): Fault[] => {
  if (from && to && 'day' in from && 'day' in to) return faultsOfRange('receivedFrom', from.day, to.day)
  if (from && to && 'instant' in from && 'instant' in to) return faultsOfRange('receivedFrom', from.instant, to.instant)
  return []
}

const faultsOfRanges = (filter: ReceivedFilter): Fault[] => [
  ...faultsOfRange('issueDateFrom', filter.issueDateFrom, filter.issueDateTo),
  ...faultsOfTimes(filter.receivedFrom, filter.receivedTo),
  ...faultsOfRange('amountMin', filter.amountMinMinor, filter.amountMaxMinor),
]

interface ResolvedQuery {
  readonly filter: ReceivedFilter
  readonly today: Today
  readonly written: readonly string[]
  readonly sync: Sync
}

/** Validates a filter and adds the tenant's sync state. */
async function resolveQuery(
  context: Outside<TokenCaller>,
  { taxId, amountMin, amountMax, ...rest }: FilterInput,
): Promise<ResolvedQuery> {
  const { db, caller, now, ports } = context
  const jurisdiction = caller.country === undefined ? undefined : ports.jurisdictions.of(caller.country)
  const { connection, sync } = await feedStateOf(context)
  const own = await ownTaxIds(db, caller, connection)
  const normal = taxId === undefined ? undefined : (jurisdiction?.taxIds.normalise('national', taxId) ?? taxId)
  const currency = rest.currency ?? jurisdiction?.currency ?? ''
  const filter = {
    ...rest,
    amountMinMinor: amountMin && checkedMinor('amountMin', amountMin, currency),
    amountMaxMinor: amountMax && checkedMinor('amountMax', amountMax, currency),
  }
  const faults = faultsOfRanges(filter)
  if (normal !== undefined && !own.includes(normal))
    faults.push({ path: 'taxId', rule: 'own', message: 'must be one of taxpayer.taxIds' })
  if (faults.length > 0) throw invalid(faults)
  return {
    filter: { ...filter, taxIdNormal: normal },
    today: todayOf(jurisdiction, now),
    written: own.map((one) => jurisdiction?.taxIds.written(one) ?? one),
    sync,
  }
}

/** Reads our own records only, so it works while the authority is down. */
export const listReceivedInvoices = reading(
  { needs: ['invoice.inbound.read'], refuses: ['request.invalid'] },
  async (
    context: Outside<TokenCaller>,
    input: { filter: FilterInput; sort: ReceivedSort; page: PageRequest },
  ): Promise<ReceivedList> => {
    const { filter, today, written, sync } = await resolveQuery(context, input.filter)
    const page = await listReceived(context.db, context.caller.tenant, { ...input, filter }, today)
    return { page, taxIds: written, sync, today: today.today }
  },
)

export interface ReceivedAnalytics {
  /** The currency of the filter, or else the most common one. Null without invoices. */
  readonly reportingCurrency: string | null
  readonly byCurrency: readonly CurrencyFigures[]
  readonly sync: Sync
}

export const analyseReceivedInvoices = reading(
  { needs: ['invoice.inbound.read'], refuses: ['request.invalid'] },
  async (context: Outside<TokenCaller>, input: { filter: FilterInput }): Promise<ReceivedAnalytics> => {
    const { filter, today, sync } = await resolveQuery(context, input.filter)
    const byCurrency = await sumReceived(context.db, context.caller.tenant, filter, today)
    return { reportingCurrency: filter.currency ?? byCurrency[0]?.currency ?? null, byCurrency, sync }
  },
)
