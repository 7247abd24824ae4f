import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { countReportsDue, type MonthRow, sumByAge, sumByMonth, type Turnover, turnoverOf } from '../invoices/index.ts'
import { countUnknown, findLink } from '../submissions/index.ts'

/** Days after the due day from which a debt is called that old. */
const steps = { '1_30': 1, '31_60': 31, '61_90': 61, over_90: 91 } as const
export const ages = ['not_due', ...(Object.keys(steps) as (keyof typeof steps)[])] as const
export type Age = (typeof ages)[number]

const monthsShown = 12
const hourMs = 3_600_000
/** Less time than this, and whoever looks in should know. */
const soonMs = 24 * hourMs
/** A full hour, so that the list behind the figure keeps its address for as long as somebody looks. */
const soonUntil = (now: Date): Date => new Date(Math.ceil((now.getTime() + soonMs) / hourMs) * hourMs)

/** What was invoiced, taxed and paid. Drafts and rejected documents are left out; a cancelled invoice and the note that cancels it come to zero. */
export interface Month extends Turnover {
  /** its first day */
  readonly month: string
}

export interface Overview {
  readonly months: readonly Month[]
  readonly receivables: readonly {
    readonly age: Age
    readonly currency: string
    readonly count: number
    readonly dueMinor: bigint
  }[]
  readonly reports: {
    readonly late: number
    readonly soon: number
    readonly nextAt: Date | null
    /** up to when `soon` counts: a list of what is to be reported until then has as many documents as `late` and `soon` say */
    readonly until: Date
  }
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
const addedUp = (rows: readonly MonthRow[]): Month[] =>
  turnoverOf(rows, ({ month }) => month).map(({ group, ...turnover }) => ({ month: group, ...turnover }))

const ageOf = (step: number): Age =>
  (Object.keys(steps) as (keyof typeof steps)[]).find((age) => steps[age] === step) ?? 'not_due'

/** How business stands, and what of it waits for somebody. */
export const getOverview = reading(
  { needs: ['invoice.stats.read'], refuses: [] },
  async ({ db, caller, now, ports }: Outside<TokenCaller>, _input: undefined): Promise<Overview> => {
    const { tenant, country } = caller
    const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
    const today = businessDay(now, jurisdiction?.zone ?? 'UTC')
    const until = soonUntil(now)
    const [months, receivables, reports, unknownOutcomes, link] = await Promise.all([
      sumByMonth(db, tenant, monthBefore(today, monthsShown - 1)),
      sumByAge(db, tenant, today, Object.values(steps)),
      countReportsDue(db, tenant, now, until),
      countUnknown(db, tenant),
      country === undefined ? undefined : findLink(db, country, tenant.mode),
    ])
    return {
      months: addedUp(months),
      receivables: receivables.map(({ step, ...row }) => ({ age: ageOf(step), ...row })),
      reports: { ...reports, until },
      unknownOutcomes,
      authorityOutage: link && link.state !== 'closed' ? { since: link.since } : null,
    }
  },
)
