import type { ForeignKey, TableFacts } from './catalogue.ts'
import type { StoreFunction } from './store-functions.ts'

const scopes = ['machinery', 'global', 'organisation', 'tenant'] as const
type Scope = (typeof scopes)[number]
type Scopes = ReadonlyMap<string, Scope>

/** The owner columns of each scope. */
const leads: Readonly<Record<Scope, readonly string[]>> = {
  machinery: [],
  global: [],
  organisation: ['organisation_id'],
  tenant: ['organisation_id', 'mode'],
}

/** Exceptions by name, with the reason. An unneeded exception is a fault. */
type Exceptions = Readonly<Record<string, string>>

/** Store functions that reach organisations' rows without an organisation parameter. */
export const unscopedFunctions: Exceptions = {
  'api-keys.findUsableKeyByHash': 'the key is what tells us whose request it is',
  'api-keys.saveLastUsed': 'notes of many keys at once, each by its whole key',
  'billing.findCheckoutUrl': 'the tools of a playground press the buttons of any checkout page',
  'billing.findPaymentOfProvider': 'a notification names a payment before we know whose it is',
  'billing.insertNotification': 'a notification names a payment before we know whose it is',
  'billing.listPaymentsToLookAt': 'the sweep looks at all organisations',
  'billing.listSubscriptionsToAllocate': 'the sweep looks at all organisations',
  'billing.listSubscriptionsToStep': 'the sweep looks at all organisations',
  'credits.chargingSeveral': 'charges those who are written together, each by its whole key',
  'credits.enteringCharges': 'a piece of a statement, which enters what was charged to whom it was charged to',
  'invoices.creatingInvoices':
    'invoices of several organisations share a statement, each with its own organisation and mode',
  'invoices.createSharedInvoices': 'the same',
  'invoices.joiningParties': 'the same, for the parties of their drafts',
  'collection.countSubAccountsWaiting': 'whoever runs the service asks what providers have not confirmed',
  'collection.countStrays': 'whoever runs the service asks which transfers are nobody’s',
  'collection.findAccountByHandle': 'a provider speaks of an account before we know whose it is',
  'collection.findWithCredit': 'the consumer asks about invoices of all organisations at once, each by its whole key',
  'collection.insertNotification': 'a provider speaks of an account before we know whose it is',
  'collection.listMissingSubAccounts': 'a provider was configured, for all organisations',
  'collection.insertSubAccounts':
    'the sweep writes sub-accounts of several organisations at once, each with its whole key',
  'collection.listOwnersOfHandles': 'a provider speaks of accounts before we know whose they are',
  'collection.listPending': 'the sweep looks at all organisations',
  'collection.listRecorded': 'a provider’s statement is about all organisations',
  'collection.listRefundsDue': 'the sweep looks at all organisations',
  'collection.listSubAccountsDue': 'the sweep looks at all organisations',
  'collection.listSubAccountsToFollow': 'the sweep looks at all organisations',
  'collection.listSubAccountsToPoint': 'the sweep looks at all organisations',
  'collection.listUnexplained': 'the sweep looks at all organisations',
  'collection.sumSent': 'a provider’s statement is about all organisations',
  'credits.listSandboxesBelow': 'the sweep looks at all organisations',
  'invoices.findToFinalise': 'is told by whoever asks: it is made of the next',
  'invoices.findingTogether': 'makes a question that is told whose rows each time that it is asked',
  'submissions.findToSubmit': 'is told by whoever asks: it is made of `findingTogether`',
  'invoices.findSharedByToken': 'the link is all that whoever opens it has',
  'invoices.readingRows': 'the follower reads what events of all organisations tell of, each by its whole key',
  'invoices.takeUpChanges': 'the follower takes up the changes of all organisations at once',
  'items.addUses': 'the consumer counts the uses that events of all organisations tell of',
  'organisations.findPendingByCode': 'the code and the address are all that the invited person has',
  'organisations.listOrganisationsWithReplacedLogos': 'the sweep looks at all organisations',
  'organisations.purgeAskedChanges': 'the sweep looks at all organisations',
  'organisations.listOrganisationsOf': 'a person’s own memberships, each joined to its own organisation’s roles',
  'organisations.listActiveMemberships': 'the same',
  'invoices.listTenantsWithDueReports': 'the sweep looks at all organisations',
  'submissions.readQueueLoad': 'figures of what waits in all',
  'submissions.chooseDue': 'the queue chooses from what is due of all organisations in turn',
  'submissions.listTenantsNamed':
    'a callback names a document before we know whose it is; those whose it is are told for themselves',
  'submissions.listSignedAs': 'whoever holds a document asks whether it was reported, before we know whose it is',
  'submissions.listTenantsToFollowUp': 'the sweep looks at all organisations',
  'submissions.listTenantsToStamp': 'the sweep looks at all organisations',
  'submissions.listPaymentFacts':
    'the consumer asks about invoices of all organisations at once, each by its whole key',
  'buyer-accounts.purgeAccountShares': 'the sweep looks at all organisations',
  'buyer-accounts.findAccountShareByToken': 'the link is what tells us whose account it shows',
  'quotes.findQuoteByToken': 'the link is what tells us whose quote it shows',
  'quotes.listTenantsWithExpiredQuotes': 'the sweep looks at all organisations',
  'recurring-invoices.listSentLater':
    'a consumer looks up the accepted invoices of several organisations, each with its own one',
  'recurring-invoices.listTenantsWithDueSchedules': 'the sweep looks at all organisations',
  'reminders.listTenantsWithDueReminders': 'the sweep looks at all organisations',
  'bulk-jobs.purgeBulkJobs': 'the sweep looks at all organisations',
  'confirmations.purgeConfirmations': 'the sweep looks at all organisations',
  'test-clock.purgeMoves': 'the sweep looks at all organisations',
  'test-clock.listForgottenMoves': 'the sweep looks at all organisations',
  'imports.purgeImports': 'the sweep looks at all organisations',
  'request-log.insertRequests': 'requests of many organisations are written together, each with its own',
  'request-log.listLoggedTenants': 'the sweep looks at all organisations',
  'webhooks.deleteOldDeliveries': 'the sweep looks at all organisations',
  'webhooks.listCallbacks': 'the fan-out asks about accounts of all organisations at once, each with its organisation',
  'webhooks.listSubscribed': 'the fan-out asks for the endpoints of all organisations that something happened in',
  'webhooks.insertDeliveries': 'the fan-out writes deliveries of several organisations at once, each with its own',
  'webhooks.claimQueued': 'the sender takes what waits for all organisations, in turn',
  'webhooks.beginAttempts': 'the sender begins attempts of several organisations at once, each by its whole key',
  'webhooks.saveResults': 'the sender notes the ends of many attempts at once, each with its organisation and mode',
  'received-invoices.listTenantsToServe': 'the sweep looks at all organisations',
  'received-invoices.listTenantsToAcknowledge': 'the sweep looks at all organisations',
  'received-invoices.listTenantsWithPayments': 'the sweep looks at all organisations',
  'received-invoices.listTenantsNamed': 'a callback names documents and not whose they are',
  'received-invoices.countArrivalsSetAside': 'whoever runs the service asks what could not be stored',
  'tax-connection.listConnectedUnder': 'a document names its buyer by a tax number before we know whose it is',
  'tax-connection.listKeysInUse': 'the sweep looks at all organisations',
  'programs.insertProgram': 'is told the organisation and the person in the program',
  'programs.listLivePrograms': 'the owner of the programs says whose; each program joins its own membership',
  'programs.findLiveProgram': 'the operation compares the owner; the program joins its own membership',
  'programs.findProgramPrincipal': 'the program is what tells us whose request it is; it joins on its own organisation',
  'identity.findSessionPrincipal': 'the session is what tells us whose request it is; it joins on its own organisation',
}

