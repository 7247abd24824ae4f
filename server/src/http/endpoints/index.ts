import { apiKeyEndpoints } from './api-keys.ts'
import { billingEndpoints } from './billing.ts'
import { buyerEndpoints } from './buyers.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { collectionEndpoints } from './collection.ts'
import { identityEndpoints } from './identity.ts'
import { importEndpoints } from './imports.ts'
import { invitationEndpoints } from './invitations.ts'
import { invoiceEndpoints } from './invoices.ts'
import { itemEndpoints } from './items.ts'
import { memberEndpoints } from './members.ts'
import { organisationEndpoints } from './organisations.ts'
import { overviewEndpoints } from './overview.ts'
import { receivedInvoiceEndpoints } from './received-invoices.ts'
import { referenceEndpoints } from './reference.ts'
import { requestLogEndpoints } from './request-log.ts'
import { roleEndpoints } from './roles.ts'
import { sellerEndpoints } from './sellers.ts'
import { submissionEndpoints } from './submissions.ts'
import { taxConnectionEndpoints } from './tax-connection.ts'
import { taxReportEndpoints } from './tax-reports.ts'
import { webhookEndpoints } from './webhooks.ts'

/** Every operation that HTTP serves, in either form. */
export const endpoints = {
  identity: identityEndpoints,
  organisations: organisationEndpoints,
  members: memberEndpoints,
  roles: roleEndpoints,
  invitations: invitationEndpoints,
  apiKeys: apiKeyEndpoints,
  reference: referenceEndpoints,
  buyers: buyerEndpoints,
  sellers: sellerEndpoints,
  taxConnection: taxConnectionEndpoints,
  taxReports: taxReportEndpoints,
  receivedInvoices: receivedInvoiceEndpoints,
  items: itemEndpoints,
  invoices: invoiceEndpoints,
  submissions: submissionEndpoints,
  catalogue: catalogueEndpoints,
  billing: billingEndpoints,
  collection: collectionEndpoints,
  webhooks: webhookEndpoints,
  overview: overviewEndpoints,
  imports: importEndpoints,
  requestLog: requestLogEndpoints,
}
