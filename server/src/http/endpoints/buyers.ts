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
  list: endpoint('GET', buyers, 'both', listOwnBuyers, { summary: 'List buyers that are not archived, newest first' }),
  create: endpoint('POST', buyers, 'both', createBuyer, { summary: 'Create a buyer', description: 'Costs credits.' }),
  deleteMany: endpoint('DELETE', `${buyers}/bulk`, 'both', deleteBuyers, {
    summary: 'Delete several buyers',
    description:
      'A buyer that an issued invoice names is archived instead. `notFound` lists the identifiers that no buyer has.',
  }),
  getReachability: endpoint('GET', `${buyers}/reachability`, 'both', getReachability, {
    summary: 'Get whether the e-invoicing network reaches a tax number',
    description: 'Free. The reply is always 200: `stale` or `unavailable` is true if the authority could not be asked.',
  }),
  checkReachability: endpoint('POST', `${buyers}/reachability/check`, 'both', checkReachability, {
    summary: 'Ask the authority now whether the e-invoicing network reaches a tax number',
    description: 'Costs credits if the authority answers. If it does not, the reply is 200 with `unavailable`.',
  }),
  search: endpoint('GET', `${buyers}/search`, 'both', searchOwnBuyers, {
    summary: 'Find buyers by name or tax number',
  }),
  getSetup: endpoint('GET', `${buyers}/setup`, 'both', getBuyerSetup, { summary: 'Get the choices for a buyer form' }),
  get: endpoint('GET', `${buyers}/{id}`, 'both', getBuyer, { summary: 'Get a buyer' }),
  update: endpoint('PATCH', `${buyers}/{id}`, 'both', updateBuyer, {
    summary: 'Edit a buyer',
    description: 'Costs credits if something changes. A changed tax number has to be verified again.',
  }),
  delete: endpoint('DELETE', `${buyers}/{id}`, 'both', deleteBuyer, {
    summary: 'Delete a buyer',
    description: 'A buyer that an issued invoice names is archived instead: `outcome` is then `archived`.',
  }),
  getVerification: endpoint('GET', `${buyers}/{id}/verification-status`, 'both', getBuyerVerification, {
    summary: 'Get the latest check of a buyer’s tax number',
  }),
  verify: endpoint('POST', `${buyers}/{id}/verify-tax-number`, 'both', verifyBuyer, {
    summary: 'Check a buyer’s tax number with the authority',
    description:
      'The reply is 202 with the new check, or 200 with the check that runs already. Credits are held until the authority answers.',
  }),
}