/** Tables whose rows also belong to a person, so a UserId is enough. */
const alsoByPerson: ReadonlySet<string> = new Set(['memberships', 'requested_changes'])

const scopeOf = ({ comment }: TableFacts): Scope | undefined =>
  scopes.find((scope) => comment?.startsWith(`${scope}: `) ?? false)

export const scopesOf = (tables: readonly TableFacts[]): Scopes =>
  new Map(tables.flatMap((table) => (scopeOf(table) ? [[table.name, scopeOf(table) as Scope]] : [])))

const beginsWith = (columns: readonly unknown[], lead: readonly string[]): boolean =>
  lead.every((column, at) => columns[at] === column)

/** Every table has a scope, and its keys follow the scope. */
export function checkTables(tables: readonly TableFacts[]): string[] {
  const known = scopesOf(tables)
  return tables.flatMap((table) => {
    const scope = known.get(table.name)
    if (scope === undefined) return [`${table.name}: its comment does not begin with one of ${scopes.join(', ')}`]
    return [
      ...leadOfPrimaryKey(table, leads[scope]),
      ...leadOfUniqueIndexes(table, leads[scope]),
      ...table.foreignKeys.flatMap((key) => scopeOfReference(table, key, leads[known.get(key.target) ?? 'global'])),
    ]
  })
}

