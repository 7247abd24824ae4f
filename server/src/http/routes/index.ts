import { apiKeyRoutes } from './api-keys.ts'
import { billingRoutes } from './billing.ts'
import { bulkJobRoutes } from './bulk-jobs.ts'
import { buyerAccountRoutes } from './buyer-accounts.ts'
import { buyerRoutes } from './buyers.ts'
import { catalogueRoutes } from './catalogue.ts'
import { collectionRoutes } from './collection.ts'
import { identityRoutes } from './identity.ts'
import { importRoutes } from './imports.ts'
import { invitationRoutes } from './invitations.ts'
import { invoiceRoutes } from './invoices.ts'
import { itemRoutes } from './items.ts'
import { memberRoutes } from './members.ts'
import { organisationRoutes } from './organisations.ts'
import { overviewRoutes } from './overview.ts'
import { programRoutes } from './programs.ts'
import { quoteRoutes } from './quotes.ts'
import { receivedInvoiceRoutes } from './received-invoices.ts'
import { recurringRoutes } from './recurring-invoices.ts'
import { referenceRoutes } from './reference.ts'
import { reminderRoutes } from './reminders.ts'
import { requestLogRoutes } from './request-log.ts'
import { roleRoutes } from './roles.ts'
import { sellerRoutes } from './sellers.ts'
import { submissionRoutes } from './submissions.ts'
import { taxConnectionRoutes } from './tax-connection.ts'
import { taxReportRoutes } from './tax-reports.ts'
import { taxReturnRoutes } from './tax-returns.ts'
import { testClockRoutes } from './test-clock.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every operation that HTTP serves, in either form. */
export const routeDefinitions = {
  identity: identityRoutes,
  organisations: organisationRoutes,
  members: memberRoutes,
  roles: roleRoutes,
  invitations: invitationRoutes,
  apiKeys: apiKeyRoutes,
  reference: referenceRoutes,
  buyers: buyerRoutes,
  sellers: sellerRoutes,
  taxConnection: taxConnectionRoutes,
  taxReports: taxReportRoutes,
  receivedInvoices: receivedInvoiceRoutes,
  items: itemRoutes,
  invoices: invoiceRoutes,
  submissions: submissionRoutes,
  buyerAccounts: buyerAccountRoutes,
  recurringInvoices: recurringRoutes,
  quotes: quoteRoutes,
  reminders: reminderRoutes,
  taxReturns: taxReturnRoutes,
  bulkJobs: bulkJobRoutes,
  catalogue: catalogueRoutes,
  billing: billingRoutes,
  collection: collectionRoutes,
  programs: programRoutes,
  webhooks: webhookRoutes,
  overview: overviewRoutes,
  testClock: testClockRoutes,
  imports: importRoutes,
  requestLog: requestLogRoutes,
}
