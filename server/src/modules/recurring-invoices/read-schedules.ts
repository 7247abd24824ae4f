import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { listItemsById } from '../items/index.ts'
import { daysAfter, type InvoicePeriod, occurrence, periodOf } from './calendar.ts'
import { wordingFor } from './make-invoice.ts'
import { filledIn } from './placeholders.ts'
import {
  capabilitiesOf,
  type RecurringRun,
  type RecurringSchedule,
  type RecurringScheduleId,
  type ScheduleStatus,
} from './recurring-schedule.ts'
import {
  callerOf,
  findSchedule,
  getContent,
  listDueSchedules,
  listRuns,
  listSchedules,
  listSkippedDays,
  listTenantsWithDueSchedules,
  type StoredSchedule,
} from './recurring-schedules.store.ts'

const readFacts = { needs: ['invoice.read'], refuses: ['resource.not_found'] } as const

interface ScheduleRef {
  readonly id: RecurringScheduleId
}

async function getOwn({ db, caller }: Outside<TokenCaller>, { id }: ScheduleRef): Promise<StoredSchedule> {
  const found = await findSchedule(db, caller.tenant, id)
  if (!found) throw refuse('resource.not_found')
  return found
}

export const getSchedule = reading(
  readFacts,
  (context: Outside<TokenCaller>, ref: ScheduleRef): Promise<RecurringSchedule> => getOwn(context, ref),
)

export const listOwnSchedules = reading(
  { needs: ['invoice.read'], refuses: [] },
  (
    { db, caller }: Outside<TokenCaller>,
    { status, page }: { readonly status: ScheduleStatus | undefined; readonly page: PageRequest },
  ): Promise<Page<RecurringSchedule>> => listSchedules(db, caller.tenant, status, page),
)

export const listScheduleRuns = reading(
  readFacts,
  async (
    context: Outside<TokenCaller>,
    { id, page }: ScheduleRef & { readonly page: PageRequest },
  ): Promise<Page<RecurringRun>> =>
    await listRuns(context.db, context.caller.tenant, await getOwn(context, { id }), page),
)

/** An invoice that will be made. */
export interface ComingPeriod extends InvoicePeriod {
  readonly day: string
  readonly dueDate: string | null
  readonly isSkipped: boolean
  /** the descriptions of its lines with placeholders replaced, or the name of the item; null if the item was deleted */
  readonly descriptions: readonly (string | null)[]
}

const previewed = 12

/** The next twelve periods. */
export const previewSchedule = reading(
  readFacts,
  async (context: Outside<TokenCaller>, ref: ScheduleRef): Promise<readonly ComingPeriod[]> => {
    const { db, caller } = context
    const { id, recurrence, nextNumber, nextOn } = await getOwn(context, ref)
    if (nextOn === null) return []
    const skipped = await listSkippedDays(db, caller.tenant, id, nextOn)
    const coming: ComingPeriod[] = []
    const names = new Map<string | undefined, string>()
    for (let nth = nextNumber; nth < nextNumber + previewed; nth++) {
      const day = occurrence(recurrence, nth)
      if (day === undefined) break
      const { template, dueInDays } = await getContent(db, caller.tenant, id, day)
      const unknown = template.lines.flatMap(({ itemId }) =>
        itemId === undefined || names.has(itemId) ? [] : [itemId],
      )
      if (unknown.length > 0)
        for (const item of await listItemsById(db, caller.tenant, unknown)) names.set(item.id, item.name)
      const period = periodOf(recurrence, nth)
      const wording = await wordingFor(db, caller.tenant, template)
      coming.push({
        day,
        ...period,
        dueDate: dueInDays === null ? null : daysAfter(day, dueInDays),
        isSkipped: skipped.has(day),
        descriptions: template.lines.map(({ description, itemId }) =>
          description === undefined ? (names.get(itemId) ?? null) : filledIn(description, period, wording),
        ),
      })
    }
    return coming
  },
)

const ours = { needs: [], refuses: [] } as const
const tenantsAtOnce = 1_000
/** A second or two of work, so that other organisations do not wait long for their turn. */
const schedulesAtOnce = 20

export const findTenantsWithDueSchedules = reading(
  ours,
  ({ db, realNow: now }: Outside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> =>
    listTenantsWithDueSchedules(db, after, now, tenantsAtOnce),
)

export interface DueSchedule {
  readonly id: RecurringScheduleId
  readonly caller: TokenCaller
}

/**
 * The next due schedules of a tenant, with the person or key that each acts for. Its permissions were checked when the
 * schedule was written; the schedule belongs to the organisation and goes on if the person leaves.
 */
export const readDueSchedules = reading(
  ours,
  async ({ db, now }: Outside<SystemCaller>, tenant: Tenant): Promise<readonly DueSchedule[]> => {
    const work: DueSchedule[] = []
    for (const id of await listDueSchedules(db, tenant, now, schedulesAtOnce)) {
      const schedule = await findSchedule(db, tenant, id)
      if (!schedule) continue
      work.push({ id, caller: callerOf(schedule.madeBy, capabilitiesOf[schedule.policy]) })
    }
    return work
  },
)
