import { buyerAccountOperations } from '../../modules/buyer-accounts/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const statement = '/i/v1/buyers/{id}/statement-of-account'

export const buyerAccountRoutes = {
  get: defineRoute('GET', statement, 'token', buyerAccountOperations.getStatementOfAccount, {
    summary: 'Get the statement of account of a buyer',
    description:
      'The balance before the period, then every document, payment, credit and refund in the order of booking, then the balance at the end. A line belongs to the day on which the books were changed, not to the date on the document. So the statement of account of a past period never changes. Every page has the same totals. Follow `nextCursor` for more lines.',
  }),
  download: defineRoute('GET', `${statement}/download`, 'token', buyerAccountOperations.downloadStatement, {
    summary: 'Get a download link to the statement of account as PDF or CSV',
    description: 'The link works for 15 minutes without a token. The period can have 2,000 lines at most.',
  }),
  send: defineRoute('POST', `${statement}/send`, 'token', buyerAccountOperations.sendStatement, {
    summary: 'Email the statement of account to the buyer',
    description:
      'The mail has the PDF attached. In the sandbox, mail reaches only members of your organisation. The period can have 2,000 lines at most.',
  }),
  share: defineRoute('POST', `${statement}/links`, 'token', buyerAccountOperations.shareStatement, {
    summary: 'Create a public link to the statement of account',
    description:
      'Anyone who has the link can read the statement of account of this period, also as PDF. Only this reply has the address: we store its hash. The period can have 2,000 lines at most.',
  }),
  listLinks: defineRoute('GET', `${statement}/links`, 'token', buyerAccountOperations.listStatementShares, {
    summary: 'List the public links to statements of account of a buyer, newest first',
    description: 'The list has only links that still work. It has no addresses, because we store only their hashes.',
  }),
  unshare: defineRoute('DELETE', `${statement}/links/{linkId}`, 'token', buyerAccountOperations.unshareStatement, {
    summary: 'End a public link to a statement of account',
    description: 'The link stops working at once.',
  }),
}
