import { expect, test } from 'vitest'
import { borrowedOrganisationsIn } from './named-organisations.ts'
import { file, readTree } from './source-tree.ts'

/** Statements about rows of several organisations. Citus runs them on every server. */
const aboutSeveral = [
  'api-keys.saveLastUsed',
  'background.listAhead',
  'background.listLags',
  'background.moveCursors',
  'billing.listRenewals',
  'collection.deleteUnopened',
  'collection.findWithCredit',
  'collection.listMissingSubAccounts',
  'collection.listRecorded',
  'collection.listSettlementDays',
  'collection.listUnexplained',
  'collection.listWaitingTransfers',
  'collection.settledOf',
  'credits.chargingSeveral',
  'events.listNext',
  'invoices.deleteZeros',
  'invoices.forSeveralTenants',
  'invoices.readingRows',
  'invoices.removing',
  'organisations.listOrganisationsOf',
  'submissions.listPaymentFacts',
  'submissions.listTenantsToStamp',
  'webhooks.deleteOldDeliveries',
]
/** Joins and subqueries without limit and offset, which Citus sends to the server of the outer row. A new one names its organisation. */
const besideTheirRow = [
  'api-keys.tables',
  'api-keys.withRole',
  'bulk-jobs.columns',
  'bulk-jobs.counted',
  'bulk-jobs.findBulkJob',
  'bulk-jobs.findVisibleBulkJob',
  'credits.fundsFor',
  'imports.counted',
  'imports.findImport',
  'imports.listImports',
  'invoices.findSharedByToken',
  'invoices.listOpenInvoices',
  'invoices.listPaymentsOfBuyer',
  'organisations.memberTables',
  'organisations.tables',
  'programs.listedTables',
  'programs.withMembership',
  'quotes.quoteTables',
  'received-invoices.sumKept',
  'recurring-invoices.columns',
  'recurring-invoices.findSchedule',
  'recurring-invoices.withContent',
  'request-log.columns',
  'request-log.findRequest',
  'submissions.held',
  'webhooks.listCallbacks',
]

/** `<one>` is a value that is put in. */
const store = (body: string) =>
  file(
    'server/src/modules/pets/pets.store.ts',
    `export const list = (one) => sql\`${body.replaceAll('<one>', `\${one}`)}\``,
  )
const complaintsAbout = (body: string) =>
  borrowedOrganisationsIn([store(body)]).map(({ name, text }) => `${name}: ${text}`)

test.each([
  'select p.id, (select o.name from owners o where o.organisation_id = p.organisation_id) from pets p where p.organisation_id = <one>',
  'select from pets p join lateral (select o.name from owners o where o.organisation_id = p.organisation_id offset 0) as o on true',
  'select from pets p where exists (select from owners as o where o.organisation_id = p.organisation_id and o.id = p.owner_id)',
])('the check finds a subquery that borrows its organisation: %s', (body) => {
  expect(complaintsAbout(body)).toEqual(['pets.list: o.organisation_id = p.organisation_id'])
})

test.each([
  'select p.id, (select o.name from owners o where o.organisation_id = <one> and o.id = p.owner_id) from pets p where p.organisation_id = <one>',
  'select from pets p join owners o on o.organisation_id = p.organisation_id where p.organisation_id = <one>',
])('the check accepts: %s', (body) => {
  expect(complaintsAbout(body)).toEqual([])
})

test('subqueries of stores name their organisation as a value', () => {
  const found = [...new Set(borrowedOrganisationsIn(readTree()).map(({ name }) => name))].toSorted()
  expect(found).toEqual([...aboutSeveral, ...besideTheirRow].toSorted())
})
