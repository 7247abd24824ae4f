import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay, instantAt } from '../../../kernel/days.ts'
import { farDayFaults } from '../../../kernel/far-days.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { SellerId } from '../../sellers/index.ts'
import { settlementKinds } from '../payments/differences.store.ts'
import { listSettlementDays, listSettlements } from './settlements.store.ts'

const dayMs = 86_400_000
const standardDays = 30
const mostDays = 93

export const listOwnSettlements = reading(
  { time: 'real', needs: ['collection.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, asked: { sellerId?: SellerId | undefined; page: PageRequest }) =>
    listSettlements(db, caller.tenant, { sellerId: asked.sellerId }, asked.page),
)

export interface DaysQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly sellerId?: SellerId | undefined
  readonly page: PageRequest
}

/** Both days are included. The default is the 30 days up to today. Days begin in the zone. */
function spanOf({ from, to }: DaysQuery, now: Date, zone: string): { readonly from: Date; readonly to: Date } {
  const far = farDayFaults({ from, to })
  if (far.length > 0) throw invalid(far)
  const startOf = (day: string): Date => instantAt(day, '00:00:00', zone)
  const last = startOf(to ?? businessDay(now, zone))
  const end = startOf(businessDay(new Date(last.getTime() + dayMs + dayMs / 2), zone))
  const begin = from === undefined ? new Date(end.getTime() - standardDays * dayMs) : startOf(from)
  const faults: Fault[] = []
  if (begin >= end) faults.push({ path: 'from', rule: 'order', message: 'must not be after to' })
  if (end.getTime() - begin.getTime() > mostDays * dayMs)
    faults.push({ path: 'from', rule: 'span', message: `must be at most ${mostDays} days before to` })
  if (faults.length > 0) throw invalid(faults)
  return { from: begin, to: end }
}

export const listOwnSettlementDays = reading(
  { time: 'real', needs: ['collection.read'], refuses: ['request.invalid'] },
  ({ db, caller, now, ports }: Outside<TokenCaller>, asked: DaysQuery) => {
    const zone = ports.jurisdictions.of(caller.country)?.zone ?? 'UTC'
    const span = { ...spanOf(asked, now, zone), zone, sellerId: asked.sellerId }
    return listSettlementDays(db, caller.tenant, span, settlementKinds, asked.page)
  },
)
