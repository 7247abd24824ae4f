import { expect, test } from 'vitest'
import { distributedTables } from '../../server/src/platform/sharding/table-places.ts'
import { type Ties, untiedIn } from './named-organisations.ts'
import { file, readTree, type SourceFile } from './source-tree.ts'
import { statementsIn } from './sql-statements.ts'

/** Functions and their tables, by the reason of an exception. An unneeded exception is a fault. */
type Exceptions = Readonly<Record<string, readonly string[]>>

/** Statements that reach rows without naming their organisation. Citus runs them on every server. */
const ofNoOrganisation: Exceptions = {
  'a sweep over all organisations': [
    'api-keys.listOrganisationsWithEndedKeys api_keys',
    'billing.listOrganisationsWithoutAccount billing_accounts',
    'billing.listPaymentsToLookAt payments',
    'billing.listSubscriptionsToAllocate subscriptions',
    'billing.listSubscriptionsToStep subscriptions',
    'bulk-jobs.purgeBulkJobs bulk_jobs',
    'buyer-accounts.purgeAccountShares account_shares',
    'clocks.listRestingClocks test_clocks',
    'collection.listMissingSubAccounts collection_sub_accounts',
    'collection.listMissingSubAccounts settlement_accounts',
    'collection.listPending received_payments',
    'collection.listRefundsDue collection_refunds',
    'collection.listSubAccountsDue collection_sub_accounts',
    'collection.listSubAccountsToFollow collection_sub_accounts',
    'collection.listSubAccountsToPoint collection_sub_accounts',
    'collection.listUnexplained collection_differences',
    'collection.listUnexplained collection_settled_transfers',
    'collection.listUnexplained collection_settlements',
    'collection.listUnexplained received_payments',
    'confirmations.purgeConfirmations confirmations',
    'credits.listSandboxesBelow credit_balances',
    'imports.purgeImports imports',
    'invoices.listTenantsWithDueReports invoices',
    'operations.purgeIdempotencyKeys idempotency_keys',
    'organisations.listOrganisationsWithLapsed invitations',
    'organisations.listOrganisationsWithReplacedLogos logos',
    'organisations.purgeAskedChanges requested_changes',
    'quotes.listTenantsWithExpiredQuotes quotes',
    'received-invoices.listTenantsToAcknowledge received_invoices',
    'received-invoices.listTenantsToServe received_arrivals',
    'received-invoices.listTenantsWithPayments received_invoices',
    'recurring-invoices.listTenantsWithDueSchedules recurring_schedules',
    'reminders.listTenantsWithDueReminders reminder_plans',
    'request-log.listLoggedTenants request_log',
    'submissions.listTenantsToFollowUp submissions',
    'submissions.listTenantsToStamp invoices',
    'submissions.listTenantsToStamp tax_connections',
    'tax-connection.listKeysInUse tax_connections',
    'test-clock.listForgottenMoves test_clock_moves',
    'test-clock.purgeMoves test_clock_moves',
    'webhooks.deleteOldDeliveries webhook_deliveries',
  ],
  'a queue that takes from all organisations in turn': ['submissions.chooseDue submissions'],
  'the events of all logs, read once for all consumers': ['events.findLastSeqs events', 'events.listWritten events'],
  'cursors and heads of all logs, when a process starts or a consumer is new': [
    'background.insertConsumer consumer_cursors',
    'background.insertConsumer event_heads',
    'background.listAhead consumer_cursors',
    'background.listAhead event_heads',
  ],
  'figures for whoever runs the service': [
    'background.listConsumers consumer_cursors',
    'background.listLags consumer_cursors',
    'background.listLags event_heads',
    'background.listLags events',
    'collection.countStrays virtual_accounts',
    'collection.countSubAccountsWaiting collection_sub_accounts',
    'received-invoices.countArrivalsSetAside received_arrivals',
    'submissions.readQueueLoad submissions',
  ],
  'a command of whoever runs the service, which names an event': ['background.skipEvent consumer_cursors'],
  'on one PostgreSQL, a secret or the id of a sign-in finds the row; on Citus its organisation is read first': [
    'api-keys.findUsableKeyByHash api_keys',
    'api-keys.findUsableKeyByHash roles',
    'buyer-accounts.findAccountShareByToken account_shares',
    'identity.findSessionPrincipal memberships',
    'identity.findSessionPrincipal roles',
    'invoices.findSharedByToken invoice_shares',
    'invoices.findSharedByToken invoices',
    'programs.findProgramPrincipal memberships',
    'programs.findProgramPrincipal roles',
    'quotes.findQuoteByToken quote_shares',
  ],
  'the code of an invitation and the address are all that the invited person has': [
    'organisations.findPendingByCode invitations',
  ],
  'the organisations of a person': [
    'organisations.belongsElsewhere memberships',
    'organisations.hasOrganisationWithTaxNumber memberships',
    'organisations.listActiveMemberships memberships',
    'organisations.listActiveMemberships roles',
    'organisations.listChildrenOwnedBy memberships',
    'organisations.listOpenAskedChanges requested_changes',
    'organisations.listOrganisationsOf memberships',
    'organisations.listOrganisationsOf roles',
    'programs.findLiveProgram memberships',
    'programs.listLivePrograms memberships',
  ],
  'an outside party names a row before we know its organisation': [
    'billing.findPaymentOfProvider payments',
    'billing.insertNotification payments',
    'collection.findAccountByHandle virtual_accounts',
    'collection.insertNotification virtual_accounts',
    'collection.listOwnersOfHandles virtual_accounts',
    'received-invoices.listTenantsNamed received_invoices',
    'submissions.listSignedAs submissions',
    'submissions.listSignedAs tax_connections',
    'submissions.listTenantsNamed submissions',
    'tax-connection.listConnectedUnder tax_connections',
  ],
  'the statement of a provider is about all organisations': [
    'collection.listRecorded collection_differences',
    'collection.listRecorded received_payments',
    'collection.sumSent collection_refunds',
    'collection.sumSent received_payments',
  ],
  'asks whether any other organisation has the tax number': ['tax-connection.isBusinessOfOthers tax_connections'],
  'the pool of a parent: two organisations, of which the second is found by the first': [
    'organisations.findPoolParent credit_pool_configs',
  ],
  'a tool of the playground, which knows only the address of a checkout page': ['billing.findCheckoutUrl payments'],
  'the check also tries the form for one event with several organisations, which is never sent': [
    'invoices.createInvoices event_heads',
    'invoices.createSharedInvoices event_heads',
  ],
}

