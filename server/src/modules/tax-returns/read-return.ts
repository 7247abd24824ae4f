import type { Jurisdiction } from '../../jurisdictions/port.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { type Page, type PageRequest, pageOfArray } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import {
  type TaxReturnDocument,
  type TaxReturnDocumentLine,
  type TaxReturnFigures,
  type TaxReturnTotals,
  totalsOf,
} from '../../kernel/tax-return.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { statistics } from '../invoices/index.ts'
import { findOrganisation } from '../organisations/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { daysOf, periodAfter, periodOf, periodsBetween, type TaxPeriod } from './tax-periods.ts'
import {
  type LineFilter,
  type ReturnRules,
  type ReturnState,
  readFigures,
  readLines,
  readState,
  sumOpenPeriods,
} from './tax-returns.store.ts'

/** Capabilities to read a return: it has figures of own and of received documents. */
export const readingNeeds = ['invoice.stats.read', 'invoice.read', 'invoice.inbound.read'] as const

export const rulesOf = ({ currency, taxReturn }: Jurisdiction): ReturnRules => ({
  currency,
  categories: taxReturn.categories,
})

/** A month and what became of it. */
export interface TaxReturnHead {
  readonly period: TaxPeriod
  readonly from: string
  readonly to: string
  readonly dueOn: string
  readonly currency: string
  readonly status: 'open' | 'closed'
  /** whether it can be closed now: it is the first open period, and it has ended */
  readonly canClose: boolean
  /** null while it is open, and for periods before the first one */
  readonly closedAt: Date | null
}

/** The first month of the returns here is at most so many months before the month in which the organisation was created. */
const monthsBeforeCreation = 12

/** Closed periods, and where the open ones begin. */
export interface Progress extends ReturnState {
  /** the last period that is over: the newest closed one, or the one before the first return here */
  readonly before: TaxPeriod
  /** the period to be closed next. `undefined` without documents: then any later period that has ended can be the first */
  readonly next: TaxPeriod | undefined
}

export async function stateOf(db: Queryable, tenant: Tenant, { zone }: Jurisdiction): Promise<Progress> {
  const organisation = await findOrganisation(db, tenant.organisationId)
  if (!organisation) throw refuse('jurisdiction.unsupported')
  const created = periodOf(businessDay(organisation.createdAt, zone))
  const earliest = periodAfter(created, -monthsBeforeCreation)
  const state = await readState(db, tenant, { created, earliest })
  const last = state.closed[0]?.period
  const next = last === undefined ? (state.firstPeriod ?? undefined) : periodAfter(last)
  return { ...state, next, before: periodAfter(next ?? earliest, -1) }
}

export function headOf(
  { currency, zone, taxReturn }: Jurisdiction,
  { closed, before, next }: Progress,
  period: TaxPeriod,
  now: Date,
): TaxReturnHead {
  const { from, to } = daysOf(period)
  const found = closed.find((one) => one.period === period)
  return {
    period,
    from,
    to,
    dueOn: taxReturn.dueOn(to),
    currency,
    status: period <= before ? 'closed' : 'open',
    canClose: period > before && (next ?? period) === period && to < businessDay(now, zone),
    closedAt: found?.closedAt ?? null,
  }
}

export interface TaxReturn extends TaxReturnHead, TaxReturnFigures {
  /** names of the tax categories and of the rules for claims, for people */
  readonly labels: Readonly<Record<string, string>>
  readonly documentsWithoutRate: number
  /** documents of the period that the authority has not accepted; they are in no figure */
  readonly documentsNotAccepted: number
  /** those of them that it rejected: they stay out until somebody corrects them */
  readonly documentsRejected: number
}

interface Sources {
  readonly db: Queryable
  readonly ports: Ports
  readonly now: Date
}

const notAccepted = ['finalised', 'queued', 'signed', 'transmitted', 'failed', 'rejected']

export async function readReturn(
  { db, now }: Sources,
  tenant: Tenant,
  jurisdiction: Jurisdiction,
  period: TaxPeriod,
): Promise<TaxReturn> {
  const state = await stateOf(db, tenant, jurisdiction)
  const { withoutRate, ...read } = await readFigures(db, tenant, rulesOf(jurisdiction), period, state.before)
  const head = headOf(jurisdiction, state, period, now)
  const byStatus = await statistics.sumByStatus(db, tenant, { from: head.from, to: head.to })
  const countOf = (statuses: readonly string[]): number =>
    byStatus.filter(({ status }) => statuses.includes(status)).reduce((sum, { count }) => sum + count, 0)
  return {
    ...head,
    ...read,
    ...totalsOf([...read.figures, ...read.exceptions]),
    labels: { ...jurisdiction.taxLabels, ...jurisdiction.taxReturn.claimLabels },
    documentsWithoutRate: withoutRate,
    documentsNotAccepted: countOf(notAccepted),
    documentsRejected: countOf(['rejected']),
  }
}

