export {
  type BillableAction,
  type CatalogueFilter,
  type CreditPackage,
  costs,
  type Interval,
  intervals,
  openingCredits,
  type Plan,
  packageFor,
  packages,
  plans,
} from './catalogue.ts'
export { type Currency, currencies } from './currency.ts'
export { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from './read-catalogue.ts'
