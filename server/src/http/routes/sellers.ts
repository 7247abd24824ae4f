import { sellerOperations } from '../../modules/sellers/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const sellers = '/i/v1/sellers'

export const sellerRoutes = {
  list: defineRoute('GET', sellers, 'token', sellerOperations.listOwnSellers, {
    summary: 'List sellers, the organisation itself first',
  }),
  create: defineRoute('POST', sellers, 'token', sellerOperations.createSeller, { summary: 'Create a seller' }),
  deleteMany: defineRoute('DELETE', `${sellers}/bulk`, 'token', sellerOperations.removeSellers, {
    summary: 'Delete several sellers',
  }),
  search: defineRoute('GET', `${sellers}/search`, 'token', sellerOperations.listOwnSellers, {
    summary: 'Find sellers by name or tax number',
  }),
  getSetup: defineRoute('GET', `${sellers}/setup`, 'token', sellerOperations.getSellerSetup, {
    summary: 'Get the choices for a seller form',
  }),
  get: defineRoute('GET', `${sellers}/{id}`, 'token', sellerOperations.getSeller, { summary: 'Get a seller' }),
  update: defineRoute('PATCH', `${sellers}/{id}`, 'token', sellerOperations.updateSeller, {
    summary: 'Edit a seller',
    description: 'The tax number cannot be changed.',
  }),
  delete: defineRoute('DELETE', `${sellers}/{id}`, 'token', sellerOperations.removeSeller, {
    summary: 'Delete a seller',
  }),
  getVerification: defineRoute(
    'GET',
    `${sellers}/{id}/verification-status`,
    'token',
    sellerOperations.getSellerVerification,
    {
      summary: 'Get the latest check of a seller’s tax number',
    },
  ),
  verify: defineRoute('POST', `${sellers}/{id}/verify-tax-number`, 'token', sellerOperations.verifySeller, {
    summary: 'Check a seller’s tax number with the authority',
  }),
}
