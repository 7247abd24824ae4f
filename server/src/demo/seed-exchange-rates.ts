import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { exchangeRateOperations } from '../modules/exchange-rates/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

const weeks = 20
const dayMs = 86_400_000

/** A rate for each week of the demo's invoices, so that its months can be closed. */
export async function seedExchangeRates(runner: Runner, owner: UserCaller): Promise<void> {
  const now = systemClock.now().getTime()
  const day = (week: number) => businessDay(new Date(now - week * 7 * dayMs), 'Africa/Lagos')
  const rates = Array.from({ length: weeks }, (_, week) => [
    { currency: 'USD', day: day(week), rate: `${1_540 - week}.5` },
    { currency: 'EUR', day: day(week), rate: `${1_705 - week}.25` },
    { currency: 'GBP', day: day(week), rate: `${1_990 - week}.75` },
  ]).flat()
  await runner.run(exchangeRateOperations.saveExchangeRates, { caller: owner, origin: demoOrigin, input: { rates } })
}
