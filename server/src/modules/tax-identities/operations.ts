/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { lookUpTaxId } from './look-up-tax-id.ts'
export { checkReachability, getReachability } from './reachability.ts'
