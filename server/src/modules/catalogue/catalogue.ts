import { refuse } from '../../kernel/refusals.ts'
import { priceList } from './price-list.ts'
import { type Currency, type Interval, type PlanPrice, type Price, packagePrices, planPrices } from './prices.ts'

export interface Plan {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly monthlyCredits: bigint
  readonly prices: readonly PlanPrice[]
}

export interface CreditPackage {
  readonly id: string
  readonly name: string
  readonly credits: bigint
  readonly featured: boolean
  readonly prices: readonly Price[]
}

export type BillableAction = keyof typeof priceList.costs

export const costs: Readonly<Record<BillableAction, { credits: bigint; section: string; label: string }>> =
  priceList.costs
export const openingCredits = priceList.opening
export const sandboxTopUp = priceList.sandboxTopUp

export function nextSandboxTopUp(now: Date): Date {
  const next = new Date(now)
  next.setUTCHours(sandboxTopUp.hourUtc, sandboxTopUp.minute, 0, 0)
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1)
  return next
}
export const plans: readonly Plan[] = priceList.plans.map((plan) => ({ ...plan, prices: planPrices(plan.code) }))
export const packages: readonly CreditPackage[] = priceList.packages.map((one) => ({
  ...one,
  prices: packagePrices(one.id),
}))

export interface CatalogueFilter {
  readonly currency?: Currency | undefined
  readonly interval?: Interval | undefined
}

const fits =
  ({ currency, interval }: CatalogueFilter) =>
  (price: { currency: Currency; interval?: Interval }): boolean =>
    (currency === undefined || price.currency === currency) &&
    (interval === undefined || price.interval === undefined || price.interval === interval)

/** Filters the prices. A plan without prices, the free plan, always stays. */
export const plansFor = (filter: CatalogueFilter): Plan[] =>
  plans.map((plan) => ({ ...plan, prices: plan.prices.filter(fits(filter)) }))

export const packagesFor = (filter: CatalogueFilter, featured?: boolean): CreditPackage[] =>
  packages
    .filter((one) => featured === undefined || one.featured === featured)
    .map((one) => ({ ...one, prices: one.prices.filter(fits(filter)) }))

export function planFor(code: string, filter: CatalogueFilter = {}): Plan {
  const plan = plansFor(filter).find((candidate) => candidate.code === code)
  if (!plan) throw refuse('resource.not_found', { message: 'No plan has this code. Choose another one.', see: 'plans' })
  return plan
}

export function packageFor(id: string, filter: CatalogueFilter = {}): CreditPackage {
  const found = packagesFor(filter).find((candidate) => candidate.id === id)
  if (!found)
    throw refuse('resource.not_found', { message: 'No package has this id. Choose another one.', see: 'plans' })
  return found
}

/** Groups the costs by section, for display. */
export function costSections(): {
  section: string
  actions: { action: BillableAction; label: string; credits: bigint }[]
}[] {
  const entries = Object.entries(costs) as [BillableAction, (typeof costs)[BillableAction]][]
  return [...new Set(entries.map(([, { section }]) => section))].map((section) => ({
    section,
    actions: entries
      .filter(([, cost]) => cost.section === section)
      .map(([action, { label, credits }]) => ({ action, label, credits })),
  }))
}