/** On Citus, statements whose organisations stand only in rows that are sent. */
const onlyInSentRows: Exceptions = {
  'creates of several organisations run in the one shard that has them all': [
    'invoices.createInvoices buyers',
    'invoices.createInvoices credit_balances',
    'invoices.createInvoices sellers',
    'invoices.createSharedInvoices buyers',
    'invoices.createSharedInvoices credit_balances',
    'invoices.createSharedInvoices sellers',
  ],
  'the check also tries the form for several organisations': [
    'invoices.findDraftParties buyers',
    'invoices.findDraftParties sellers',
  ],
}

/** On Citus, subqueries that take their organisation from the query around them. */
const onlyFromAround: Exceptions = {
  'Citus sends a subquery without limit and offset to the server of its outer row': [
    'bulk-jobs.findBulkJob bulk_job_items',
    'bulk-jobs.findVisibleBulkJob bulk_job_items',
    'bulk-jobs.listVisibleBulkJobs bulk_job_items',
    'collection.listSettlementDays collection_differences',
    'collection.listSettlementDays collection_settled_transfers',
    'collection.listSettlementDays collection_settlements',
    'collection.listWaitingTransfers collection_settled_transfers',
    'collection.listWaitingTransfers collection_settlements',
    'imports.findImport import_records',
    'imports.listImports import_records',
    'received-invoices.sumReceived received_suppliers',
    'recurring-invoices.findSchedule recurring_contents',
    'recurring-invoices.listSchedules recurring_contents',
    'request-log.findRequest api_keys',
    'request-log.listRequests api_keys',
  ],
  ...onlyInSentRows,
}

const tables: ReadonlySet<string> = new Set(distributedTables)
const isOfInterest = (text: string) =>
  /\borganisation_id\b|\?/.test(text) || (text.match(/\w+/g) ?? []).some((word) => tables.has(word))

