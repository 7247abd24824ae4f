import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { ageSteps, type ReceivableAge } from '../../kernel/receivable-ages.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { countReportsDue, listMonthlyTurnover, statistics } from '../invoices/index.ts'
import { countUnknown, findLink } from '../submissions/index.ts'

const monthsShown = 12
const hourMs = 3_600_000
/** A deadline within this time is shown. */
const soonMs = 24 * hourMs
/** Rounded up to the hour, so that the link to the list stays the same for a while. */
const soonUntil = (now: Date): Date => new Date(Math.ceil((now.getTime() + soonMs) / hourMs) * hourMs)

export interface Overview {
  /** Drafts and rejected documents are left out. A cancelled invoice and its credit note add up to zero. */
  readonly months: Awaited<ReturnType<typeof listMonthlyTurnover>>
  readonly receivables: readonly {
    readonly age: ReceivableAge
    readonly currency: string
    readonly count: number
    readonly dueMinor: bigint
  }[]
  readonly reports: {
    readonly late: number
    readonly soon: number
    readonly nextAt: Date | null
    /** End of the time that `soon` counts. The list of documents due until then has `late` plus `soon` entries. */
    readonly until: Date
  }
  readonly unknownOutcomes: number
  /** Null if the authority answers. */
  readonly authorityOutage: { readonly since: Date } | null
}

/** First day of the month that lies so many months before a day. */
function monthBefore(day: string, months: number): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return businessDay(new Date(Date.UTC(year, month - 1 - months, 1)), 'UTC')
}

const ageOf = (step: number): ReceivableAge =>
  (Object.keys(ageSteps) as (keyof typeof ageSteps)[]).find((age) => ageSteps[age] === step) ?? 'not_due'

export const getOverview = reading(
  { needs: ['invoice.stats.read'], refuses: [] },
  async ({ db, caller, now, ports }: Outside<TokenCaller>, _input: undefined): Promise<Overview> => {
    const { tenant, country } = caller
    const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
    const today = businessDay(now, jurisdiction?.zone ?? 'UTC')
    const until = soonUntil(now)
    const [months, receivables, reports, unknownOutcomes, link] = await Promise.all([
      listMonthlyTurnover(db, tenant, monthBefore(today, monthsShown - 1)),
      statistics.sumByAge(db, tenant, today, Object.values(ageSteps)),
      countReportsDue(db, tenant, now, until),
      countUnknown(db, tenant),
      country === undefined ? undefined : findLink(db, country, tenant.mode),
    ])
    return {
      months,
      receivables: receivables.map(({ step, ...row }) => ({ age: ageOf(step), ...row })),
      reports: { ...reports, until },
      unknownOutcomes,
      authorityOutage: link && link.state !== 'closed' ? { since: link.since } : null,
    }
  },
)
