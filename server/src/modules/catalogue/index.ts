export {
  type BillableAction,
  type CatalogueFilter,
  type CreditPackage,
  costs,
  nextSandboxTopUp,
  openingCredits,
  type Plan,
  packageFor,
  packages,
  plans,
  sandboxTopUp,
} from './catalogue.ts'
export { type Currency, currencies, type Interval, intervals } from './prices.ts'
export { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from './read-catalogue.ts'
