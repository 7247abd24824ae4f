import { billing } from '../both/billing.ts'
import { catalogue } from '../both/catalogue.ts'
import { collectionIn } from '../both/collection.ts'
import { identity } from '../both/identity.ts'
import { items } from '../both/items.ts'
import { overview } from '../both/overview.ts'
import { receivedInvoices } from '../both/received-invoices.ts'
import { reference } from '../both/reference.ts'
import { endpoints } from '../endpoints/index.ts'
import { form } from '../form.ts'
import { answers } from './answers.ts'
import { apiKeys } from './api-keys.ts'
import { buyers } from './buyers.ts'
import { imports } from './imports.ts'
import { invitations } from './invitations.ts'
import { invoices } from './invoices.ts'
import { members } from './members.ts'
import { organisations } from './organisations.ts'
import { requestLog } from './request-log.ts'
import { roles } from './roles.ts'
import { sellers } from './sellers.ts'
import { submissions } from './submissions.ts'
import { taxConnection } from './tax-connection.ts'
import { taxReports } from './tax-reports.ts'
import { toldWebhooks } from './told-webhooks.ts'
import { webhooks } from './webhooks.ts'

/** The capability-based form of the API. */
export const formA = form(
  endpoints,
  {
    name: 'A',
    title: 'Risiti API, Form A',
    description: 'Invoicing and e-invoice reporting, authorised by capabilities.',
    prefix: '',
    answers,
    webhooks: toldWebhooks,
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
    catalogue,
    billing,
    collection: collectionIn('a'),
    webhooks,
    overview,
    imports,
    requestLog,
  },
)
