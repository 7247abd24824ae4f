import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { countReportsDue, type MonthRow, sumByAge, sumByMonth } from '../invoices/index.ts'
import { countUnknown, findLink } from '../submissions/index.ts'

/** Days after the due day from which a debt is called that old. */
const steps = { '1_30': 1, '31_60': 31, '61_90': 61, over_90: 91 } as const
export const ages = ['not_due', ...(Object.keys(steps) as (keyof typeof steps)[])] as const
export type Age = (typeof ages)[number]

const monthsShown = 12
const hourMs = 3_600_000
/** Less time than this, and whoever looks in should know. */
const soonMs = 24 * hourMs

export interface Month {
  /** its first day */
  readonly month: string
  readonly currency: string
  readonly documents: number
  /** what was invoiced, less what was credited; drafts and what was cancelled are not in it */
  readonly invoicedMinor: bigint
  readonly taxMinor: bigint
  /** of what was invoiced in that month, what has been paid by now */
  readonly paidMinor: bigint
}

export interface Overview {
  readonly months: readonly Month[]
  readonly receivables: readonly {
    readonly age: Age
    readonly currency: string
    readonly count: number
    readonly dueMinor: bigint
  }[]
  readonly reports: { readonly late: number; readonly soon: number; readonly nextAt: Date | null }
  readonly unknownOutcomes: number
  /** nothing where the authority is reached as ever */
  readonly authorityOutage: { readonly since: Date } | null
}

/** The first day of the month so many before that of a day. */
function monthBefore(day: string, months: number): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return businessDay(new Date(Date.UTC(year, month - 1 - months, 1)), 'UTC')
}

/** Statuses and types of a month in one figure for each currency. */
function addedUp(rows: readonly MonthRow[]): Month[] {
  const months = new Map<string, Month>()
  for (const { month, status, type, currency, count, payableMinor, taxMinor, paidMinor } of rows) {
    if (status === 'draft' || status === 'cancelled') continue
    const key = `${month} ${currency}`
    const before = months.get(key) ?? { month, currency, documents: 0, invoicedMinor: 0n, taxMinor: 0n, paidMinor: 0n }
    const sign = type === 'credit_note' ? -1n : 1n
    months.set(key, {
      ...before,
      documents: before.documents + count,
      invoicedMinor: before.invoicedMinor + sign * payableMinor,
      taxMinor: before.taxMinor + sign * taxMinor,
      paidMinor: before.paidMinor + (type === 'credit_note' ? 0n : paidMinor),
    })
  }
  return [...months.values()]
}

const ageOf = (step: number): Age =>
  (Object.keys(steps) as (keyof typeof steps)[]).find((age) => steps[age] === step) ?? 'not_due'

/** How business stands, and what of it waits for somebody. */
export const getOverview = reading(
  { needs: ['invoice.stats.read'], refuses: [] },
  async ({ db, caller, now, ports }: Outside<TokenCaller>, _input: undefined): Promise<Overview> => {
    const { tenant, country } = caller
    const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
    const today = businessDay(now, jurisdiction?.zone ?? 'UTC')
    const [months, receivables, reports, unknownOutcomes, link] = await Promise.all([
      sumByMonth(db, tenant, monthBefore(today, monthsShown - 1)),
      sumByAge(db, tenant, today, Object.values(steps)),
      countReportsDue(db, tenant, now, new Date(now.getTime() + soonMs)),
      countUnknown(db, tenant),
      country === undefined ? undefined : findLink(db, country, tenant.mode),
    ])
    return {
      months: addedUp(months),
      receivables: receivables.map(({ step, ...row }) => ({ age: ageOf(step), ...row })),
      reports,
      unknownOutcomes,
      authorityOutage: link && link.state !== 'closed' ? { since: link.since } : null,
    }
  },
)