/** The figures of one month, in the home currency. */
export const getTaxReturn = reading(
  { needs: readingNeeds, refuses: ['jurisdiction.unsupported'] },
  async (context: Outside<TokenCaller>, { period }: { readonly period: TaxPeriod }): Promise<TaxReturn> =>
    await readReturn(context, context.caller.tenant, jurisdictionOf(context.ports, context.caller), period),
)

export type ListedReturn = TaxReturnHead & TaxReturnTotals

/** Limit of months in the list: ten years. */
const mostPeriods = 120

/** All months from the first one to the current one, newest first. */
export const listTaxReturns = reading(
  { needs: readingNeeds, refuses: ['jurisdiction.unsupported', 'request.invalid'] },
  async (
    { db, caller, ports, now }: Outside<TokenCaller>,
    { page }: { readonly page: PageRequest },
  ): Promise<Page<ListedReturn>> => {
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const state = await stateOf(db, tenant, jurisdiction)
    const { before, next } = state
    const open = await sumOpenPeriods(db, tenant, rulesOf(jurisdiction))
    const current = periodOf(businessDay(now, jurisdiction.zone))
    const first = state.closed.at(-1)?.period ?? state.firstPeriod ?? current
    const totals = (period: TaxPeriod): TaxReturnTotals => {
      const found = state.closed.find((one) => one.period === period)
      if (found) return found
      const counted = open.filter((one) => one.period === period || (period === next && one.period <= before))
      return {
        outputTaxMinor: counted.reduce((sum, one) => sum + one.outputTaxMinor, 0n),
        inputTaxMinor: counted.reduce((sum, one) => sum + one.inputTaxMinor, 0n),
      }
    }
    const last = next !== undefined && next > current ? next : current
    const listed = periodsBetween(first, last, mostPeriods).map((period) => {
      const { outputTaxMinor, inputTaxMinor } = totals(period)
      return { ...headOf(jurisdiction, state, period, now), outputTaxMinor, inputTaxMinor }
    })
    return pageOfArray(listed, page)
  },
)

/** The documents of a period, or of one figure of it. */
export const listReturnDocuments = reading(
  { needs: readingNeeds, refuses: ['jurisdiction.unsupported', 'request.invalid'] },
  async (
    { db, caller, ports }: Outside<TokenCaller>,
    { period, page, ...filter }: LineFilter & { readonly period: TaxPeriod; readonly page: PageRequest },
  ): Promise<Page<TaxReturnDocumentLine>> => {
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const { before } = await stateOf(db, tenant, jurisdiction)
    return await readLines(db, tenant, rulesOf(jurisdiction), { period, before }, filter, page)
  },
)

/** Limit of lines in a file. */
export const mostLines = 20_000

/** The whole return with its documents, for a file. */
export async function wholeReturn(sources: Sources, tenant: Tenant, period: TaxPeriod): Promise<TaxReturnDocument> {
  const { db, ports } = sources
  const organisation = await findOrganisation(db, tenant.organisationId)
  const jurisdiction = ports.jurisdictions.of(organisation?.country ?? undefined)
  if (!organisation || !jurisdiction) throw refuse('jurisdiction.unsupported')
  const found = await readReturn(sources, tenant, jurisdiction, period)
  const page = { page: 1, limit: mostLines }
  const { before } = await stateOf(db, tenant, jurisdiction)
  const lines = await readLines(db, tenant, rulesOf(jurisdiction), { period, before }, {}, page)
  if (lines.next) throw refuse('tax_return.too_long')
  return {
    mode: tenant.mode,
    businessName: organisation.name,
    taxId: organisation.taxNumber,
    period,
    from: found.from,
    to: found.to,
    dueOn: found.dueOn,
    currency: found.currency,
    status: found.status,
    closedOn: found.closedAt && businessDay(found.closedAt, jurisdiction.zone),
    figures: found.figures,
    exceptions: found.exceptions,
    outputTaxMinor: found.outputTaxMinor,
    inputTaxMinor: found.inputTaxMinor,
    labels: found.labels,
    lines: lines.rows,
  }
}
