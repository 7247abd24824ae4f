/** The description of each module's operations. */
const descriptions: Readonly<Record<string, string>> = {
  apiKeys: 'API keys: create, rotate, restrict and revoke them.',
  billing: 'Credits: balance, use, plans, purchases and statements of account.',
  buyerAccounts: 'The statement of account of a buyer: every change of what the buyer owes.',
  programs: 'Programs that people connected: what they ask for, what they may do, and their limits.',
  quotes: 'Quotes and proforma invoices: versions, decisions of the buyer, and the invoices that they become.',
  reminders: 'Reminders by schedule, disputes and promises to pay.',
  recurringInvoices: 'Schedules that make invoices by a rule of the calendar.',
  bulkJobs: 'One action on many documents, with a result for each.',
  buyers: 'Your customers, and the verification of their tax numbers.',
  catalogue: 'Plans, credit packages and the price of each operation.',
  collection: 'Virtual accounts that buyers pay into, transfers and refunds.',
  identity: 'User accounts: sign-in, second factors, passwords and sessions.',
  imports: 'Import of buyers, items or invoices from a file.',
  invitations: 'Invitations to join the organisation.',
  invoices: 'Invoices, credit notes and debit notes, from the draft to the payment.',
  items: 'Saved goods and services that fill invoice lines.',
  members: 'Members of the organisation and their permissions.',
  organisations: 'The organisation, its letterhead and its child organisations.',
  overview: 'Key figures of the business on one page.',
  receivedInvoices: 'Invoices that suppliers sent you through the tax authority.',
  reference: 'Code lists of the tax authority, and lookup of tax numbers.',
  requestLog: 'Recent requests to the API and their responses.',
  roles: 'Roles: named sets of permissions.',
  sellers: 'The businesses that issue your invoices.',
  submissions: 'Submission of documents to the tax authority, and its answers.',
  taxConnection: 'The connection of the organisation to the tax authority.',
  taxReports: 'Declaration of the tax on an invoice to the tax authority.',
  taxReturns: 'The monthly return of the tax on sales: figures, documents, closing and exchange rates.',
  testClock: 'The time of your sandbox, and moving it forward.',
  webhooks: 'Webhook endpoints, their subscriptions and deliveries.',
}

/** In alphabetical order, as readers of documents expect. */
export const tagsOf = (modules: readonly string[]): { name: string; description?: string }[] =>
  [...new Set(modules)].sort().map((name) => {
    const description = descriptions[name]
    return description === undefined ? { name } : { name, description }
  })
