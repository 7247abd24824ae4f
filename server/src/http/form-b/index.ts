import { form } from '../definitions/form.ts'
import { routeDefinitions } from '../routes/index.ts'
import { billing } from '../shared/billing.ts'
import { buyerAccounts } from '../shared/buyer-accounts.ts'
import { catalogue } from '../shared/catalogue.ts'
import { collectionIn } from '../shared/collection.ts'
import { identity } from '../shared/identity.ts'
import { items } from '../shared/items.ts'
import { overview } from '../shared/overview.ts'
import { programs } from '../shared/programs.ts'
import { quotesIn } from '../shared/quotes.ts'
import { receivedInvoices } from '../shared/received-invoices.ts'
import { recurringIn } from '../shared/recurring-invoices.ts'
import { reference } from '../shared/reference.ts'
import { reminders } from '../shared/reminders.ts'
import { taxReturns } from '../shared/tax-returns.ts'
import { testClock } from '../shared/test-clock.ts'
import { answers } from './answers.ts'
import { apiKeys } from './api-keys.ts'
import { bulkJobs } from './bulk-jobs.ts'
import { buyers } from './buyers.ts'
import { imports } from './imports.ts'
import { invitations } from './invitations.ts'
import { invoices } from './invoices.ts'
import { members } from './members.ts'
import { organisations } from './organisations.ts'
import { publishedWebhooks } from './published-webhooks.ts'
import { requestLog } from './request-log.ts'
import { roles } from './roles.ts'
import { sellers } from './sellers.ts'
import { submissions } from './submissions.ts'
import { taxConnection } from './tax-connection.ts'
import { taxReports } from './tax-reports.ts'
import { webhooks } from './webhooks.ts'

/** The role-based form of the API. */
export const formB = form(
  routeDefinitions,
  {
    name: 'B',
    title: 'Risiti API, Form B (roles)',
    description: 'Invoicing and e-invoice reporting, authorised by roles.',
    prefix: '/form-b',
    answers,
    webhooks: publishedWebhooks,
  },
  {
    identity,
    organisations,
    members,
    roles,
    invitations,
    apiKeys,
    reference,
    buyers,
    sellers,
    taxConnection,
    taxReports,
    receivedInvoices,
    items,
    invoices,
    submissions,
    buyerAccounts,
    recurringInvoices: recurringIn(answers),
    quotes: quotesIn,
    reminders,
    taxReturns,
    bulkJobs,
    catalogue,
    billing,
    collection: collectionIn('b'),
    programs,
    webhooks,
    overview,
    testClock,
    imports,
    requestLog,
  },
)