const anyTie: Ties = { sentRows: true, queryAround: true }

/** `pets.list invoices`, for each table that is not tied in one of these ways. */
const untied = (tree: readonly SourceFile[], ties: Ties, form: 'texts' | 'textsOnShards' = 'texts'): string[] => {
  const found = statementsIn(tree, isOfInterest).flatMap((statement) =>
    statement[form].flatMap((text) => untiedIn(text, tables, ties).map((table) => `${statement.name} ${table}`)),
  )
  return [...new Set(found)].toSorted()
}

/** `<one>` is a value that is put in. */
const store = (...lines: string[]) =>
  file('server/src/modules/pets/pets.store.ts', lines.join('\n').replaceAll('<one>', `\${one}`))
const list = (body: string) => store(`export const list = (db, one) => db.rows(sql\`${body}\`)`)

test.each([
  ['no organisation', 'select from invoices where id = <one>', ['invoices']],
  ['no condition', "delete from invoices where status = 'draft'", ['invoices']],
  ['an update', 'update invoices set paid_at = <one> where id = <one>', ['invoices']],
  ['a join', 'select from invoices i join buyers b on b.id = i.buyer_id where i.organisation_id = <one>', ['buyers']],
  ['a list of tables', 'select from invoices i, buyers b where i.organisation_id = <one>', ['buyers']],
  ['a local table', 'select from jobs j join invoices i on i.organisation_id = j.organisation_id', ['invoices']],
  [
    'one of two conditions',
    'select from items where id = <one> and (organisation_id = <one> or name = <one>)',
    ['items'],
  ],
  ['a selected comparison', 'select organisation_id = <one> as is_own from items', ['items']],
  ['a case', 'select from items where case when name is null then organisation_id = <one> else true end', ['items']],
  ['an assignment', 'update items set organisation_id = <one> where id = <one>', ['items']],
  ['another column', 'select from invoices i where i.id = <one> and organisation_id > <one>', ['invoices']],
  ['a subquery', 'select (select min(b.id) from buyers b) from invoices where organisation_id = <one>', ['buyers']],
  ['a union', 'select from items where organisation_id = <one> union all select from buyers', ['buyers']],
  [
    'a part',
    'with b as (select id from buyers) delete from items i using b where i.organisation_id = <one>',
    ['buyers'],
  ],
  [
    'rows of a part',
    'with q as (select * from jobs) delete from items i using q where i.organisation_id = q.organisation_id',
    ['items'],
  ],
  ['an insert', 'insert into items (id, name) values (<one>, <one>)', ['items']],
  ['a copied row', 'insert into items (id, organisation_id) select j.id, j.organisation_id from jobs j', ['items']],
])('the check finds a table without an organisation: %s', (_, body, expected) => {
  expect(untied([list(body)], anyTie)).toEqual(expected.map((table) => `pets.list ${table}`))
})

test.each([
  'select from invoices where organisation_id = <one>',
  'select from invoices i where <one> = i.organisation_id',
  'select from items where organisation_id = <one> and (id = <one> or name = <one>)',
  'select from invoices i where i.organisation_id = any (<one>::uuid[])',
  'select from invoices i join buyers b on b.organisation_id = i.organisation_id where i.organisation_id = <one>',
  'select from invoices join buyers using (organisation_id, mode) where organisation_id = <one>',
  'select from items i join unnest(<one>::uuid[]) as r (o) on i.organisation_id = r.o',
  'select from items where (organisation_id, mode) = (<one>, <one>)',
  'select from invoices i where i.organisation_id = <one> and exists (select from buyers b where b.organisation_id = i.organisation_id)',
  'with b as (select * from buyers where organisation_id = <one>) delete from items i using b where i.organisation_id = b.organisation_id',
  'insert into items (id, organisation_id) values (<one>, <one>) on conflict do nothing',
  'insert into items (organisation_id, id) select * from unnest(<one>::uuid[], <one>::uuid[])',
  'select from jobs j where j.organisation_id is distinct from <one> for no key update',
])('the check accepts: %s', (body) => {
  expect(untied([list(body)], anyTie)).toEqual([])
})

