export { background } from './background.ts'

export { findConfirmedName, hasConfirmedTaxNumber } from './confirmed-seller.ts'
export { makePrimarySeller } from './follow-profile.ts'
export * as sellerOperations from './operations.ts'
export type { CheckedSeller, Seller, SellerDetails, SellerId } from './seller.ts'
export { findPrimarySeller, findSeller, holdSeller, lockSeller } from './sellers.store.ts'
export { takeConfirmedTaxNumber } from './take-confirmed-tax-number.ts'