function leadOfPrimaryKey({ name, primaryKey, required }: TableFacts, lead: readonly string[]): string[] {
  return [
    ...(beginsWith(primaryKey, lead) ? [] : [`${name}: its primary key does not begin with ${lead.join(', ')}`]),
    ...lead.filter((column) => !required.includes(column)).map((column) => `${name}: ${column} may be null`),
  ]
}

/** A foreign key includes the scope columns of its target, so that no row refers to another tenant's row. */
function scopeOfReference({ name }: TableFacts, key: ForeignKey, lead: readonly string[]): string[] {
  return lead
    .filter((column) => !key.targetColumns.some((target, at) => target === column && key.columns[at] === column))
    .map((column) => `${name}: ${key.name} points at ${key.target} without ${column}`)
}

function leadOfUniqueIndexes({ name, uniqueIndexes }: TableFacts, lead: readonly string[]): string[] {
  return uniqueIndexes
    .filter(({ columns }) => !beginsWith(columns, lead))
    .map((index) => `${name}.${index.name} is unique over all organisations: lead it with the scope of its table`)
}

/** Every store function takes the owner of the rows that it reaches. */
export function checkStores(functions: readonly StoreFunction[], known: Scopes, exceptions: Exceptions): string[] {
  const unscoped = functions.flatMap((one) => {
    const [table] = [...one.tables].filter((name) => !hasScope(one.parameterTypes, name, known.get(name) ?? 'global'))
    return table === undefined ? [] : [{ ...one, table }]
  })
  return [
    ...unscoped
      .filter(({ name }) => !(name in exceptions))
      .map(({ place, name, table }) => `${place} ${name} reaches ${table} without being told whose rows`),
    ...needless(
      exceptions,
      unscoped.map(({ name }) => name),
    ),
  ]
}

/** Tenant rows need the mode too. Otherwise sandbox rows could count as live ones. */
function hasScope(types: readonly string[], table: string, scope: Scope): boolean {
  if (leads[scope].length === 0 || types.includes('Tenant')) return true
  if (scope === 'tenant') return types.includes('OrganisationId') && types.includes('Mode')
  return types.includes('OrganisationId') || (alsoByPerson.has(table) && types.includes('UserId'))
}

const needless = (exceptions: Exceptions, needed: readonly string[]): string[] =>
  Object.keys(exceptions)
    .filter((name) => !needed.includes(name))
    .map((name) => `the exception for ${name} is not needed`)