const ofOne = 'sql`organisation_id = <one>`'
test.each([
  [
    'a condition',
    `export const list = (db, one) => db.rows(sql\`select from items where \${one ? ${ofOne} : sql\`true\`}\`)`,
  ],
  [
    'a default',
    `export const list = (db, one, which = sql\`true\`) => db.rows(sql\`select from items where \${which}\`)`,
  ],
  [
    'a condition that may be added',
    `export function list(db, one) {
       const conditions = [sql\`true\`]
       if (one) conditions.push(${ofOne})
       return db.rows(sql\`select from items where \${joined(conditions, ' and ')}\`)
     }`,
  ],
  [
    'a function with several returns',
    `function which(one) {
       if (one) return ${ofOne}
       return sql\`true\`
     }
     export const list = (db, one) => db.rows(sql\`select from items where \${which(one)}\`)`,
  ],
  [
    'a caller',
    `const read = (db, which: Sql) => db.rows(sql\`select from items where \${which}\`)
     export const other = (db, one) => read(db, ${ofOne})
     export const list = (db) => read(db, sql\`true\`)`,
  ],
  [
    'an object',
    `const read = (db, { which }) => db.rows(sql\`select from items where \${which}\`)
     export const list = (db) => read(db, { which: sql\`true\` })`,
  ],
  [
    'the form for Citus',
    `export const list = (db, one) => db.rows(orOnShards(sql\`select\`, sql\`select from items\`))`,
  ],
])('the check puts statements together from pieces: %s', (_, code) => {
  const tree = [store('interface Read { which: Sql }', code)]
  expect(untied(tree, anyTie, 'textsOnShards')).toEqual(['pets.list items'])
})

test('pieces of other files count, and the ways of one condition belong together', () => {
  const pieces = file(
    'server/src/modules/pets/pieces.store.ts',
    'export const partsOf = (one) => one ? { from: sql`items`, which: sql`organisation_id = <one>` } : { from: sql`jobs`, which: sql`true` }'.replace(
      '<one>',
      `\${one}`,
    ),
  )
  const user = store(
    "import { partsOf } from './pieces.store.ts'",
    'export function list(db, one) {',
    '  const { from, which } = partsOf(one)',
    `  return db.rows(sql\`select from \${from} where \${which}\`)`,
    '}',
  )
  expect(untied([pieces, user], anyTie)).toEqual([])
  const wrong = {
    ...pieces,
    text: pieces.text.replace('which: sql`true`', 'which: sql`true`, more: sql``').replace('jobs', 'buyers'),
  }
  expect(untied([wrong, user], anyTie)).toEqual(['pets.list buyers'])
})

test.each([
  [
    'rows that are sent',
    'select from items i join unnest(<one>::uuid[]) as r (o) on i.organisation_id = r.o',
    { ...anyTie, sentRows: false },
  ],
  [
    'the query around',
    'select (select b.name from buyers b where b.organisation_id = i.organisation_id) from items i where i.organisation_id = <one>',
    { ...anyTie, queryAround: false },
  ],
])('the check finds a table that is tied only by %s', (_, body, ties) => {
  expect(untied([list(body)], ties)).toHaveLength(1)
})

const listed = (exceptions: Exceptions): string[] => Object.values(exceptions).flat().toSorted()

test('statements tie each distributed table to an organisation', () => {
  const found = [...untied(readTree(), anyTie), ...untied(readTree(), anyTie, 'textsOnShards')]
  expect([...new Set(found)].toSorted()).toEqual(listed(ofNoOrganisation))
})

test('on Citus, statements name the organisations of sent rows as a value', () => {
  const found = untied(readTree(), { ...anyTie, sentRows: false }, 'textsOnShards')
  expect(found.filter((one) => !listed(ofNoOrganisation).includes(one))).toEqual(listed(onlyInSentRows))
})

test('on Citus, subqueries name their organisation as a value', () => {
  const found = untied(readTree(), { ...anyTie, queryAround: false }, 'textsOnShards')
  expect(found.filter((one) => !listed(ofNoOrganisation).includes(one))).toEqual(listed(onlyFromAround))
})
