import type { PublicCaller } from '../../kernel/callers.ts'
import { reading } from '../../platform/operations/operation.ts'
import { type CatalogueFilter, costSections, packageFor, packagesFor, planFor, plansFor } from './catalogue.ts'

const facts = { needs: [], refuses: [] } as const
type FilterInput = { readonly filter: CatalogueFilter }

export const listOffers = reading(facts, async (_: { caller: PublicCaller }, { filter }: FilterInput) => ({
  plans: plansFor(filter),
  packages: packagesFor(filter),
}))

export const listPlans = reading(facts, async (_: { caller: PublicCaller }, { filter }: FilterInput) =>
  plansFor(filter),
)

export const getPlan = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async (_: { caller: PublicCaller }, { code, filter }: FilterInput & { code: string }) => planFor(code, filter),
)

export const listPackages = reading(
  facts,
  async (_: { caller: PublicCaller }, { filter, featured }: FilterInput & { featured: boolean | undefined }) =>
    packagesFor(filter, featured),
)

export const getPackage = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async (_: { caller: PublicCaller }, { id, filter }: FilterInput & { id: string }) => packageFor(id, filter),
)

/** Costs are in credits, so the currency and interval filters change nothing. */
export const listCosts = reading(facts, async (_: { caller: PublicCaller }, _filtered: FilterInput) => costSections())
