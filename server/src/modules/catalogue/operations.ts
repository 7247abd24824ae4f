/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { getPackage, getPlan, listCosts, listOffers, listPackages, listPlans } from './read-catalogue.ts'
