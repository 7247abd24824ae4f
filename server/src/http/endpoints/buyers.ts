import {
  createBuyer,
  deleteBuyer,
  deleteBuyers,
  getBuyer,
  getBuyerSetup,
  getBuyerVerification,
  listOwnBuyers,
  searchOwnBuyers,
  updateBuyer,
  verifyBuyer,
} from '../../modules/buyers/index.ts'
import { checkReachability, getReachability } from '../../modules/tax-identities/index.ts'
import { endpoint } from '../endpoint.ts'

const buyers = '/i/v1/buyers'

export const buyerEndpoints = {
  list: endpoint('GET', buyers, 'both', listOwnBuyers, { summary: 'Buyers that are not archived, newest first' }),
  create: endpoint('POST', buyers, 'both', createBuyer, { summary: 'Create a buyer', description: 'Charged.' }),
  deleteMany: endpoint('DELETE', `${buyers}/bulk`, 'both', deleteBuyers, {
    summary: 'Delete several buyers',
    description: 'Those that an issued invoice names are archived; those that are not there are listed.',
  }),
  getReachability: endpoint('GET', `${buyers}/reachability`, 'both', getReachability, {
    summary: 'Whether the e-invoicing network reaches a tax number',
    description: 'Free. Always 200: `stale` or `unavailable` say that the authority could not be asked.',
  }),
  checkReachability: endpoint('POST', `${buyers}/reachability/check`, 'both', checkReachability, {
    summary: 'Ask the authority now whether its network reaches a tax number',
    description: 'Charged when it answers; 200 with `unavailable` when it does not.',
  }),
  search: endpoint('GET', `${buyers}/search`, 'both', searchOwnBuyers, {
    summary: 'Find buyers by name or tax number',
  }),
  getSetup: endpoint('GET', `${buyers}/setup`, 'both', getBuyerSetup, { summary: 'What a form for buyers offers' }),
  get: endpoint('GET', `${buyers}/{id}`, 'both', getBuyer, { summary: 'A buyer' }),
  update: endpoint('PATCH', `${buyers}/{id}`, 'both', updateBuyer, {
    summary: 'Edit a buyer',
    description: 'Charged when something changes. A changed tax number has to be verified anew.',
  }),
  delete: endpoint('DELETE', `${buyers}/{id}`, 'both', deleteBuyer, {
    summary: 'Delete a buyer',
    description: '`outcome` says `archived` when an issued invoice names it.',
  }),
  getVerification: endpoint('GET', `${buyers}/{id}/verification-status`, 'both', getBuyerVerification, {
    summary: 'The latest check of a buyer’s tax number',
  }),
  verify: endpoint('POST', `${buyers}/{id}/verify-tax-number`, 'both', verifyBuyer, {
    summary: 'Have a buyer’s tax number checked by the authority',
    description: '202 with the new check, or 200 with the one that runs. Credits are held until the authority answers.',
  }),
}
