/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { createSeller, removeSeller, removeSellers, updateSeller } from './change-sellers.ts'
export { getSeller, getSellerSetup, getSellerVerification, listOwnSellers } from './read-sellers.ts'
export { verifyOwnTaxNumber } from './verify-own-tax-number.ts'
export { verifySeller } from './verify-seller.ts'
