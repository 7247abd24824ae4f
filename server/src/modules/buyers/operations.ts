/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { deleteBuyers } from './delete-buyers.ts'
export { getBuyer, getBuyerSetup, getBuyerVerification, listOwnBuyers, searchOwnBuyers } from './read-buyers.ts'
export { updateBuyer } from './update-buyer.ts'
export { verifyBuyer } from './verify-buyer.ts'
