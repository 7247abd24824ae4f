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
export * as catalogueOperations from './operations.ts'
export { billingZone, type Currency, currencies, type Interval, intervals } from './prices.ts'
