import {
  createSeller,
  getSeller,
  getSellerSetup,
  getSellerVerification,
  listOwnSellers,
  removeSeller,
  removeSellers,
  updateSeller,
  verifySeller,
} from '../../modules/sellers/index.ts'
import { endpoint } from '../endpoint.ts'

const sellers = '/i/v1/sellers'

export const sellerEndpoints = {
  list: endpoint('GET', sellers, 'both', listOwnSellers, { summary: 'List sellers, the organisation itself first' }),
  create: endpoint('POST', sellers, 'both', createSeller, { summary: 'Create a seller' }),
  deleteMany: endpoint('DELETE', `${sellers}/bulk`, 'both', removeSellers, { summary: 'Delete several sellers' }),
  search: endpoint('GET', `${sellers}/search`, 'both', listOwnSellers, {
    summary: 'Find sellers by name or tax number',
  }),
  getSetup: endpoint('GET', `${sellers}/setup`, 'both', getSellerSetup, {
    summary: 'Get the choices for a seller form',
  }),
  get: endpoint('GET', `${sellers}/{id}`, 'both', getSeller, { summary: 'Get a seller' }),
  update: endpoint('PATCH', `${sellers}/{id}`, 'both', updateSeller, {
    summary: 'Edit a seller',
    description: 'The tax number cannot be changed.',
  }),
  delete: endpoint('DELETE', `${sellers}/{id}`, 'both', removeSeller, { summary: 'Delete a seller' }),
  getVerification: endpoint('GET', `${sellers}/{id}/verification-status`, 'both', getSellerVerification, {
    summary: 'Get the latest check of a seller’s tax number',
  }),
  verify: endpoint('POST', `${sellers}/{id}/verify-tax-number`, 'both', verifySeller, {
    summary: 'Check a seller’s tax number with the authority',
  }),
}
