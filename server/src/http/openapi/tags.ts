/** What the operations of each module are about. */
const descriptions: Readonly<Record<string, string>> = {
  apiKeys: 'Keys for programs: made, replaced, narrowed and revoked.',
  billing: 'Credits: what is left, what was used, plans, purchases and statements.',
  buyers: 'Whom you invoice, and what the tax authority says of their numbers.',
  catalogue: 'Plans, packages and what each operation costs.',
  collection: 'Accounts that buyers pay into, and what becomes of the money.',
  identity: 'People: signing in, second factors, passwords, sessions.',
  imports: 'Many buyers, items or invoices at once, from a file.',
  invitations: 'Asking somebody to join the organisation.',
  invoices: 'Invoices and notes, from the draft to the payment.',
  items: 'What you sell again and again, to fill lines from.',
  members: 'Who belongs to the organisation, and what they may do.',
  organisations: 'The business itself, its letterhead and its children.',
  overview: 'Where the business stands, at a glance.',
  receivedInvoices: 'What other businesses sent you over the network.',
  reference: 'Code lists of the tax authority, and who is behind a tax number.',
  requestLog: 'What was asked of the API lately, and how it was answered.',
  roles: 'Sets of permissions with a name.',
  sellers: 'In whose name you invoice.',
  submissions: 'Reporting documents to the tax authority, and what it answers.',
  taxConnection: 'The connection of the organisation to the tax authority.',
  taxReports: 'Tax declared to the authority for a document.',
  webhooks: 'Being told of what happens, as it happens.',
}

/** In the order of their names, as readers of documents expect them. */
export const tagsOf = (modules: readonly string[]): { name: string; description?: string }[] =>
  [...new Set(modules)].sort().map((name) => {
    const description = descriptions[name]
    return description === undefined ? { name } : { name, description }
  })
