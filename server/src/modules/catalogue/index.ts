export {
  type BillableAction,
  type CatalogueFilter,
  type CreditPackage,
  costs,
  type Interval,
  intervals,
  nextSandboxTopUp,
  openingCredits,
  type Plan,
  packageFor,
  packages,
  plans,
  sandboxTopUp,
} from './catalogue.ts'
export { type Currency, currencies } from './currency.ts'
export { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from './read-catalogue.ts'
