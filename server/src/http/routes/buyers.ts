import { buyerOperations, createBuyer, deleteBuyer } from '../../modules/buyers/index.ts'
import { invoiceOperations } from '../../modules/invoices/index.ts'
import { taxIdentityOperations } from '../../modules/tax-identities/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const buyers = '/i/v1/buyers'

export const buyerRoutes = {
  list: defineRoute('GET', buyers, 'token', buyerOperations.listOwnBuyers, {
    summary: 'List buyers that are not archived, newest first',
  }),
  create: defineRoute('POST', buyers, 'token', createBuyer, {
    summary: 'Create a buyer',
    description: 'Costs credits.',
  }),
  deleteMany: defineRoute('DELETE', `${buyers}/bulk`, 'token', buyerOperations.deleteBuyers, {
    summary: 'Delete several buyers',
    description:
      'A buyer that an issued invoice names is archived instead. `notFound` lists the identifiers that no buyer has.',
  }),
  getReachability: defineRoute('GET', `${buyers}/reachability`, 'token', taxIdentityOperations.getReachability, {
    summary: 'Get whether the e-invoicing network reaches a tax number',
    description: 'Free. The reply is always 200: `stale` or `unavailable` is true if the authority could not be asked.',
  }),
  checkReachability: defineRoute(
    'POST',
    `${buyers}/reachability/check`,
    'token',
    taxIdentityOperations.checkReachability,
    {
      summary: 'Ask the authority now whether the e-invoicing network reaches a tax number',
      description: 'Costs credits if the authority answers. If it does not, the reply is 200 with `unavailable`.',
    },
  ),
  search: defineRoute('GET', `${buyers}/search`, 'token', buyerOperations.searchOwnBuyers, {
    summary: 'Find buyers by name or tax number',
  }),
  getSetup: defineRoute('GET', `${buyers}/setup`, 'token', buyerOperations.getBuyerSetup, {
    summary: 'Get the choices for a buyer form',
  }),
  get: defineRoute('GET', `${buyers}/{id}`, 'token', buyerOperations.getBuyer, { summary: 'Get a buyer' }),
  update: defineRoute('PATCH', `${buyers}/{id}`, 'token', buyerOperations.updateBuyer, {
    summary: 'Edit a buyer',
    description: 'Costs credits if something changes. A changed tax number has to be verified again.',
  }),
  delete: defineRoute('DELETE', `${buyers}/{id}`, 'token', deleteBuyer, {
    summary: 'Delete a buyer',
    description: 'A buyer that an issued invoice names is archived instead: `outcome` is then `archived`.',
  }),
  getVerification: defineRoute(
    'GET',
    `${buyers}/{id}/verification-status`,
    'token',
    buyerOperations.getBuyerVerification,
    {
      summary: 'Get the latest check of a buyer’s tax number',
    },
  ),
  verify: defineRoute('POST', `${buyers}/{id}/verify-tax-number`, 'token', buyerOperations.verifyBuyer, {
    summary: 'Check a buyer’s tax number with the authority',
    description:
      'The reply is 202 with the new check, or 200 with the check that runs already. Credits are held until the authority answers.',
  }),
  listPayments: defineRoute('GET', `${buyers}/{id}/payments`, 'token', invoiceOperations.listBuyerPayments, {
    summary: 'List the payments on all invoices of a buyer, newest first',
    description:
      'Payments that you recorded, transfers and credit that were applied, and reversed payments. Payments on a reopened document belong to the buyer that the draft names.',
  }),
  listEmails: defineRoute('GET', `${buyers}/{id}/emails`, 'token', invoiceOperations.listBuyerEmails, {
    summary: 'List the 50 newest emails to a buyer: documents, reminders and statements of account',
  }),
}
