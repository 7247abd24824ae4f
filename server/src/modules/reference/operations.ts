/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { listJurisdictions } from './list-jurisdictions.ts'
export { listProductCategories, readAllLists, readList, searchProductCodes } from './read-lists.ts'
